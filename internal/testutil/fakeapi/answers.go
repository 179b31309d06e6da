package fakeapi

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Refuse answers as an API server does that has an error to tell.
func Refuse(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status(w, code, reasons()[code], fmt.Sprintf("%s: %s", strings.ToLower(http.StatusText(code)), r.URL.Path))
	}
}

// Text answers with any body, as a proxy does, or a server of something else.
func Text(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// JSON is Text with a body of JSON.
func JSON(body string) http.HandlerFunc { return Text(http.StatusOK, "application/json", body) }

// Busy refuses and asks to come back, in plain text as the API server's own limits do
// (apiserver pkg/server/filters/maxinflight.go tooManyRequests, v1.37).
func Busy(code, seconds int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		Text(code, "text/plain; charset=utf-8", "Too many requests, please try again later.\n")(w, r)
	}
}

// Cut announces a longer body than it sends.
func Cut(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+1000))
		Text(http.StatusOK, contentType, body)(w, r)
	}
}

// Lose does what was asked, and answers with something else.
func (s *Server) Lose(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.serve(httptest.NewRecorder(), r)
		answer(w, r)
	}
}

// Drip sends a body without an end, a byte at a time, until the client gives up.
func (s *Server) Drip(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for {
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-s.stopped:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Reset ends the connection without an answer, so that the client sees a reset (HTTP/1 only).
func Reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func reasons() map[int]metav1.StatusReason {
	return map[int]metav1.StatusReason{
		http.StatusForbidden: metav1.StatusReasonForbidden, http.StatusNotFound: metav1.StatusReasonNotFound,
		http.StatusGone: metav1.StatusReasonExpired, http.StatusGatewayTimeout: metav1.StatusReasonTimeout,
		http.StatusUnauthorized: metav1.StatusReasonUnauthorized, http.StatusInternalServerError: metav1.StatusReasonInternalError,
		http.StatusConflict: metav1.StatusReasonConflict,
	}
}

func status(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	writeJSON(w, code, &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
	})
}
