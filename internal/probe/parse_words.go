package probe

import (
	"errors"
	"fmt"
	"strings"
)

// item is one FIELD=VALUE, with the quotes taken off the value.
type item struct{ name, value string }

// splitItems cuts FIELD=VALUE[,FIELD=VALUE...]. A value that begins with a quote goes to the next one; exec takes the rest.
func splitItems(text string) ([]item, error) {
	var items []item
	for {
		name, rest, found := strings.Cut(text, "=")
		if comma := strings.IndexByte(text, ','); !found || comma >= 0 && comma < len(name) {
			before, _, _ := strings.Cut(text, ",")
			return nil, notAnItem(strings.TrimSpace(before))
		}
		name, rest = strings.TrimSpace(name), strings.TrimLeft(rest, " ")
		if name == "exec" {
			return append(items, item{name, rest}), nil
		}
		value, rest, err := cutValue(rest)
		if err != nil {
			return nil, fmt.Errorf("%s=: %w", name, err)
		}
		items = append(items, item{name, value})
		if rest == "" {
			return items, nil
		}
		text = rest[1:]
	}
}

func notAnItem(text string) error {
	switch text {
	case "":
		return errors.New("FIELD=VALUE is missing before or after a comma")
	case "off", "none", "remove":
		return fmt.Errorf("%q is not FIELD=VALUE: to take the probe away use the flag that ends in -off", text)
	default:
		return fmt.Errorf("%q is not FIELD=VALUE (a value with a comma must be quoted); fields are %s", text, strings.Join(FieldNames(), ", "))
	}
}

// cutValue returns the value at the start of text, and what follows it: nothing, or a comma and more.
func cutValue(text string) (value, rest string, err error) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		i := strings.IndexByte(text, ',')
		if i < 0 {
			return strings.TrimSpace(text), "", nil
		}
		return strings.TrimSpace(text[:i]), text[i:], nil
	}
	s := scanner{text: text}
	if err := s.quoted(); err != nil {
		return "", "", err
	}
	rest = strings.TrimLeft(s.text[s.at:], " ")
	if rest != "" && rest[0] != ',' {
		return "", "", fmt.Errorf("%q follows the closing quote: quote the value as a whole", rest)
	}
	return s.word.text, rest, nil
}

// word is one word of a command. plain marks the bytes of text that stood outside quotes.
type word struct {
	text  string
	plain []bool
}

func (w *word) add(b byte, plain bool) {
	w.text, w.plain = w.text+string([]byte{b}), append(w.plain, plain)
}

func (w word) endsInComma() bool {
	last := len(w.text) - 1
	return last >= 0 && w.text[last] == ',' && w.plain[last]
}

// fieldBehind finds a field that was meant for the list and not for the command: behind a comma outside quotes.
func (w word) fieldBehind(comma bool) (string, bool) {
	if comma {
		if name, found := knownField(w.text); found {
			return name, true
		}
	}
	for i := range w.text {
		if w.text[i] != ',' || !w.plain[i] {
			continue
		}
		if name, found := knownField(w.text[i+1:]); found {
			return name, true
		}
	}
	return "", false
}

// scanner reads words as POSIX does (Shell Command Language, 2.2 Quoting and 2.3 Token Recognition), and expands nothing.
type scanner struct {
	text string
	at   int
	word word
}

// SplitWords splits a command into words as a POSIX shell would, expanding nothing. What only a shell can do, such as
// a pipe, is an error.
func SplitWords(command string) ([]string, error) {
	words, err := splitWords(command)
	if err != nil {
		return nil, err
	}
	texts := make([]string, 0, len(words))
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return texts, nil
}

// QuoteWords is an argument vector as a POSIX shell would read it back, word for word.
func QuoteWords(words ...string) string { return commandText(words) }

func splitWords(command string) ([]word, error) {
	s := scanner{text: command}
	var words []word
	for {
		for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
			s.at++
		}
		if s.at == len(s.text) {
			return words, nil
		}
		if s.text[s.at] == '#' {
			return nil, needsShell("#")
		}
		s.word = word{}
		if err := s.next(); err != nil {
			return nil, err
		}
		words = append(words, s.word)
	}
}

// next reads up to the end of a word.
func (s *scanner) next() error {
	for s.at < len(s.text) {
		switch b := s.text[s.at]; {
		case strings.IndexByte(" \t\r\n", b) >= 0:
			return nil
		case b == '"' || b == '\'':
			if err := s.quoted(); err != nil {
				return err
			}
		case b == '\\':
			if err := s.escaped(); err != nil {
				return err
			}
		case b == '$' && strings.HasPrefix(s.text[s.at:], "$("):
			s.variable()
		case strings.IndexByte("|&;<>()", b) >= 0:
			return needsShell(string(b))
		default:
			s.word.add(b, true)
			s.at++
		}
	}
	return nil
}

// variable keeps $(NAME), which the kubelet expands (third_party/forked/golang/expansion/expand.go, v1.37); anything
// else in $(...) is left for next to refuse.
func (s *scanner) variable() {
	rest := s.text[s.at+2:]
	end := strings.IndexByte(rest, ')')
	if end <= 0 || strings.ContainsAny(rest[:end], " \t\r\n|&;<>('\"\\") {
		s.word.add('$', true)
		s.at++
		return
	}
	for range end + 3 {
		s.word.add(s.text[s.at], true)
		s.at++
	}
}

// escaped takes the byte behind a backslash as it is; a line that is continued leaves nothing.
func (s *scanner) escaped() error {
	if s.at+1 == len(s.text) {
		return errors.New("a backslash at the end escapes nothing")
	}
	if next := s.text[s.at+1]; next != '\n' {
		s.word.add(next, false)
	}
	s.at += 2
	return nil
}

// quoted reads from one quote to the next. In double quotes a backslash escapes only what would be special there.
func (s *scanner) quoted() error {
	quote := s.text[s.at]
	for s.at++; s.at < len(s.text); s.at++ {
		b := s.text[s.at]
		switch {
		case b == quote:
			s.at++
			return nil
		case b == '\\' && quote == '"' && s.at+1 < len(s.text) && strings.IndexByte("$`\"\\\n", s.text[s.at+1]) >= 0:
			s.at++
			if s.text[s.at] != '\n' {
				s.word.add(s.text[s.at], false)
			}
		default:
			s.word.add(b, false)
		}
	}
	return fmt.Errorf("a closing %c is missing", quote)
}

func needsShell(sign string) error {
	return fmt.Errorf("%s outside quotes needs a shell, and a probe runs none: quote it, or use exec=sh -c '...'", sign)
}
