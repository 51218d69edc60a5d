package cli

import (
	"context"
	"slices"

	"umpire/referee"
	"umpire/referee/arena"
)

// expectFixed sends the bot all that the seat was sent, whatever it replies, and
// expects that it no longer does what it did: where the seat failed, that it
// does not fail, neither there nor before; where it did not, that it replies
// otherwise and does not fail.
func (s *reproduction) expectFixed(ctx context.Context) error {
	said := s.transcript()
	all, usage, err := arena.Reproduce(ctx, s.player, referee.Reproduction{
		Setup: s.setup, Events: s.events, Seat: s.seat, Through: true, Sent: said.Sent,
		Compared: func(c referee.Compared) { said.Reply(c.Live) },
	})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return usagef("record %s: seat %d owed no reply in this match, so there is nothing to be fixed", s.record.ID, s.seat)
	}
	shown := all[len(all)-1] // the last, at which it failed or fails
	first := shown
	if i := slices.IndexFunc(all, func(c referee.Compared) bool { return !c.Same() }); i >= 0 {
		first = all[i]
	}
	fixed := shown.LiveKind == "" && usage.Failure == nil
	if fixed && s.wanted() == "" {
		shown, fixed = first, !first.Same()
	}
	if s.c.Bool("json") {
		err = s.view().FixedJSON(all, fixed)
	} else {
		s.view().Fixed(first, shown, s.wanted(), usage, said, fixed)
	}
	if err == nil && !fixed {
		err = errNo
	}
	return err
}
