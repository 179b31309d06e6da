package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// maxDownload bounds what a URL may send; larger things are better downloaded first.
const maxDownload = 512 << 20

// web is an input behind a URL. Passwords in it are never shown.
func web(address string, client *http.Client) (input, error) {
	u, err := url.Parse(address)
	if err != nil {
		return input{}, fmt.Errorf("the URL %q is not valid: %w", address, err)
	}
	if client == nil {
		client = &http.Client{}
	}
	open := func(ctx context.Context) (io.ReadCloser, error) { return download(ctx, client, u, maxDownload) }
	return input{name: u.Redacted(), open: open}, nil
}

func download(ctx context.Context, client *http.Client, u *url.URL, limit int64) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if failed := (*url.Error)(nil); errors.As(err, &failed) { // it names the URL, with its password, and so does the input
		return nil, failed.Err
	}
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close() // the status is the error
		return nil, fmt.Errorf("the server reported %s", response.Status)
	}
	return &limited{ReadCloser: response.Body, left: limit, limit: limit}, nil
}

// limited fails where io.LimitReader would end: a part must not pass for the whole.
type limited struct {
	io.ReadCloser
	left, limit int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	l.left -= int64(n)
	if l.left < 0 {
		return 0, fmt.Errorf("larger than %d MiB; download it first", l.limit>>20)
	}
	return n, err
}
