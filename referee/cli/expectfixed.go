package cli

import (
	"context"
	"slices"

	"umpire/referee"
	"umpire/referee/arena"
)

// expectFixed expects that the bot no longer does what it did. Where the seat
// failed, the bot is sent all that the seat was sent, whatever it replies, and
// must not fail, neither there nor before; where the seat did not fail, the bot
// must reply otherwise, and not fail with that.
func (s *reproduction) expectFixed(ctx context.Context) error {
	said := s.transcript()
	all, usage, err := arena.Reproduce(ctx, s.player, referee.Reproduction{
		Setup: s.setup, Events: s.events, Seat: s.seat, Through: s.wanted() != "", Sent: said.Sent,
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
	fixed := shown.LiveKind == "" && usage.Failure == nil && (s.wanted() != "" || !first.Same())
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
