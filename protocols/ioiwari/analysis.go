package ioiwari

import "umpire/protocols"

// Losses in beads, from which a reply is an inaccuracy, a mistake, a blunder.
var analysis = protocols.Analysis{
	Unit:       "beads",
	Method:     "exact: the rest of the match is solved",
	Scores:     true,
	Inaccuracy: 1, Mistake: 3, Blunder: 6,
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
	for i, beads := range m.board {
		if beads == 0 {
			continue
		}
		after := m.board
		own, other := after.Sow(i + 1)
		values = append(values, protocols.Value{
			Reply: digit[i : i+1],
			Value: float64(margin + own - other - m.solver.value(after)),
			Line:  m.solver.line(after),
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
