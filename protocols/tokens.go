package protocols

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
)

// Tokens compares the output of a batch task with the right one: line by line,
// each line as the words between its white space. Blank lines are ignored, and so
// are leading zeros.
type Tokens struct {
	FoldCase bool // letters are the same in either case
	// Tolerance, if above 0, is how much a number may differ from the right one:
	// absolutely, or as a share of it.
	Tolerance float64
}

// Judge scores 1 for a right output, else 0, with what is wrong and the first
// mistake.
func (t Tokens) Judge(found, expected string) (Outcome, *Mistake) {
	m := FirstMistake(TextLines(found), TextLines(expected), func(_ int, found, expected string) int { return t.difference(found, expected) })
	if m == nil {
		return Outcome{Score: Points(1)}, nil
	}
	return Outcome{Wrong: m.String()}, m
}

// difference is the index in a line of the first word that differs from the
// right line's, or -1.
func (t Tokens) difference(found, expected string) int {
	for rest := found; ; {
		before := len(found) - len(rest)
		var word, right string
		word, rest = NextField(rest)
		right, expected = NextField(expected)
		switch {
		case word == "" && right == "":
			return -1
		case word == "" || right == "" || !t.same(word, right):
			return before + strings.Index(found[before:], word)
		}
	}
}

func (t Tokens) same(found, expected string) bool {
	if Tidy(found) == Tidy(expected) || t.FoldCase && strings.EqualFold(found, expected) {
		return true
	}
	if t.Tolerance <= 0 {
		return false
	}
	f, err1 := strconv.ParseFloat(found, 64)
	e, err2 := strconv.ParseFloat(expected, 64)
	return err1 == nil && err2 == nil && math.Abs(f-e) <= t.Tolerance*max(1, math.Abs(e))
}

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
