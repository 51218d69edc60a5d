package report

import (
	"fmt"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/record"
)

// stderrLines is how many lines are shown of a bot's standard error, half from
// its beginning and half from its end.
const stderrLines = 12

// longLine is how many characters are shown of one line.
const longLine = 300

// passage is a part of what a bot wrote, under a title.
type passage struct {
	title string
	lines []string
}

// standardError returns what a seat wrote to standard error, for a person:
// before the verdict, and after it. Whole is where all of it is kept, or ""; the
// title says so if something is missing here.
func standardError(s record.Seat, whole string, lines int) (list []passage) {
	add := func(title, text string) {
		all := trimBlank(ownLines(text))
		if len(all) == 0 {
			return
		}
		shown := abridge(all, lines, s.StderrBytes > 0)
		missing := s.StderrBytes > 0 || len(shown) < len(all)
		if missing && len(list) == 0 {
			title += length(s, whole)
		}
		list = append(list, passage{title, shown})
	}
	add("its standard error", s.Stderr)
	add("after the verdict it wrote to standard error", s.StderrAfter)
	return list
}

// length says how long a seat's standard error is, and where all of it is.
func length(s record.Seat, whole string) string {
	switch {
	case s.StderrBytes > 0 && whole != "":
		return fmt.Sprintf(" (beginning and end of %s; all of it: %s)", referee.Size(s.StderrBytes), whole)
	case s.StderrBytes > 0:
		return fmt.Sprintf(" (beginning and end of %s; with -o DIR all of it is kept in DIR/stderr)", referee.Size(s.StderrBytes))
	}
	return " (beginning and end; the record has all of it)"
}

// abridge shortens a text to that many lines, half from either end, with one
// between them that says how many are missing, unless more are missing than
// these lines show.
func abridge(lines []string, most int, gap bool) []string {
	left := len(lines) - most
	if left <= 1 {
		return lines
	}
	mark := fmt.Sprintf("… %d lines left out …", left)
	if gap {
		mark = "… many lines left out …"
	}
	head, tail := lines[:most/2], lines[len(lines)-most/2:]
	return slices.Concat(head, []string{mark}, tail)
}

// trimBlank removes blank lines at the beginning and the end.
func trimBlank(lines []string) []string {
	blank := func(line string) bool { return strings.TrimSpace(line) == "" }
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// passages prints passages, each title indented.
func (p *Printer) passages(by string, list []passage) {
	for _, one := range list {
		short := make([]string, len(one.lines))
		for i, line := range one.lines {
			short[i] = line
			if runes := []rune(line); len(runes) > longLine {
				short[i] = string(runes[:longLine]) + "…"
			}
		}
		p.Printf("%s%s:\n%s", by, one.title, indent("  ", strings.Join(short, "\n")))
	}
}

// plainStderr returns a seat's standard error for JUnit: all that is recorded,
// without a runtime's own frames.
func plainStderr(s record.Seat) string {
	list := standardError(s, "", 1<<30)
	if len(list) == 1 && s.StderrAfter == "" && s.StderrBytes == 0 {
		return strings.Join(list[0].lines, "\n")
	}
	var b strings.Builder
	for _, one := range list {
		fmt.Fprintf(&b, "%s:\n%s\n", one.title, strings.Join(one.lines, "\n"))
	}
	return b.String()
}

// early says that a seat wrote lines before it was asked for them; "" if it
// wrote none.
func early(s record.Seat) string {
	if s.Early == 0 {
		return ""
	}
	return fmt.Sprintf("wrote %s before being asked", Plural(s.Early, "line"))
}
