package ioiwari

import (
	"math"

	"umpire/protocols"
)

// spread is how far a lead at the end of perfect play is off, in beads, for the root of
// each bead on the board but one. It is fitted to the 9,964 replies of the built-in bots in
// 1,200 matches on drawn boards; go run ./scripts/correlation -n 200 ioiwari fits it again.
const spread = 0.52

var analysis = protocols.Analysis{
	Unit:   "beads",
	Method: "exact: the rest of the match is solved",
	Scores: true,
	Results: "the logistic curve of the value over the root of the number of beads on the board, " +
		"fitted to matches of the built-in bots",
}

// Values solves the match for each pit that is not empty.
func (m *match) Values(seat int) (values []protocols.Value, exact bool) {
	if m.over || seat != m.turn+1 {
		return nil, true
	}
	if m.solver == nil {
		m.solver = new(Solver)
	}
	margin := m.banks[m.turn] - m.banks[1-m.turn]
	off := spread * math.Sqrt(float64(m.board.Beads()-1)) // each reply takes one or more
	for i, beads := range m.board {
		if beads == 0 {
			continue
		}
		after := m.board
		own, other := after.Sow(i + 1)
		lead := float64(margin + own - other - m.solver.value(after))
		values = append(values, protocols.Value{
			Reply:  digit[i : i+1],
			Value:  lead,
			Result: protocols.ExpectedResult(lead, off),
			Line:   m.solver.line(after),
		})
	}
	return values, true
}

// line is optimal play from a board to the end.
func (s *Solver) line(b Board) (pits []string) {
	for {
		pit, _ := s.Best(b)
		if pit == 0 {
			return pits
		}
		pits = append(pits, digit[pit-1:pit])
		b.Sow(pit)
	}
}
