package patolli

import (
	"iter"
	"strings"

	"umpire/protocols"
)

// judgement is the judge's ruling on an output.
type judgement struct {
	right   int    // number of right lines
	first   int    // the first line that is wrong, from 1; 0 if there is none
	wrong   string // what is wrong with that line
	mistake *protocols.Mistake
}

// judge compares an output with the right one, line by line. An extra line is
// wrong, too, but takes nothing from the others.
func (c *Case) judge(output string) judgement {
	m := protocols.FirstMistake(protocols.TextLines(output), c.answers(), func(n int, found, expected string) int {
		return protocols.Difference(normal(found, n), expected)
	})
	if m == nil {
		return judgement{right: len(c.lines)}
	}
	j := judgement{len(c.lines) - m.Wrong, m.Line, m.String(), m}
	if m.Line <= len(c.lines) {
		m.Input, m.InputLine = []string{c.lines[m.Line-1].text}, m.Line
	}
	if m.At >= 0 {
		m.Found = normal(m.Found, m.Line)
	}
	return j
}

// answers yields the right answers.
func (c *Case) answers() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range c.lines {
			if end := c.lines[i].Play(); !yield(end.String()) {
				return
			}
		}
	}
}

// normal writes the n-th answer as the task does: without a number in front,
// with single spaces, numbers without leading zeros.
func normal(answer string, n int) string {
	first, rest := protocols.NextField(answer)
	if front, ok := strings.CutSuffix(first, "."); ok {
		if number, ok := protocols.Number(front); ok && number == n {
			answer = rest
		}
	}
	return protocols.Tidy(answer)
}
