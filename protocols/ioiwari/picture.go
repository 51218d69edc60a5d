package ioiwari

import (
	"fmt"
	"strings"
)

// circle is the picture of the board. In it, (1) to (7) stand for the beads in
// the pits, $1 and $2 for those in the banks, and ?1 and ?2 for a mark at the
// seat to move.
const circle = `
               1
              (1)
      7                 2
     (7)               (2)

           ?1seat 1: $1
   6       ?2seat 2: $2       3
  (6)                       (3)

         5           4
        (5)         (4)`

// String draws the pits in their circle, clockwise, with the banks in the
// middle. Its first line describes the last move.
func (m *match) String() string {
	var marks []string
	for i, beads := range m.board {
		marks = append(marks, fmt.Sprintf("(%d)", i+1), fmt.Sprintf("[%d]", beads))
	}
	for i, beads := range m.banks {
		mark := "  "
		if i == m.turn && !m.over {
			mark = "> "
		}
		marks = append(marks, fmt.Sprintf("$%d", i+1), fmt.Sprintf("%2d", beads), fmt.Sprintf("?%d", i+1), mark)
	}
	return m.caption() + "\n" + strings.NewReplacer(marks...).Replace(circle)
}

// caption describes the last move or failure.
func (m *match) caption() string {
	switch {
	case m.failed != "":
		return fmt.Sprintf("Seat %d %s: seat %d wins.", m.turn+1, m.failed, 2-m.turn)
	case m.last.pit == 0:
		return "Seat 1 begins."
	}
	l := m.last
	text := fmt.Sprintf("Seat %d played pit %d and gained %d", l.seat+1, l.pit, l.own)
	if l.other > 0 {
		text += fmt.Sprintf("; %d went to seat %d", l.other, 2-l.seat)
	}
	return text + "." + m.verdict()
}

// verdict describes the end of a match that nobody lost by a failure.
func (m *match) verdict() string {
	switch a, b := m.banks[0], m.banks[1]; {
	case !m.over:
		return ""
	case a > b:
		return fmt.Sprintf(" The board is empty: seat 1 wins by %d to %d.", a, b)
	case a < b:
		return fmt.Sprintf(" The board is empty: seat 2 wins by %d to %d.", b, a)
	default:
		return fmt.Sprintf(" The board is empty: a tie, %d each.", a)
	}
}
