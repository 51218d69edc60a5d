package mensch

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"umpire/protocols"
)

// describe says what the first mistake of an output is: "" if there is none.
func describe(m *protocols.Mistake) string {
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
func firstMistake(got, want string) *protocols.Mistake {
	return protocols.FirstMistake(lines(got), lines(want), func(_ int, got, want string) int { return difference(got, want) })
}

const blanks = " \t\r"

// lines yields a text's lines without the white space at their ends.
func lines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		text := strings.TrimRight(text, blanks+"\n")
		for more := text != ""; more; {
			var line string
			line, text, more = strings.Cut(text, "\n")
			if !yield(strings.TrimRight(line, blanks)) {
				return
			}
		}
	}
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
