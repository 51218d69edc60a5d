package report

import (
	"fmt"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/record"
)

// Exchanges prints what a submission and the judge of a problem package said to each
// other, and how each ended: what the submission wrote stands on the left, the judge's
// words are indented.
func (p *Printer) Exchanges(r record.Record) error {
	lines, err := exchanged(r)
	for _, line := range lines {
		p.Printf("%s\n", line)
	}
	return err
}

// exchanged returns the lines of what was said.
func exchanged(r record.Record) (list []string, err error) {
	seen, err := r.Seen()
	several := Several(seen)
	for _, e := range seen {
		list = append(list, TalkLines(e, several)...)
	}
	return list, err
}

// TalkHead names the columns of TalkLines.
var TalkHead = fmt.Sprintf("%13s%-*s%s", "", judgeColumn, "submission", "judge")

// Several reports whether the submission of a match has several processes.
func Several(seen []referee.Exchange) bool {
	return slices.ContainsFunc(seen, func(e referee.Exchange) bool { return e.Seat > 1 })
}

// processOf says which process of several wrote something, or was told it.
func processOf(e referee.Exchange) string {
	switch {
	case e.Seat > 0:
		return fmt.Sprintf("%d: ", e.Seat-1)
	case e.To > 0:
		return fmt.Sprintf("to %d: ", e.To-1)
	}
	return ""
}

// TalkLines returns one thing that was seen of the match of a problem package as lines of
// two columns: what the submission did is on the left, with the process, from 0, that did it
// if there are several.
func TalkLines(e referee.Exchange, several bool) (list []string) {
	indent := ""
	if e.Seat == 0 && e.Pass == 0 {
		indent = strings.Repeat(" ", judgeColumn)
	}
	if several && e.Pass == 0 {
		indent += processOf(e)
	}
	for i, line := range ExchangeLines(e) {
		at := fmt.Sprintf("%9.3f s  ", e.At.Seconds())
		if i > 0 {
			at = strings.Repeat(" ", len(at))
		}
		list = append(list, at+indent+SafeLine(line).String())
	}
	return list
}

// judgeColumn is how far the judge's words are indented.
const judgeColumn = 24

// mostLines is how many lines of one exchange are shown, from its beginning.
const mostLines = 40

// ExchangeLines says what was seen, in one or more lines.
func ExchangeLines(e referee.Exchange) []string {
	who := "submission"
	if e.Seat == 0 {
		who = "judge"
	}
	switch {
	case e.Pass > 0:
		return []string{fmt.Sprintf("── pass %d ──", e.Pass)}
	case e.Text != "":
		lines := strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n")
		if more := len(lines) - mostLines; more > 0 {
			lines = append(lines[:mostLines], fmt.Sprintf("… %s more …", Plural(more, "line")))
		}
		for i, line := range lines {
			lines[i] = shorten(line)
		}
		return lines
	case e.Bytes > 0:
		return []string{fmt.Sprintf("(the %s wrote %d bytes; the rest is not kept)", who, e.Bytes)}
	case e.EOF:
		return []string{fmt.Sprintf("(the %s closes its output)", who)}
	case e.Fail != nil:
		return []string{fmt.Sprintf("(the %s: %s: %s)", who, e.Fail.Kind, e.Fail.Detail)}
	case e.Signal != "":
		return []string{fmt.Sprintf("(the %s is killed by %s)", who, e.Signal)}
	}
	end := fmt.Sprintf("(the %s ends with status %d", who, e.Exit)
	if e.Detail != "" {
		end += ": " + strings.Join(strings.Fields(e.Detail), " ")
	}
	return []string{end + ")"}
}
