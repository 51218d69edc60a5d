package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// Background holds the facts beyond the records that a printer of failures needs.
type Background struct {
	// IsFolder reports whether the bot of that name was given as a folder; nil:
	// not known.
	IsFolder func(bot string) bool
	// Cause says what a seat's bot is likely to have failed for, by what it is made of and what
	// lies beside it; "" if nothing is known. Nil: not known.
	Cause func(s record.Seat) string
	// WholeStderr returns the file that holds all of a seat's standard error in a match, by its full name, ""
	// if there is none; nil: there are none.
	WholeStderr func(match string, seat int) string
}

// aside prints what a seat that failed did beside its replies: notes, its
// standard error, and a hint.
func (p *Printer) aside(by string, r record.Record, seat int, about Background) {
	s := r.Seats[seat-1]
	if note := early(s); note != "" {
		p.Say("%snote: it %s\n", by, note)
	}
	whole := ""
	if about.WholeStderr != nil {
		whole = about.WholeStderr(r.FullName(), seat)
	}
	p.passages(by, standardError(s, whole, stderrLines))
	if hint := Hint(r.Isolation, s, about); hint != "" {
		p.Say("%s%s\n", by, hint)
	}
}

// more returns, for programs, what explains a seat's verdict beyond its detail.
func more(r record.Record, games []protocols.Game, seat int) string {
	s := r.Seats[seat-1]
	if s.Verdict == "" || s.Verdict == string(referee.OK) {
		return ""
	}
	return explain(r, games, seat).text("") + enclosed(early(s), "note: it ", "\n") + enclosed(Hint(r.Isolation, s, Background{}), "", "\n")
}

// explanation says where the output of a batch task is wrong.
type explanation struct {
	batch   bool // the match is a batch task, whose transcript explains nothing
	mistake *protocols.Mistake
}

// explain finds the mistake in a seat's output; the zero explanation if the game
// is no batch task, or not known.
func explain(r record.Record, games []protocols.Game, seat int) (e explanation) {
	setup, events, err := r.Setup(games)
	if err != nil {
		return e
	}
	i := slices.IndexFunc(events, func(event referee.Event) bool { return event.Seat == seat && event.Fail == nil })
	if i < 0 {
		return explanation{batch: explainOutput(setup, seat, "").batch}
	}
	e = explainOutput(setup, seat, events[i].Reply)
	if m := e.mistake; m != nil && events[i].Cut != nil {
		if m.Wrong, m.Extra = 0, 0; m.Found == protocols.TheEnd { // it goes on
			e.mistake = nil
		}
	}
	return e
}

// explainOutput finds the mistake in an output of a batch task.
func explainOutput(s referee.Setup, seat int, output string) (e explanation) {
	_ = referee.Guard(func() error {
		m := s.Case.Start(s.Seats)
		if e.batch = m.Next().Batch; !e.batch || m.Reply(seat, output) != nil {
			return nil
		}
		if it, ok := m.(protocols.Explainer); ok {
			e.mistake = it.Mistake()
		}
		return nil
	})
	return e
}

// earlierLines is how many lines of input are shown before the one that was answered wrong.
const earlierLines = 5

// text describes the mistake in lines, indented; "" if none is known.
func (e explanation) text(by string) string {
	m := e.mistake
	if m == nil {
		return ""
	}
	var b strings.Builder
	show := func(title, text string) { b.WriteString(by + title + ":\n" + indent(by, text)) }
	if n := len(m.Input); n > 0 && m.InputLine == 0 {
		show("input", clipLines(m.Input))
	} else if n > 0 {
		if first := max(0, n-1-earlierLines); n-1 > first {
			show(fmt.Sprintf("requests before it, from input line %d", m.InputLine-(n-1-first)), clipLines(m.Input[first:n-1]))
		}
		show(fmt.Sprintf("input line %d", m.InputLine), clipLines(m.Input[n-1:]))
	}
	show(fmt.Sprintf("line %d of the output", m.Line), strings.Join(versus(m), "\n"))
	return b.String() + enclosed(howMany(m), by, "\n")
}

// howMany says how many lines are wrong; "" if that is not known.
func howMany(m *protocols.Mistake) string {
	var parts []string
	if m.Wrong > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s wrong or missing", m.Wrong, Plural(m.Lines, "line")))
	}
	if m.Extra > 0 {
		parts = append(parts, Plural(m.Extra, "line")+" too many")
	}
	return strings.Join(parts, ", ")
}

// wideLine is how many characters are shown of a line of input or output.
const wideLine = 100

func clipLines(lines []string) string {
	short := make([]string, len(lines))
	for i, line := range lines {
		short[i], _ = window(line, 0)
	}
	return strings.Join(short, "\n")
}

// versus shows the line expected above the line found, with a mark below the
// first difference.
func versus(m *protocols.Mistake) []string {
	expected, _ := window(m.Expected, m.At)
	found, column := window(m.Found, m.At)
	lines := []string{"expected: " + expected, "found:    " + found}
	if m.At >= 0 {
		lines = append(lines, strings.Repeat(" ", len("found:    ")+column)+"^")
	}
	return lines
}

// window returns the part of a line around a byte, made safe to show, and the
// column of that byte in it.
func window(line string, at int) (text string, column int) {
	runes := []rune(line)
	at = utf8.RuneCountInString(line[:min(max(at, 0), len(line))])
	from := 0
	if at > wideLine*2/3 {
		from = at - wideLine/2
	}
	to := min(len(runes), from+wideLine)
	head := SafeLine(string(runes[from:min(max(at, from), to)])).fit
	text = head + SafeLine(string(runes[min(max(at, from), to):to])).fit
	column = utf8.RuneCountInString(head)
	if from > 0 {
		text, column = "…"+text, column+1
	}
	if to < len(runes) {
		text += "…"
	}
	return text, column
}
