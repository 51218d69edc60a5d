package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// withoutKind returns a failure's detail as it stands behind the failure's kind.
func withoutKind(detail, kind string) string { return strings.TrimPrefix(detail, kind+" ") }

// move describes what a seat did: its reply, or how it failed.
func (p *Printer) move(e referee.Event, foul *protocols.Foul) Text {
	if e.Fail != nil && e.Fail.Detail == protocols.Left {
		return Textf("%s", p.Style(Red, referee.Verdict(e.Fail.Kind).Word(e.Fail.Detail)))
	}
	if e.Fail != nil {
		return Textf("%s %s", p.Style(Red, e.Fail.Kind), withoutKind(e.Fail.Detail, string(e.Fail.Kind)))
	}
	reply := strings.TrimRight(e.Reply, "\n")
	if n := strings.Count(reply, "\n"); n > 0 {
		reply = fmt.Sprintf("%d lines", n+1)
	}
	text := Textf("%s (%s)", shorten(reply), millis(e.Wall))
	if foul != nil {
		text = Textf("%s %s %s", text, p.Style(Red, "foul"), foul.Reason)
	}
	return text
}

// verdictColour is the colour of a verdict.
func verdictColour(verdict string) Colour {
	if verdict == string(referee.OK) {
		return Green
	}
	return Red
}

// verdictWord is a seat's verdict as people read it.
func verdictWord(s record.Seat) string { return referee.Verdict(s.Verdict).Word(s.Detail) }

// MatchResult prints how a match ended, as a table.
func MatchResult(p *Printer, r record.Record, games []protocols.Game, about Background) {
	if r.Error != "" {
		p.Say("%s\n", r.NoResult())
		return
	}
	p.Table(p.resultTable(r))
	for i, s := range r.Seats {
		if word := verdictWord(s); word != s.Verdict {
			p.Say("seat %d %s %s\n", i+1, SafeLine(s.Bot), word)
		} else if s.Verdict != string(referee.OK) {
			p.Say("seat %d %s: %s: %s\n", i+1, SafeLine(s.Bot), SafeLine(s.Verdict), withoutKind(s.Detail, string(s.Verdict)))
			p.Printf("%s", explain(r, games, i+1).text("  "))
			p.aside("  ", r, i+1, about)
		} else if note := early(s); note != "" {
			p.Say("seat %d %s: note: it %s\n", i+1, SafeLine(s.Bot), note)
		}
	}
}

// resultTable is a row for each seat; on a terminal with the times of its replies.
func (p *Printer) resultTable(r record.Record) Table {
	t := Table{
		Header: []string{"seat", "bot", "verdict", "score", "place", "time", "memory"},
		Right:  []bool{true, false, false, true, true, true, true},
		Spare:  []int{0, 0, 0, 0, 1, 2, 3},
		Shade: func(row, column int) Colour {
			switch {
			case column == 1 && hasWon(r, row):
				return Bold
			case column == 2:
				return verdictColour(verdictWord(r.Seats[row]))
			}
			return ""
		},
		PlainHeader: true,
	}
	drawn := p.replyTimes(r)
	if drawn != nil {
		t.addColumn("each reply", false, 4)
	}
	for i, s := range r.Seats {
		t.Add(i+1, s.Bot, verdictWord(s), s.Score, s.Place, seatTime(&r, i+1), mib(s.PeakBytes))
		if drawn != nil {
			t.Rows[i] = append(t.Rows[i], drawn[i])
		}
	}
	return t
}

// hasWon reports whether a seat, counted from 0, is first and another is not.
func hasWon(r record.Record, seat int) bool {
	return r.Seats[seat].Place == 1 && slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return s.Place > 1 })
}

// replyTimes draws the times of each seat's replies, all on one logarithmic scale; nil if
// the printer is no terminal, or no seat has several.
func (p *Printer) replyTimes(r record.Record) (drawn []string) {
	if p.Columns == nil {
		return nil
	}
	times, several := make([][]float64, len(r.Seats)), false
	low, high := math.Inf(1), math.Inf(-1)
	for _, e := range r.Events {
		if e.Fail == "" && e.Seat >= 1 && e.Seat <= len(times) {
			scale := math.Log(float64(max(1, e.Took())))
			times[e.Seat-1] = append(times[e.Seat-1], scale)
			low, high = min(low, scale), max(high, scale)
			several = several || len(times[e.Seat-1]) > 1
		}
	}
	if !several {
		return nil
	}
	for _, one := range times {
		drawn = append(drawn, p.sparkline(one, low, high, comfortable))
	}
	return drawn
}

// TranscriptText formats lines of a transcript, with an arrow for the direction
// of each.
func TranscriptText(lines []record.Said) string {
	texts := make([]string, len(lines))
	for i, s := range lines {
		arrow := "←"
		if s.Sent {
			arrow = "→"
		}
		texts[i] = arrow + " " + shorten(s.Text)
	}
	return strings.Join(texts, "\n")
}

// Exchange prints every line exchanged in a match, with the time since its
// start according to Clock.
type Exchange struct {
	*Printer
	Case  string
	Bots  []string // by seat
	Clock func() time.Duration
}

// Watch returns a Watcher that prints the lines.
func (x Exchange) Watch() referee.Watcher {
	return referee.Watcher{
		Sent: func(seat int, text string) { x.line(seat, "→", strings.TrimSuffix(text, "\n"), "") },
		Event: func(e referee.Event, foul *protocols.Foul, _ protocols.Match) {
			switch {
			case e.Fail != nil:
				x.line(e.Seat, "←", e.Fail.Error(), "")
			case foul != nil:
				x.line(e.Seat, "←", e.Reply, " (foul: "+foul.Reason+")")
			default:
				x.line(e.Seat, "←", strings.TrimSuffix(e.Reply, "\n"), " ("+millis(e.Wall)+")")
			}
		},
	}
}

func (x Exchange) line(seat int, arrow, text, more string) {
	for part := range strings.SplitSeq(text, "\n") {
		x.Printf("%8.3f %s seat %d %s %s %s%s\n", x.Clock().Seconds(), x.Case, seat, x.Bots[seat-1], arrow, part, more)
	}
}
