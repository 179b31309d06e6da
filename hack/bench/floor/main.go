// floor fetches lists from an API server as fast as a client can, and throws them away: what reading costs before
// anybody looks at what was read. It fetches what it is told to, all lists at once, each page by page as protobuf,
// over one HTTP/2 connection, compressed if the recorded client asked for that. Of a body it keeps the first
// bytes, to find the continue token; it decodes nothing else, and knows no types. It does not do what any real
// client must: discovery, retries, rate limits, decoding.
package main

import (
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
)

// job is what to fetch; hack/bench writes it.
type job struct {
	Host          string
	CA, Cert, Key []byte // PEM
	Lists         []list
}

type list struct {
	Path, Accept, AcceptEncoding string
	Query                        url.Values
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: floor JOB.json")
	}
	raw, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var j job
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	client, err := j.client()
	if err != nil {
		return err
	}
	errs := make([]error, len(j.Lists))
	var all sync.WaitGroup
	for i, l := range j.Lists {
		all.Go(func() { errs[i] = j.fetch(client, l) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (j job) client() (*http.Client, error) {
	pair, err := tls.X509KeyPair(j.Cert, j.Key)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(j.CA) {
		return nil, errors.New("no certificate authority")
	}
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}},
		ForceAttemptHTTP2:  true,
		DisableCompression: true, // asked for below, where the recorded client did
	}}, nil
}

func (j job) fetch(client *http.Client, l list) error {
	for {
		token, err := j.page(client, l)
		if err != nil {
			return fmt.Errorf("%s: %w", l.Path, err)
		}
		if token == "" {
			return nil
		}
		l.Query.Set("continue", token)
	}
}

func (j job) page(client *http.Client, l list) (string, error) {
	req, err := http.NewRequest(http.MethodGet, strings.TrimSuffix(j.Host, "/")+l.Path+"?"+l.Query.Encode(), nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", l.Accept)
	if l.AcceptEncoding != "" {
		req.Header.Set("Accept-Encoding", l.AcceptEncoding)
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "application/vnd.kubernetes.protobuf") {
		return "", fmt.Errorf("status %d with %s", resp.StatusCode, kind)
	}
	return discard(resp)
}

// headBytes is more than a list's metadata takes.
const headBytes = 16 << 10

// discard reads a body to its end and returns its continue token.
func discard(resp *http.Response) (string, error) {
	var body io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(resp.Body)
		if err != nil {
			return "", err
		}
		body = unzipped
	}
	head := make([]byte, headBytes)
	n, err := io.ReadFull(body, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		return "", err
	}
	token, ok := continueToken(head[:n])
	if !ok {
		return "", errors.New("not the protobuf of a list")
	}
	return token, nil
}
