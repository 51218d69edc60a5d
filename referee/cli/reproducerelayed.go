package cli

import (
	"context"
	"errors"

	"umpire/referee"
	"umpire/referee/external"
	"umpire/referee/report"
)

// checkRelayed refuses what can't be asked of a match of a problem package.
func (s *reproduction) checkRelayed() error {
	switch called := s.record.Called(); {
	case s.c.Bool("shrink"):
		return usagef("--shrink: record %s is of a problem package, whose judge answers to all that it has heard", called)
	case s.c.IsSet("seat") && s.c.Int("seat") != 1:
		return usagef("--seat: found %d, expected 1: a match of a problem package has one seat", s.c.Int("seat"))
	case len(s.record.Seats) != 1:
		return usagef("record %s is not valid: seats: found %d, expected 1", called, len(s.record.Seats))
	case s.bot == "":
		return usagef("record %s names bot %q and not its file, expected `umpire reproduce FILE BOT`", called, s.record.Seats[0].Bot)
	}
	return nil
}

// relayed has the bot hear what the judge of a problem package said.
func (s *reproduction) relayed(ctx context.Context) error {
	seen, err := s.record.Seen()
	if err != nil {
		return err
	}
	verdict := referee.Verdict(s.record.Seats[0].Verdict)
	fixed := s.c.Bool("expect-fixed")
	failed := verdict != referee.OK && verdict != referee.Wrong
	out, err := external.Reproduction{
		Seen: seen, Limits: s.setup.Limits, Through: fixed && failed,
		Seat: func(ctx context.Context) (referee.Contestant, error) {
			return s.player.Sit(ctx, referee.Seating{Game: s.record.Game, Seat: 1, Seats: 1, Limits: s.setup.Limits})
		},
	}.Run(ctx)
	if errors.Is(err, external.ErrSilent) || errors.Is(err, external.ErrFIFOs) || errors.Is(err, external.ErrSeveral) || errors.Is(err, external.ErrCut) {
		return usagef("record %s can't be reproduced: %w; to play it again: umpire match PACKAGE %s --case %s", s.record.Called(), err, quote(s.bot), quote(s.record.Case.Name))
	}
	if err != nil {
		return err
	}
	recorded, now, end := out.Words()
	view := report.RelayedReproduction{
		Reproduction: s.view(), Lines: out.Lines, Same: out.Same, Recorded: recorded, Now: now, End: end, Seen: out.Seen, Usage: out.Usage,
	}
	no := !out.Same
	if fixed {
		view.Fixed = !out.Failed && (failed || !out.Same)
		view.AskedFixed, no = true, !view.Fixed
	}
	if s.c.Bool("json") {
		err = view.JSON()
	} else {
		view.Print()
	}
	if err == nil && no {
		err = errNo
	}
	return err
}
