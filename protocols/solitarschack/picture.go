package solitarschack

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
)

// String is the board with colours, the last removal and the reachable squares
// marked, and the score with its parts.
func (m *match) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, m.event())
	m.drawBoard(&b)
	b.WriteString("b bronze, s silver, g gold; [x] is where the last removal was, (x) can be reached\n")
	m.drawSequence(&b)
	what := "score"
	if m.failure != nil {
		what = "score 0, lost"
	}
	bonus := m.Tally.Bonus
	fmt.Fprintf(&b, "%s %d = %d removals + %d runs + %d digit sets + %d piece sets + %d alternating",
		what, m.Tally.Score(), m.Tally.Removals, bonus.Runs, bonus.Digits, bonus.Pieces, bonus.Alternating)
	return b.String()
}

// points is a score in words.
func points(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}

// event describes the effect of the last reply in one line.
func (m *match) event() string {
	switch {
	case m.failure != nil && m.failure.Detail == protocols.Left:
		return "seat 1 resigned: 0 points"
	case m.failure != nil:
		return fmt.Sprintf("seat 1 failed (%v): 0 points", m.failure)
	case m.ended:
		return "seat 1 ended the match with " + points(m.score())
	case m.Tally.Removals == 0:
		return "start: any square may be removed first"
	}
	line := fmt.Sprintf("seat 1 removed %v, %v, at %v: 1 point%s; ",
		m.Tally.Last(), m.Colours[m.From]-1, m.From, m.gains())
	if next := m.Pieces[m.From]; next != board.Blank {
		line += fmt.Sprintf("%v, %v, appeared", next, m.Colours[m.From])
	} else {
		line += "the square is empty"
	}
	if m.Reachable() == 0 {
		line += "; no square can be reached"
	}
	return line
}

// gains lists the bonus of the last removal.
func (m *match) gains() string {
	before, after := m.gained.Bonus, m.Tally.Bonus
	out := ""
	for _, gain := range []struct {
		points int
		what   string
	}{
		{after.Runs - before.Runs, "a run"},
		{after.Digits - before.Digits, "a digit set"},
		{after.Pieces - before.Pieces, "a piece set"},
		{after.Alternating - before.Alternating, "alternating sets"},
	} {
		if gain.points > 0 {
			out += fmt.Sprintf(", %d for %s", gain.points, gain.what)
		}
	}
	return out
}

// cell is the width of a square in the picture.
const cell = 6

func (m *match) drawBoard(b *strings.Builder) {
	line := " "
	for column := 1; column <= board.Side; column++ {
		line += fmt.Sprintf("%*d", cell, column)
	}
	b.WriteString(line + "\n")
	var reachable board.Squares
	if !m.ended {
		reachable = m.Reachable()
	}
	for row := 1; row <= board.Side; row++ {
		line = fmt.Sprintf("%d ", row)
		for column := 1; column <= board.Side; column++ {
			line += m.drawSquare(board.At(row, column), reachable)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (m *match) drawSquare(s board.Square, reachable board.Squares) string {
	text := "."
	if p := m.Pieces[s]; p != board.Blank {
		text = shorts[p] + string(m.Colours[s].Letter())
	}
	left, right := " ", " "
	switch {
	case m.Tally.Removals > 0 && s == m.From:
		left, right = "[", "]"
	case reachable.Has(s):
		left, right = "(", ")"
	}
	return fmt.Sprintf("%*s", cell, left+text+right)
}

// shorts are the types as the picture writes them.
var shorts = [board.Types + 1]string{".", "1", "2", "3", "4", "to", "lo", "da", "sp"}

// shown is the number of removed types that the picture lists.
const shown = 12

func (m *match) drawSequence(b *strings.Builder) {
	sequence := m.sequence[:m.Tally.Removals]
	b.WriteString("removed:")
	if len(sequence) > shown {
		sequence = sequence[len(sequence)-shown:]
		b.WriteString(" …")
	}
	for _, p := range sequence {
		b.WriteString(" " + p.String())
	}
	b.WriteByte('\n')
}
