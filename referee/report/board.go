package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee"
)

// Board draws a match as it is played: each position, with who did what and how
// long it took.
type Board struct {
	*Printer
	Bots []string // by seat
	// Rows returns how many lines a terminal has on which each position is drawn in the
	// place of the one before; nil: positions follow each other.
	Rows func() int

	late  bool   // the first position is still to be drawn
	shown string // the position on the terminal
	lines int    // of the terminal that it takes, with the words above it; 0: it can't be replaced
}

// Start draws the first position, or leaves that to the Watcher where only the judge of
// the match knows it.
func (b *Board) Start(at protocols.Match) {
	if b.late = at.String() == ""; !b.late {
		b.draw("", at)
	}
}

// draw draws a position below what led to it.
func (b *Board) draw(what string, at protocols.Position) {
	text := b.Position(b.shown, at).fit + "\n"
	if what != "" {
		text = "\n" + what + "\n" + text
	}
	lines := 0
	if b.Rows != nil {
		for line := range strings.Lines(text) {
			lines += max(1, (Width(uncoloured(strings.TrimSuffix(line, "\n")))+b.room()-1)/max(1, b.room()))
		}
		if b.lines > 0 {
			b.Printf("%s", Text{fmt.Sprintf("\x1b[%dA\x1b[J", b.lines)})
		}
		if lines >= b.Rows() {
			lines = 0 // its beginning is out of reach
		}
	}
	b.Printf("%s", Text{text})
	b.shown, b.lines = at.String(), lines
}

// Watch returns a Watcher that draws the match.
func (b *Board) Watch() referee.Watcher {
	return referee.Watcher{
		Awaited: func(_ []int, m protocols.Match) {
			if b.late {
				b.late = false
				b.draw("", m)
			}
		},
		Event: func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
			b.draw(Textf("%s %s", b.who(e.Seat), b.move(e, foul)).fit, m)
		},
		AutoMove: func(seat int, at protocols.Position) {
			b.draw(Textf("%s not asked, played for it", b.who(seat)).fit, at)
		},
	}
}

func (b *Board) who(seat int) Text {
	return b.Style(Bold, Textf("seat %d %s:", seat, SafeLine(b.Bots[seat-1])))
}

// seatColours are those of pieces, by seat.
var seatColours = []Colour{"1;31", "1;34", "1;32", "1;33"}

// reversed marks what a move has changed.
const reversed Colour = "7"

// Position is a position as text, whose sentences fit the terminal. With colours, what
// differs from the text of the one before is marked, and pieces have the colours of their
// seats.
func (p *Printer) Position(before string, at protocols.Position) Text {
	text := Safe(at.String()).fit
	if !p.Colour {
		return Text{say(text, p.room())}
	}
	names := map[string]int{}
	if n, ok := at.(protocols.PieceNamer); ok {
		names = n.PieceNames()
	}
	was, now := strings.Split(Safe(before).fit, "\n"), strings.Split(text, "\n")
	for i := range now {
		old := ""
		if len(was) == len(now) {
			old = was[i]
		}
		now[i] = paint(now[i], old, names)
	}
	return Text{say(strings.Join(now, "\n"), p.room())}
}

// paint colours a line of a position.
func paint(line, before string, names map[string]int) string {
	now, was := []rune(line), []rune(before)
	styles := make([]string, len(now))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for from := 0; ; from += len(name) {
			i := strings.Index(line[from:], name)
			if i < 0 {
				break
			}
			from += i
			start := utf8.RuneCountInString(line[:from])
			for n := range utf8.RuneCountInString(name) {
				styles[start+n] = string(seatColours[(names[name]-1)%len(seatColours)])
			}
		}
	}
	if changed := changes(now, was); changed != nil {
		for i := range now {
			if changed[i] {
				styles[i] = strings.TrimPrefix(styles[i]+";"+string(reversed), ";")
			}
		}
	}
	var out strings.Builder
	for i := 0; i < len(now); {
		end := i + 1
		for end < len(now) && styles[end] == styles[i] {
			end++
		}
		part := string(now[i:end])
		if styles[i] != "" {
			part = "\x1b[" + styles[i] + "m" + part + "\x1b[0m"
		}
		out.WriteString(part)
		i = end
	}
	return out.String()
}

// changes says which characters of a line differ from the one before; nil if the lines are
// not the same picture, being of different lengths or mostly different.
func changes(now, was []rune) []bool {
	if len(now) != len(was) {
		return nil
	}
	changed, n, all := make([]bool, len(now)), 0, 0
	for i, c := range now {
		if c == ' ' {
			continue
		}
		all++
		if changed[i] = c != was[i]; changed[i] {
			n++
		}
	}
	if 2*n > all {
		return nil
	}
	return changed
}
