package solitarschack

import (
	"time"

	"umpire/bots"
	rules "umpire/protocols/solitarschack/board"
	"umpire/protocols/solitarschack/planner"
)

// The strong player keeps this many plans, which takes a fraction of its budget
// of 2 s; more hardly help. Its clock matters only on a very slow or busy
// machine, where it keeps fewer plans, and in the end stops rather than lose
// all points. Otherwise it plays the same board in the same way everywhere.
const (
	fullWidth   = 40
	narrowWidth = 8
	fullUntil   = 700 * time.Millisecond
	narrowUntil = 1200 * time.Millisecond
	stopAt      = 1500 * time.Millisecond

	// latency is how much of the time between two of its moves the player assumes
	// is charged to it: it may have waited for a processor, or for the
	// referee, and can't tell.
	latency = 10 * time.Millisecond
)

// playStrong tours a board of one type again and again where that is possible,
// and plans ahead on all others.
func playStrong(t *bots.Table) error { return playStrongBy(t, time.Now) }

// playStrongBy is playStrong with a given clock.
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
	tour    *tour                 // nil if there is none, or no longer
	seen    [rules.Types + 1]bool // the types seen
	group   string                // the smallest group that has these types
	planner *planner.Planner      // for that group
	now     func() time.Time
	spent   time.Duration // time spent of the budget, as far as the player can tell
	idle    time.Time     // when the player last stopped thinking
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

// prepare makes sure that there is a planner for the types on the board.
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
