// Package readme runs what the README tells a reader to type, and holds the answers against those that it shows.
package readme

import (
	"fmt"
	"regexp"
	"strings"
)

// Console is a fenced block of a Markdown text with commands and their answers, as in a terminal.
type Console struct {
	Line  int    // of the opening fence, counted from 1
	On    string // the cluster that a comment before the block names; empty: none
	Steps []Step
}

// Step is one command and what it answers: what is printed on both streams, and the exit status where it is not 0.
type Step struct {
	Line            int // of the first line after the command
	Command, Answer string
}

// prompt starts a command; a line that ends in a backslash goes on.
const prompt = "$ "

// on is the comment that says which cluster the next block is typed at.
func on() *regexp.Regexp { return regexp.MustCompile(`^<!-- on: (\S+) -->$`) }

// Consoles finds the blocks of a text.
func Consoles(text string) ([]Console, error) {
	var all []Console
	var cluster string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if m := on().FindStringSubmatch(lines[i]); m != nil {
			cluster = m[1]
		}
		if lines[i] != "```console" {
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		if end == len(lines) {
			return nil, fmt.Errorf("line %d: the block has no end", i+1)
		}
		steps, err := stepsOf(lines[i+1:end], i+2)
		if err != nil {
			return nil, err
		}
		all = append(all, Console{Line: i + 1, On: cluster, Steps: steps})
		cluster, i = "", end
	}
	return all, nil
}

// stepsOf takes a block apart; first is the number of its first line.
func stepsOf(lines []string, first int) ([]Step, error) {
	var steps []Step
	for i := 0; i < len(lines); {
		command, isCommand := strings.CutPrefix(lines[i], prompt)
		if !isCommand {
			return nil, fmt.Errorf("line %d: an answer to no command", first+i)
		}
		for i++; strings.HasSuffix(command, `\`) && i < len(lines); i++ {
			command += "\n" + lines[i]
		}
		step := Step{Line: first + i, Command: command}
		for ; i < len(lines) && !strings.HasPrefix(lines[i], prompt); i++ {
			step.Answer += lines[i] + "\n"
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// WithAnswers is the text with other answers to the same commands, in order.
func WithAnswers(text string, consoles []Console) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	next := 0
	for _, console := range consoles {
		for _, step := range console.Steps {
			b.WriteString(strings.Join(lines[next:step.Line-1], ""))
			b.WriteString(step.Answer)
			next = step.Line - 1
			for next < len(lines) && lines[next] != "```\n" && !strings.HasPrefix(lines[next], prompt) {
				next++
			}
		}
	}
	return b.String() + strings.Join(lines[next:], "")
}
