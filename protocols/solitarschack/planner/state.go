package planner

import (
	rules "umpire/protocols/solitarschack/board"
)

// cell is a plan's knowledge of a square: 0 for nothing left, 1 to 24 for a
// visible piece, by colour and then by type, and the two hidden ones.
type cell uint8

const (
	hiddenSilver cell = 25
	hiddenGold   cell = 26
	cells             = 27
)

func visible(p rules.Piece, c rules.Colour) cell {
	if p == rules.Blank {
		return 0
	}
	return cell(c)*rules.Types + cell(p)
}

// piece is the type of a visible piece.
func (c cell) piece() rules.Piece { return rules.Piece((c-1)%rules.Types) + rules.One }

// colour is the colour of any piece, hidden ones too.
func (c cell) colour() rules.Colour {
	if c >= hiddenSilver {
		return rules.Colour(c-hiddenSilver) + rules.Silver
	}
	return rules.Colour((c - 1) / rules.Types)
}

// below is the cell under a piece of a colour.
func below(c rules.Colour) cell {
	switch c {
	case rules.Bronze:
		return hiddenSilver
	case rules.Silver:
		return hiddenGold
	}
	return 0
}

// State is a position, with pieces in it that are not known yet.
type State struct {
	Occupied rules.Squares // squares with a piece left
	Hidden   rules.Squares // squares of Occupied whose piece is not known
	Score    int32
	Sequence Sequence
	Moves    int16
	From     rules.Square // square of the last removal
	Last     rules.Piece  // type removed last, Blank at the start
	cells    [rules.Area]cell
}

// State returns the position p, with everything visible known.
func (pl *Planner) State(p *rules.Position) State {
	s := State{
		Occupied: p.Occupied(),
		Score:    int32(p.Tally.Score()),
		Sequence: pl.points.number[p.Tally.Canonical()],
		Moves:    int16(p.Tally.Removals),
		From:     p.From,
		Last:     p.Tally.Last(),
	}
	for q, piece := range p.Pieces {
		s.cells[q] = visible(piece, p.Colours[q])
	}
	return s
}

// Reachable returns the squares that may be removed next.
func (s *State) Reachable() rules.Squares { return rules.Reach(s.Last, s.From) & s.Occupied }

// Forget hides the piece on q, as if it had only just appeared. Bronze and
// empty squares stay unchanged.
func (s *State) Forget(q rules.Square) {
	if c := s.cells[q]; c != 0 && c.colour() != rules.Bronze {
		s.cells[q] = below(c.colour() - 1)
		s.Hidden |= 1 << q
	}
}

// hide removes the visible piece on q. The piece that appears there is hidden.
func (s *State) hide(q rules.Square, t *points) {
	piece := s.cells[q].piece()
	s.take(q)
	s.count(piece, t)
}

// take removes the piece on q without counting it.
func (s *State) take(q rules.Square) {
	s.cells[q] = below(s.cells[q].colour())
	if s.cells[q] != 0 {
		s.Hidden |= 1 << q
	} else {
		s.Hidden &^= 1 << q
		s.Occupied &^= 1 << q
	}
	s.From = q
	s.Moves++
}

// count counts the removal of a piece.
func (s *State) count(piece rules.Piece, t *points) {
	s.Score += t.gain[s.Sequence][piece]
	s.Sequence = t.next[s.Sequence][piece]
	s.Last = piece
}
