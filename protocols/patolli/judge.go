package patolli

import (
	"iter"
	"strings"

	"umpire/protocols"
)

// judge compares an output with the right one, line by line, and scores the right
// lines. An extra line is wrong, too, but takes nothing from the others.
func (c *Case) judge(output string) (protocols.Outcome, *protocols.Mistake) {
	m := protocols.FirstMistake(protocols.TextLines(output), c.answers(), func(n int, found, expected string) int {
		return protocols.Difference(normal(found, n), expected)
	})
	if m == nil {
		return protocols.Outcome{Score: protocols.Points(len(c.lines))}, nil
	}
	outcome := protocols.Outcome{Score: protocols.Points(len(c.lines) - m.Wrong), Wrong: m.String()}
	if m.Line <= len(c.lines) {
		m.Input, m.InputLine = []string{c.lines[m.Line-1].text}, m.Line
	}
	if m.At >= 0 {
		m.Found = normal(m.Found, m.Line)
	}
	return outcome, m
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
