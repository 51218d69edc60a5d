package cli

import (
	"errors"

	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// sortOut keeps the bots that can't be compiled, which take part and fail. If a
// bot can't be found, the error names all that are of no use.
func (s *session) sortOut(errs []error) error {
	refused := false
	for i, err := range errs {
		var broken *program.BrokenError
		if errors.As(err, &broken) {
			s.bots[i] = broken.Bot()
		} else if err != nil {
			refused = true
		}
	}
	if refused {
		return usage(errors.Join(errs...))
	}
	return nil
}

// tryBots tries to start the chosen bots. Those that the kernel refuses to
// execute take part and fail, unless they are for other machines and only those
// play; any other error is returned.
func (s *session) tryBots(chosen func(program.Bot) bool) error {
	for i, bot := range s.bots {
		if bot.Broken != "" || !chosen(bot) {
			continue
		}
		if bot.Kind != "" {
			if err := s.checkGuest(bot); err != nil {
				return err
			}
			continue
		}
		switch err := s.tryBot(bot); {
		case errors.Is(err, sandbox.ErrNotExecuted) && s.noJobs() && s.resolver.IsForeign(bot):
		case errors.Is(err, sandbox.ErrNotExecuted):
			s.bots[i].Broken = err.Error()
		case err != nil:
			return usagef("bot %q: %w", bot.Entrant.Label, err)
		}
	}
	return nil
}

// tryBot starts a program as for the first case, and kills it.
func (s *session) tryBot(bot program.Bot) error {
	seating := referee.Seating{Game: s.game.Name, Seat: 1, Seats: s.game.MaxSeats}
	seating.Limits = s.limits(s.set.Cases[0].Case, seating.Seats)
	return s.program(bot).CheckStart(s.c.Context, seating)
}

// brokenBots returns an error that names all bots that can't be compiled or
// started; nil if there are none.
func (s *session) brokenBots() error {
	var errs []error
	for _, bot := range s.bots {
		if bot.Broken != "" {
			errs = append(errs, brokenError(bot))
		}
	}
	if errs == nil {
		return nil
	}
	return &botError{usage(errors.Join(errs...))}
}

func brokenError(bot program.Bot) error { return usagef("bot %q: %s", bot.Entrant.Label, bot.Broken) }

// sayBroken tells the user of the bots that take part only to fail.
func (s *session) sayBroken() {
	if s.c.Bool("quiet") {
		return
	}
	for _, bot := range s.bots {
		if bot.Broken != "" {
			s.note("notice: %s\n%s scores 0 in all its matches, with verdict compile\n", brokenError(bot), bot.Name)
		}
	}
}

// writesResult reports whether the result goes anywhere but to a person.
func (s *session) writesResult(list []export) bool {
	return s.c.Bool("json") || len(list) > 0 || s.c.String("o") != ""
}
