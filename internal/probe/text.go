package probe

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is the handler in one form that fits a line:
//
//	GET :8080/readyz                     the Pod's IP; a port name stays a name
//	GET https://10.0.0.1:8443/x h2c [Host: web.example; X-Probe: "a;b"]
//	tcp [2001:db8::1]:5671
//	grpc :9090 my.Service tls
//	exec sh -c 'a b | c'                 quoted as for a shell, so that the words stay apart
//
// It is what the spec holds, control characters and newlines too: whoever prints it escapes them.
func (h Handler) Text() string {
	switch h.Type {
	case HTTP:
		return h.httpText()
	case TCP:
		return "tcp " + h.address()
	case GRPC:
		return h.grpcText()
	case Exec:
		return strings.TrimSuffix("exec "+commandText(h.Command), " ")
	default:
		return "no handler"
	}
}

func (h Handler) httpText() string {
	var b strings.Builder
	b.WriteString("GET ")
	if scheme := strings.ToLower(h.Scheme); scheme != "" && scheme != "http" {
		b.WriteString(scheme + "://")
	}
	b.WriteString(h.address())
	if !strings.HasPrefix(h.Path, "/") {
		b.WriteString("/") // as the kubelet does
	}
	b.WriteString(h.Path)
	switch protocol := h.protocol(); protocol {
	case "HTTP1":
	case "HTTP2":
		b.WriteString(" h2c")
	default:
		b.WriteString(" " + protocol)
	}
	if len(h.Headers) > 0 {
		b.WriteString(" [" + headersText(h.Headers) + "]")
	}
	return b.String()
}

func (h Handler) grpcText() string {
	text := "grpc " + h.address()
	switch h.Service {
	case "":
	case "tls": // not to be taken for the mode
		text += " 'tls'"
	default:
		text += " " + shellWord(h.Service)
	}
	if mode := h.mode(); mode != "Plaintext" {
		text += " " + strings.ToLower(mode)
	}
	return text
}

// address is host and port as a URL has them, IPv6 in brackets; no host is the Pod's IP.
func (h Handler) address() string { return net.JoinHostPort(h.Host, h.Port.String()) }

// headersText lists headers by name, then value. Different headers never have the same text.
func headersText(headers []Header) string {
	sorted := slices.SortedStableFunc(slices.Values(headers), compareHeaders)
	texts := make([]string, 0, len(sorted))
	for _, h := range sorted {
		texts = append(texts, headerWord(h.Name, `;"[]\:`)+": "+headerWord(h.Value, `;"[]\`))
	}
	return strings.Join(texts, "; ")
}

// headerWord quotes what would not stand out in the list: what holds one of its signs, or cannot be seen. That stays as it
// is, for whoever prints it to escape once.
func headerWord(s, signs string) string {
	unclear := func(r rune) bool { return strings.ContainsRune(signs, r) || !unicode.IsPrint(r) }
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsFunc(s, unclear) || !utf8.ValidString(s) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}

// commandText is an argument vector as a POSIX shell would read it back, word for word.
func commandText(command []string) string {
	words := make([]string, 0, len(command))
	for _, word := range command {
		words = append(words, shellWord(word))
	}
	return strings.Join(words, " ")
}

func shellWord(s string) string {
	switch {
	case s != "" && !strings.ContainsFunc(s, needsQuotes):
		return s
	case strings.Contains(s, "'") && !strings.ContainsAny(s, "\"$`\\!"):
		return `"` + s + `"`
	default:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
}

func needsQuotes(r rune) bool {
	plain := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	return !plain && !strings.ContainsRune("_@%+=:,./-", r)
}

// ConfigText is the timing as `set` takes it: "period=10 timeout=1 failure=3", with delay, success and grace where they
// are not the default.
func (p *Probe) ConfigText() string {
	var b strings.Builder
	if p.InitialDelaySeconds != 0 {
		fmt.Fprintf(&b, "delay=%d ", p.InitialDelaySeconds)
	}
	fmt.Fprintf(&b, "period=%d timeout=%d ", p.PeriodSeconds, p.TimeoutSeconds)
	if p.SuccessThreshold != defaultSuccessThreshold {
		fmt.Fprintf(&b, "success=%d ", p.SuccessThreshold)
	}
	fmt.Fprintf(&b, "failure=%d", p.FailureThreshold)
	if p.TerminationGracePeriodSeconds != nil {
		fmt.Fprintf(&b, " grace=%d", *p.TerminationGracePeriodSeconds)
	}
	return b.String()
}
