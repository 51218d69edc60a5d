package patolli

import (
	"fmt"
	"iter"
	"strconv"
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
	var j judgement
	var expected []byte
	n, extra := 0, 0
	for found := range answers(output) {
		if n == len(c.lines) {
			j.note(n+1, protocols.Quote(found), "the end", protocols.NewMistake(n+1, found, protocols.TheEnd))
			extra++
			continue
		}
		n++
		end := c.lines[n-1].Play()
		expected = end.append(expected[:0])
		if normal(found, n) == string(expected) {
			j.right++
			continue
		}
		j.note(n, protocols.Quote(found), strconv.Quote(string(expected)), protocols.NewMistake(n, normal(found, n), string(expected)))
	}
	if n < len(c.lines) {
		end := c.lines[n].Play()
		j.note(n+1, "the end", strconv.Quote(end.String()), protocols.NewMistake(n+1, protocols.TheEnd, end.String()))
	}
	if m := j.mistake; m != nil {
		m.Wrong, m.Lines, m.Extra = len(c.lines)-j.right, len(c.lines), extra
		if m.Line <= len(c.lines) {
			m.Input, m.InputLine = []string{c.lines[m.Line-1].text}, m.Line
		}
	}
	return j
}

// note keeps what is wrong with a line, if it is the first such line.
func (j *judgement) note(line int, found, expected string, m *protocols.Mistake) {
	if j.first == 0 {
		j.first, j.mistake = line, m
		j.wrong = fmt.Sprintf("line %d: found %s, expected %s", line, found, expected)
	}
}

// answers yields the lines of an output that are not blank.
func answers(output string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(output) {
			line = strings.Trim(line, " \t\r\n")
			if line != "" && !yield(line) {
				return
			}
		}
	}
}

// normal writes the n-th answer as the task does: without a number in front,
// with single spaces, numbers without leading zeros.
func normal(answer string, n int) string {
	tokens := protocols.Fields(answer)
	if front, ok := strings.CutSuffix(tokens[0], "."); ok {
		if number, ok := protocols.Number(front); ok && number == n {
			tokens = tokens[1:]
		}
	}
	out := make([]byte, 0, len(answer))
	for i, token := range tokens {
		if i > 0 {
			out = append(out, ' ')
		}
		if number, ok := protocols.Number(token); ok {
			out = strconv.AppendInt(out, int64(number), 10)
		} else {
			out = append(out, token...)
		}
	}
	return string(out)
}
