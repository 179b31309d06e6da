package probe

import (
	"fmt"
	"strings"
)

// OtherSpelling says how a flag of `oc set probe` is written here. --liveness --timeout-seconds=5 arrives as the value
// of --liveness, and a lone --timeout-seconds=5 as an unknown flag.
func OtherSpelling(kind Kind, flag string) (string, bool) {
	name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	if value == "" {
		value = "VALUE"
	}
	option := "--" + string(kind)
	switch name {
	case "remove":
		return option + "-off", true
	case "get-url":
		return option + "=http=" + strings.TrimPrefix(value, "http://"), true
	case "open-tcp":
		return option + "=tcp=:" + value, true
	case "":
		return option + "=exec='COMMAND...'", true
	}
	words := strings.Split(name, "-")
	for i := range words[1:] {
		if word := words[i+1]; word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	if f, ok := fieldNamed(strings.Join(words, "")); ok && !f.handler {
		return option + "=" + f.short + "=" + value, true
	}
	return "", false
}

func otherSpelling(kind Kind, value string) error {
	if spelling, ok := OtherSpelling(kind, value); ok {
		return fmt.Errorf("%q is not FIELD=VALUE: here it is written %s", value, spelling)
	}
	return fmt.Errorf("%q is a flag and not a value: %w", value, errNoValue)
}
