package live

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// versionGrace is how much longer than everything else the server's version may take. It only words hints.
const versionGrace = time.Second

// askVersion asks for the server's version beside the other reads. The function it returns gives what came,
// empty when nothing did: that is no gap, since nothing is shown of it.
func (r *reader) askVersion(ctx context.Context) func() string {
	if !r.opts.ServerVersion {
		return func() string { return "" }
	}
	ctx, cancel := context.WithCancel(ctx)
	answer := make(chan string, 1)
	go func() {
		version, _ := r.clients.ServerVersion(ctx)
		answer <- version
	}()
	return func() string {
		defer cancel()
		select {
		case version := <-answer:
			return version
		case <-time.After(versionGrace):
			return ""
		}
	}
}

// ServerVersion is what the server says that it is.
func (c *Clients) ServerVersion(ctx context.Context) (string, error) {
	answer := c.core.RESTClient().Get().AbsPath("/version").Do(ctx)
	if err := answer.Error(); err != nil { // has the server's words, which Raw leaves out
		return "", err
	}
	raw, err := answer.Raw()
	if err != nil {
		return "", err
	}
	var info struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := json.Unmarshal(raw, &info); err != nil {
		return "", notOfTheAPI(err)
	}
	if info.GitVersion == "" {
		return "", notOfTheAPI(errors.New("no gitVersion"))
	}
	return info.GitVersion, nil
}
