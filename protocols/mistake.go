package protocols

import (
	"fmt"
	"iter"
	"strings"
)

// Mistake is the first line in which an output differs from the right one.
type Mistake struct {
	Line            int    // number of the line in the output, from 1
	Found, Expected string // the lines, without their ends
	// At is the index of the first byte in which they differ; -1 where one of
	// them is the end of the output, which Found or Expected then says.
	At int
	// Lines is how many lines the right output has, Wrong how many of them are
	// wrong or missing, and Extra how many lines there are after them.
	Wrong, Lines, Extra int
	// Input holds the lines of input that the line follows from; the last one is
	// that which it answers, and InputLine its number, from 1. An InputLine of 0
	// means that it follows from all of them.
	Input     []string
	InputLine int
}

// TheEnd stands for the end of an output in a Mistake.
const TheEnd = "(the end)"

// TextLines yields the lines of an output that are not blank, without the white
// space around them.
func TextLines(output string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(output) {
			line = strings.Trim(line, " \t\r\n")
			if line != "" && !yield(line) {
				return
			}
		}
	}
}

// FirstMistake compares the lines of an output with the right ones, and returns
// the first mistake with how many there are; nil if the output is right. Differ
// returns the index of the first byte in which the n-th line, from 1, differs
// from the right one, or -1.
func FirstMistake(found, expected iter.Seq[string], differ func(n int, found, expected string) int) (first *Mistake) {
	var sum Mistake
	right, stop := iter.Pull(expected)
	defer stop()
	note := func(m Mistake) {
		if first == nil {
			first = &m
		}
	}
	n := 0
	for line := range found {
		n++
		want, more := right()
		if !more {
			sum.Extra++
			note(Mistake{Line: n, Found: line, Expected: TheEnd, At: -1})
			continue
		}
		sum.Lines++
		if at := differ(n, line, want); at >= 0 {
			sum.Wrong++
			note(Mistake{Line: n, Found: line, Expected: want, At: at})
		}
	}
	for want, more := right(); more; want, more = right() {
		n++
		sum.Lines++
		sum.Wrong++
		note(Mistake{Line: n, Found: TheEnd, Expected: want, At: -1})
	}
	if first != nil {
		first.Wrong, first.Lines, first.Extra = sum.Wrong, sum.Lines, sum.Extra
	}
	return first
}

// Difference is the index of the first byte in which a line differs from the right
// one, or -1.
func Difference(found, expected string) int {
	if found == expected {
		return -1
	}
	at := 0
	for at < min(len(found), len(expected)) && found[at] == expected[at] {
		at++
	}
	return at
}

// String says what was found and expected in the line.
func (m *Mistake) String() string {
	shown := func(line string) string {
		if line == TheEnd {
			return "the end"
		}
		return Quote(line)
	}
	return fmt.Sprintf("line %d: found %s, expected %s", m.Line, shown(m.Found), shown(m.Expected))
}
