package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// maxProblems bounds what is listed: a folder of the wrong files must not bury the terminal.
const maxProblems = 20

// problem is what is wrong with a file.
type problem struct {
	file string
	err  error
}

// problems gathers what is wrong with the input, in the order of reading.
type problems struct {
	listed []problem
	more   int
}

func (p *problems) add(file string, err error) {
	if text := err.Error(); strings.ContainsAny(text, "\r\n") { // of a name, say: an error is a line
		err = errors.New(onOneLine(text))
	}
	if len(p.listed) < maxProblems {
		p.listed = append(p.listed, problem{file, err})
		return
	}
	p.more++
}

func (p *problems) join() error {
	var errs []error
	for _, one := range p.listed {
		errs = append(errs, one.err)
	}
	if p.more > 0 {
		errs = append(errs, errors.New(p.rest()))
	}
	return errors.Join(errs...)
}

func (p *problems) rest() string { return fmt.Sprintf("and %d more", p.more) }

// gaps are what the Snapshot lacks for the problems.
func (p *problems) gaps() []snapshot.Gap {
	var gaps []snapshot.Gap
	for _, one := range p.listed {
		gaps = append(gaps, snapshot.Gap{What: "files", Name: one.file, Reason: snapshot.Failed, Message: one.err.Error()})
	}
	if p.more > 0 {
		gaps = append(gaps, snapshot.Gap{What: "files", Reason: snapshot.Failed, Message: p.rest()})
	}
	return gaps
}

// onOneLine writes line breaks as Go and JSON do.
func onOneLine(text string) string { return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(text) }

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
