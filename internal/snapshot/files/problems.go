package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxProblems bounds what is listed: a folder of the wrong files must not bury the terminal.
const maxProblems = 20

// problems gathers what is wrong with the input, in the order of reading.
type problems struct {
	errs []error
	more int
}

func (p *problems) add(err error) {
	if len(p.errs) < maxProblems {
		p.errs = append(p.errs, err)
		return
	}
	p.more++
}

func (p *problems) join() error {
	if p.more > 0 {
		return errors.Join(append(p.errs, fmt.Errorf("and %d more", p.more))...)
	}
	return errors.Join(p.errs...)
}

// fieldError says which field cannot be read, without the words of Go's decoder.
func fieldError(err error) error {
	var wrongType *json.UnmarshalTypeError
	if !errors.As(err, &wrongType) {
		return oneLine(err)
	}
	err = fmt.Errorf("cannot read %s as %s", wrongType.Value, wrongType.Type)
	if wrongType.Field == "" {
		return err
	}
	return fmt.Errorf("%s: %w", wrongType.Field, err)
}

// oneLine makes the YAML library's list of errors fit a line.
func oneLine(err error) error {
	text := err.Error()
	if !strings.Contains(text, "\n") {
		return err
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return errors.New(strings.Replace(strings.Join(lines, "; "), ":;", ":", 1))
}
