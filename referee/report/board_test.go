package report_test

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/report"
)

// line is a position of one line, with a piece of seat 2.
type line struct {
	protocols.Match
	text string
}

func (l line) String() string             { return l.text }
func (l line) PieceNames() map[string]int { return map[string]int{"B1": 2} }

// TestBoard: with colours, pieces have those of their seats and what changed is marked; on a
// terminal a position takes the place of the one before, as long as all of that is in view.
func TestBoard(t *testing.T) {
	play := func(p *report.Printer, rows func() int) {
		b := report.Board{Printer: p, Bots: []string{"a"}, Rows: rows}
		b.Start(line{text: ".. 1 .. 4 B1"})
		b.Watch().Event(referee.Event{Seat: 1, Reply: "x"}, nil, line{text: ".. 2 .. 4 B1"})
		b.Watch().Event(referee.Event{Seat: 1, Reply: "y"}, nil, line{text: "over"})
	}
	var plain, shown, low strings.Builder
	play(report.NewPrinter(&plain), nil)
	if got, want := plain.String(), ".. 1 .. 4 B1\n\nseat 1 a: x (0.000 ms)\n.. 2 .. 4 B1\n\nseat 1 a: y (0.000 ms)\nover\n"; got != want {
		t.Errorf("found %q, expected %q", got, want)
	}
	onTerminal := func(out *strings.Builder) *report.Printer {
		p := report.NewPrinter(out)
		p.Colour, p.Columns = true, func() int { return 20 }
		return p
	}
	play(onTerminal(&shown), func() int { return 5 })
	for _, want := range []string{"4 \x1b[1;34mB1\x1b[0m\n\x1b[1A\x1b[J", "\x1b[7m2\x1b[0m .. 4 ", "\x1b[4A\x1b[J"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("found %q, expected %q in it", shown.String(), want)
		}
	}
	play(onTerminal(&low), func() int { return 4 })
	if strings.Contains(low.String(), "\x1b[4A") {
		t.Errorf("found %q: what has scrolled away can't be replaced", low.String())
	}
}

// TestResultOnTerminal: a terminal shows the winner's name in bold and how long each reply
// took, on one logarithmic scale; others get neither.
func TestResultOnTerminal(t *testing.T) {
	r := record.Record{Seats: []record.Seat{{Bot: "ann", Verdict: "ok", Place: 2}, {Bot: "bob", Verdict: "ok", Place: 1}}}
	for i, us := range []int64{1, 1000, 10_000, 100_000, 1000, 1} {
		r.Events = append(r.Events, record.Event{Seat: 1 + i%2, WallUS: us})
	}
	show := func(columns int, colour bool) string {
		var out strings.Builder
		p := report.NewPrinter(&out)
		if p.Colour = colour; columns > 0 {
			p.Columns = func() int { return columns }
		}
		report.MatchResult(p, r, nil, report.Background{})
		return out.String()
	}
	shown := show(80, true)
	for _, want := range []string{"\x1b[1mbob\x1b[0m", "each reply\n", "▁▇▅\n", "▅█▁\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("found no %q in %q", want, shown)
		}
	}
	if strings.Contains(shown, "\x1b[1mann") {
		t.Errorf("the second is in bold: %q", shown)
	}
	if plain := show(0, false); strings.Contains(plain, "each reply") || strings.Contains(plain, "\x1b") {
		t.Errorf("what is no terminal gets %q", plain)
	}
	r.Seats[0].Place = 1
	if shown := show(80, true); strings.Contains(shown, "\x1b[1m") {
		t.Errorf("of a draw nobody is the winner: %q", shown)
	}
}
