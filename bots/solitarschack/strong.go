package solitarschack

import (
	"time"

	"umpire/bots"
	"umpire/bots/solitarschack/planner"
	rules "umpire/protocols/solitarschack"
)

// The strong player keeps so many plans, which takes it a fraction of its
// budget of 2 s; more hardly help. Its clock matters only on a very slow or busy
// machine, where it keeps fewer plans to be done in time. Otherwise it plays the
// same board alike everywhere.
const (
	fullWidth   = 60
	narrowWidth = 8
	fullUntil   = 1000 * time.Millisecond // of thinking
	narrowUntil = 1500 * time.Millisecond
)

// playStrong goes round and round a board of one type where that is possible,
// and plans ahead on all others.
func playStrong(t *bots.Table) error {
	p, _, err := readBoard(t)
	if err != nil {
		return err
	}
	s := &strong{tour: tourOf(p.Pieces[0])}
	return play(t, p, s.choose)
}

// strong is the strong player in a match.
type strong struct {
	tour    *tour                 // nil if there is none, or no more
	seen    [rules.Types + 1]bool // types
	group   string                // the smallest group that has these types
	planner *planner.Planner      // for that group
	thought time.Duration
}

func (s *strong) choose(p *rules.Position, _ rules.Squares) rules.Square {
	if s.tour != nil && alike(p) {
		return s.tour[p.From]
	}
	s.tour = nil
	began := time.Now()
	defer func() { s.thought += time.Since(began) }()
	s.prepare(p)
	state := s.planner.State(p)
	return s.planner.Plan(&state, s.width()).First
}

// prepare sees to it that there is a planner for the types on the board.
func (s *strong) prepare(p *rules.Position) {
	for _, piece := range p.Pieces {
		s.seen[piece] = true
	}
	if group := planner.Group(s.seen); group != s.group {
		s.group = group
		s.planner = planner.For(group)
	}
}

func (s *strong) width() int {
	switch {
	case s.thought < fullUntil:
		return fullWidth
	case s.thought < narrowUntil:
		return narrowWidth
	}
	return 1
}

// alike reports whether all pieces in sight are of the type removed last, or of
// any one type at the start.
func alike(p *rules.Position) bool {
	first := p.Tally.Last()
	for _, piece := range p.Pieces {
		if first == rules.Blank {
			first = piece
		}
		if piece != rules.Blank && piece != first {
			return false
		}
	}
	return true
}
