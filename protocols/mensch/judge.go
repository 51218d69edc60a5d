package mensch

import (
	"fmt"
	"strconv"
	"strings"

	"umpire/protocols"
)

// compare describes how an output differs from the right one: "" if it does
// not.
func compare(got, want string) (wrong string) {
	m := firstMistake(got, want)
	switch {
	case m == nil:
		return ""
	case m.Found == protocols.TheEnd:
		return fmt.Sprintf("line %d: found the end, expected %s", m.Line, excerpt(m.Expected, 0))
	case m.Expected == protocols.TheEnd:
		return fmt.Sprintf("line %d: found %s, expected the end", m.Line, excerpt(m.Found, 0))
	}
	where := fmt.Sprintf("line %d", m.Line)
	if m.At >= excerptLead {
		where += fmt.Sprintf(" at character %d", m.At+1)
	}
	return fmt.Sprintf("%s: found %s, expected %s", where, excerpt(m.Found, m.At), excerpt(m.Expected, m.At))
}

// firstMistake compares an output with the right one; nil if it is right. Lines
// are compared one by one; white space at their ends and at the end of the
// output is ignored, and so is a missing last newline.
func firstMistake(got, want string) (first *protocols.Mistake) {
	g, w := newLines(got), newLines(want)
	var sum protocols.Mistake
	for number := 1; g.more || w.more; number++ {
		m := protocols.Mistake{Line: number, Found: protocols.TheEnd, Expected: protocols.TheEnd, At: -1}
		both := g.more && w.more
		if g.more {
			m.Found = g.next()
		}
		if w.more {
			m.Expected = w.next()
			sum.Lines++
		}
		if both {
			if m.At = difference(m.Found, m.Expected); m.At < 0 {
				continue
			}
		}
		if m.Expected == protocols.TheEnd {
			sum.Extra++
		} else {
			sum.Wrong++
		}
		if first == nil {
			first = &m
		}
	}
	if first != nil {
		first.Wrong, first.Lines, first.Extra = sum.Wrong, sum.Lines, sum.Extra
	}
	return first
}

const blanks = " \t\r"

// lines hands out a text's lines without the white space at their ends.
type lines struct {
	rest string
	more bool
}

func newLines(text string) lines {
	text = strings.TrimRight(text, blanks+"\n")
	return lines{rest: text, more: text != ""}
}

func (l *lines) next() string {
	var line string
	line, l.rest, l.more = strings.Cut(l.rest, "\n")
	return strings.TrimRight(line, blanks)
}

// difference is the index of the first byte at which a line differs from the
// right one, or -1.
func difference(got, want string) int {
	if got == want {
		return -1
	}
	read := plain
	if isPicture(want) {
		read = scanned
	}
	at := 0
	for at < len(got) && at < len(want) && read(got[at]) == read(want[at]) {
		at++
	}
	if at == len(got) && at == len(want) {
		return -1
	}
	return at
}

// isPicture tells lines of pictures from replies, none of which has a dot. The
// published text confuses letters only in pictures: a reply of "1O" or "yOu
// need six" stays wrong.
func isPicture(line string) bool { return strings.Contains(line, ".") }

func plain(c byte) byte { return c }

// scanned maps a character of a picture to the one in the published scan.
func scanned(c byte) byte {
	switch c {
	case '0', 'O':
		return 'o'
	case 'X':
		return 'x'
	}
	return c
}

// excerptLead is the index of a difference from which on an excerpt omits the
// beginning of the line.
const excerptLead = 40

// excerpt quotes a line for a message, or of a long line 60 bytes around the
// first difference.
func excerpt(line string, at int) string {
	const before, length = 20, 60
	if line == "" {
		return "an empty line"
	}
	from := 0
	if at >= excerptLead {
		from = at - before
	}
	to := min(len(line), from+length)
	text := strconv.Quote(line[from:to])
	text = text[1 : len(text)-1]
	if from > 0 {
		text = "…" + text
	}
	if to < len(line) {
		text += "…"
	}
	return "`" + text + "`"
}
