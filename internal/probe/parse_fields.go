package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fieldSpec is one name left of "=".
type fieldSpec struct {
	short   string // as typed
	api     string // in the API, accepted too
	handler bool
	parse   func(kind Kind, value string) (json.RawMessage, error)
}

// fields is the one list of what FIELD can be.
func fields() []fieldSpec {
	return []fieldSpec{
		{"delay", "initialDelaySeconds", false, atLeast(0, parseSeconds)},
		{"period", "periodSeconds", false, atLeast(1, parseSeconds)},
		{"timeout", "timeoutSeconds", false, atLeast(1, parseSeconds)},
		{"success", "successThreshold", false, parseSuccess},
		{"failure", "failureThreshold", false, atLeast(1, parseCount)},
		{"grace", "terminationGracePeriodSeconds", false, parseGrace},
		{"http", "httpGet", true, parseHTTP},
		{"tcp", "tcpSocket", true, parseTCP},
		{"grpc", "grpc", true, parseGRPC},
		{"exec", "exec", true, parseExec},
	}
}

// FieldNames are the names that FIELD can have, in the order of the help; for shell completion.
func FieldNames() []string {
	names := make([]string, 0, len(fields()))
	for _, f := range fields() {
		names = append(names, f.short)
	}
	return names
}

func apiNames() []string {
	names := make([]string, 0, len(fields()))
	for _, f := range fields() {
		names = append(names, f.api)
	}
	return names
}

func fieldNamed(name string) (fieldSpec, bool) {
	for _, f := range fields() {
		if name == f.short || name == f.api {
			return f, true
		}
	}
	return fieldSpec{}, false
}

func unknownField(name string) error {
	return fmt.Errorf("unknown field %q%s; fields are %s", name,
		didYouMean(name, append(FieldNames(), apiNames()...)), strings.Join(FieldNames(), ", "))
}

// didYouMean suggests the nearest name, when one is near enough to have been meant.
func didYouMean(name string, names []string) string {
	lower := strings.ToLower(name)
	switch lower {
	case "path", "port", "host", "scheme", "url":
		return ": it is part of the handler, for instance http=:8080/healthz"
	case "headers", "httpheaders", "protocol", "mode", "service":
		return ": only a whole probe as JSON can say it ('{...}')"
	}
	if best := Nearest(name, names); best != "" {
		return ": did you mean " + best + "?"
	}
	return ""
}

// atLeast is a number with a smallest value. The API takes 0 for "the default" where 1 is the least: who types 0 means
// something else.
func atLeast(least int64, parse func(string) (int64, error)) func(Kind, string) (json.RawMessage, error) {
	return func(_ Kind, value string) (json.RawMessage, error) {
		n, err := parse(value)
		switch {
		case err != nil:
			return nil, err
		case n < least:
			return nil, fmt.Errorf("must be at least %d", least)
		case n > math.MaxInt32:
			return nil, fmt.Errorf("must be at most %d", math.MaxInt32)
		}
		return number(n), nil
	}
}

func number(n int64) json.RawMessage { return strconv.AppendInt(nil, n, 10) }

// parseSuccess knows that only a readiness probe may ask for more than one success (validation.go
// validateLivenessProbe and validateStartupProbe, v1.37).
func parseSuccess(kind Kind, value string) (json.RawMessage, error) {
	encoded, err := atLeast(1, parseCount)(kind, value)
	if err == nil && kind != Readiness && string(encoded) != "1" {
		return nil, fmt.Errorf("must be 1 for a %s probe; only readiness can ask for more", kind)
	}
	return encoded, err
}

// parseGrace takes the field away when there is no value: the Pod's grace period applies again.
func parseGrace(kind Kind, value string) (json.RawMessage, error) {
	if kind == Readiness {
		return nil, errors.New("a readiness probe has no grace period: it never kills")
	}
	if value == "" {
		return nil, nil
	}
	n, err := parseSeconds(value)
	if err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, errors.New("must be greater than 0; grace= without a value removes it, and the Pod's applies")
	}
	return number(n), nil
}

func parseCount(value string) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case value == "":
		return 0, errors.New("a number is missing")
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("the number is too large")
	case err != nil || !isDigit(value[len(value)-1]) || value[0] == '+':
		return 0, errors.New("must be a whole number of checks")
	}
	return n, nil
}

// parseSeconds reads 30, 30s, 2m, 1h30m: whole seconds.
func parseSeconds(value string) (int64, error) {
	notSeconds := errors.New("must be whole seconds: 30, 30s or 2m")
	switch {
	case value == "":
		return 0, errors.New("a number of seconds is missing")
	case value[0] == '+':
		return 0, notSeconds
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err == nil {
		return n, nil
	}
	if errors.Is(err, strconv.ErrRange) {
		return 0, errors.New("the number is too large")
	}
	d, err := time.ParseDuration(value)
	if err != nil || d%time.Second != 0 || strings.ContainsAny(value, "._µ") {
		return 0, notSeconds
	}
	return int64(d / time.Second), nil
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// knownField finds a field's name in front of "=", for words that look as if they had been meant as a field.
func knownField(text string) (string, bool) {
	name, _, found := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if !found {
		return "", false
	}
	return name, slices.Contains(FieldNames(), name) || slices.Contains(apiNames(), name)
}
