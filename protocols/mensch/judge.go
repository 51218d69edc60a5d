package mensch

import (
	"fmt"
	"strconv"
	"strings"
)

// compare says how an output differs from the right one: "" if it does not.
// Lines are compared one by one; blanks at their ends and at the end of the
// output are forgiven, and a missing last newline with them.
func compare(got, want string) (wrong string) {
	g, w := newLines(got), newLines(want)
	for number := 1; g.more || w.more; number++ {
		if !g.more {
			return fmt.Sprintf("line %d: found the end, expected %s", number, excerpt(w.next(), 0))
		}
		if !w.more {
			return fmt.Sprintf("line %d: found %s, expected the end", number, excerpt(g.next(), 0))
		}
		found, expected := g.next(), w.next()
		at := difference(found, expected)
		if at < 0 {
			continue
		}
		where := fmt.Sprintf("line %d", number)
		if at >= excerptLead {
			where += fmt.Sprintf(" at character %d", at+1)
		}
		return fmt.Sprintf("%s: found %s, expected %s", where, excerpt(found, at), excerpt(expected, at))
	}
	return ""
}

const blanks = " \t\r"

// lines hands out a text's lines without the blanks at their ends.
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
// right one; -1 if it does not.
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

// isPicture tells the lines of pictures from replies, none of which has a dot.
// Only in pictures the published text mixes letters up: a reply of "1O" or "yOu
// need six" stays wrong.
func isPicture(line string) bool { return strings.Contains(line, ".") }

func plain(c byte) byte { return c }

// scanned reads a character of a picture as the published scan has it.
func scanned(c byte) byte {
	switch c {
	case '0', 'O':
		return 'o'
	case 'X':
		return 'x'
	}
	return c
}

// excerptLead is from which difference on an excerpt leaves the line's beginning
// out.
const excerptLead = 40

// excerpt quotes a line for a message; of a long one, 60 bytes around the byte
// at which it differs.
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
