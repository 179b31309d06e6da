package live

import (
	"context"
	"encoding/json"
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
	go func() { answer <- r.clients.version(ctx) }()
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

func (c *Clients) version(ctx context.Context) string {
	raw, err := c.core.RESTClient().Get().AbsPath("/version").Do(ctx).Raw()
	if err != nil {
		return ""
	}
	var info struct {
		GitVersion string `json:"gitVersion"`
	}
	if json.Unmarshal(raw, &info) != nil {
		return ""
	}
	return info.GitVersion
}
