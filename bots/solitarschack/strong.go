package solitarschack

import (
	"time"

	"umpire/bots"
	"umpire/bots/solitarschack/planner"
	rules "umpire/protocols/solitarschack"
)

// The strong player keeps so many plans, which takes it a fraction of its
// budget of 2 s; more hardly help. Its clock matters only on a very slow or busy
// machine, where it keeps fewer plans, and in the end rather stops than loses
// all points. Otherwise it plays the same board alike everywhere.
const (
	fullWidth   = 40
	narrowWidth = 8
	fullUntil   = 700 * time.Millisecond
	narrowUntil = 1200 * time.Millisecond
	stopAt      = 1500 * time.Millisecond

	// latency is how much of the time between two of its moves the player
	// supposes to be charged to it: it may have waited for a processor, or for
	// the referee, and can't tell.
	latency = 10 * time.Millisecond
)

// playStrong goes round and round a board of one type where that is possible,
// and plans ahead on all others.
func playStrong(t *bots.Table) error { return playStrongBy(t, time.Now) }

// playStrongBy is playStrong by a clock.
func playStrongBy(t *bots.Table, now func() time.Time) error {
	p, _, err := readBoard(t)
	if err != nil {
		return err
	}
	s := &strong{tour: tourOf(p.Pieces[0]), now: now, idle: now()}
	return play(t, p, s.choose)
}

// strong is the strong player in a match.
type strong struct {
	tour    *tour                 // nil if there is none, or no more
	seen    [rules.Types + 1]bool // types
	group   string                // the smallest group that has these types
	planner *planner.Planner      // for that group
	now     func() time.Time
	spent   time.Duration // of the budget, as far as it can tell
	idle    time.Time     // since when it has not been thinking
}

func (s *strong) choose(p *rules.Position, _ rules.Squares) rules.Square {
	began := s.now()
	s.spent += min(began.Sub(s.idle), latency)
	defer func() {
		s.idle = s.now()
		s.spent += s.idle.Sub(began)
	}()
	if s.spent > stopAt {
		return stop
	}
	if s.tour != nil && alike(p) {
		return s.tour[p.From]
	}
	s.tour = nil
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
	case s.spent < fullUntil:
		return fullWidth
	case s.spent < narrowUntil:
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
