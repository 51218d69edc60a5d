package talk

import (
	"context"
	"errors"

	"umpire/protocols"
)

// silent is no judge.
type silent struct{}

func (silent) Hear(context.Context, string, func(string) bool) error { return errSilent }

var errTalkEnds = errors.New("the talk ends here")

// script says what is recorded.
type script struct {
	lines []string
	next  int
}

func (s *script) Hear(_ context.Context, _ string, say func(string) bool) error {
	for s.next < len(s.lines) {
		s.next++
		if say(s.lines[s.next-1]) {
			return nil
		}
	}
	return errTalkEnds
}

// Follower returns the match from its start on, for an onlooker who plays its events
// again as they come; it must have begun. What the judge has said to them is there by then.
func (m *Match) Follower() protocols.Match {
	f := NewMatch(m.facts, m.seats, &onlooker{of: m})
	f.begin()
	return f
}

// onlooker says what the judge of a match that goes on has said.
type onlooker struct {
	script
	of *Match
}

func (o *onlooker) Hear(ctx context.Context, to string, say func(string) bool) error {
	o.of.mu.Lock()
	o.lines = o.of.talk
	o.of.mu.Unlock()
	return o.script.Hear(ctx, to, say)
}
