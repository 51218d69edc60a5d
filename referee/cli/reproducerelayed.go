package cli

import (
	"cmp"
	"context"
	"errors"

	"umpire/referee"
	"umpire/referee/external"
	"umpire/referee/report"
	"umpire/referee/session"
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
	}
	return nil
}

// findPackage finds the problem package of the record: in --game or, without that, where
// it was in the last test, if it is still the same.
func (s *reproduction) findPackage(machine *session.Machine, from source) error {
	dir := s.c.String("game")
	if !s.record.IsRelayed() {
		if dir != "" {
			return usagef("--game: record %s is of no problem package, and says itself what its bots were sent", s.record.Called())
		}
		return nil
	}
	given := dir != ""
	if !given {
		dir, s.app.umpire.Reading.Format = from.last.Package["game"], from.last.Package["format"]
	}
	if dir == "" {
		return nil
	}
	p, err := s.app.umpire.ProblemOf(s.c.Context, machine, dir, s.record)
	switch {
	case err == nil:
		s.problem = p
	case !given && isUsage(err):
		return nil // it is not what the record is about
	}
	return err
}

// own is the folder of the bot's own files; "": it has none.
func (s *reproduction) own() string {
	if s.player.Program == nil {
		return ""
	}
	return s.player.Program.Dir
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
		Seen: seen, Limits: s.setup.Limits, Through: fixed && failed, Problem: s.problem, Case: s.setup.Case, Own: s.own(),
		Seat: func(ctx context.Context, given referee.Given) (referee.Contestant, error) {
			return s.player.Sit(ctx, referee.Seating{Game: s.record.Game, Seat: 1, Seats: 1, Limits: s.setup.Limits, Given: given})
		},
	}.Run(ctx)
	switch {
	case errors.Is(err, external.ErrNoPackage):
		return usagef("record %s can't be reproduced: %w: expected --game DIR, the folder or archive of %s", s.record.Called(), err, s.record.Game)
	case errors.Is(err, external.ErrSilent), errors.Is(err, external.ErrNoProcess), errors.Is(err, external.ErrCut):
		return usagef("record %s can't be reproduced: %w; to play it again: umpire match PACKAGE %s --case %s", s.record.Called(), err, quote(s.bot), quote(s.record.Case.Name))
	case err != nil:
		return err
	}
	recorded, now, end := out.Words()
	view := report.RelayedReproduction{
		Reproduction: s.view(), Lines: out.Lines, Same: out.Same, Process: out.Process, Recorded: recorded, Now: now, End: end,
		Seen: out.Seen, Usage: out.Usage,
	}
	well := out.Same
	if fixed {
		view.Fixed = !out.Failed && (failed || !out.Same)
		view.AskedFixed, well = true, view.Fixed
	}
	if s.c.Bool("json") {
		err = view.JSON()
	} else {
		view.Print()
	}
	return cmp.Or(err, yes(well))
}
