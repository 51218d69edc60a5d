package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/cli/shell"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/settings"
)

// resolve makes a bot of what the user named: a player from outside, or a
// program.
func resolve(ctx context.Context, programs program.Resolver, e program.Entrant) (program.Bot, error) {
	if !e.IsGuest() {
		return programs.Resolve(ctx, e)
	}
	if err := remote.CheckName(e.Guest); err != nil {
		return program.Bot{}, fmt.Errorf("bot %q: %w", e.What, err)
	}
	return program.Bot{
		Name: cmp.Or(e.Name, e.Guest), Entrant: e, Digest: remote.Digest(e.Kind, e.Guest), Kind: e.Kind, Guest: e.Guest,
	}, nil
}

// checkGuest checks that a player from outside can play under the session's
// conditions.
func (s *session) checkGuest(bot program.Bot) error {
	if _, err := listenConfig(s.c); err != nil {
		return err
	}
	if _, _, err := waitingTimes(s.c); err != nil {
		return err
	}
	if path := s.c.String("players"); path != "" {
		if _, err := remote.OpenKeys(path); err != nil {
			return usage(err)
		}
	}
	for _, c := range s.set.Cases {
		if s.limits(c.Case, s.game.MaxSeats).CPU {
			return usagef("--clock cpu: the CPU time of %s can't be measured", bot.Entrant.Label)
		}
		if bot.Kind == remote.Human && isBatch(c, s.game.MaxSeats) {
			return usagef("bot %q: case %s is a batch task, which is for programs", bot.Entrant.Label, c.Name)
		}
	}
	return nil
}

// hasGuests reports whether a player from outside takes part.
func (s *session) hasGuests() bool {
	return slices.ContainsFunc(append(slices.Clone(s.bots), s.house), func(b program.Bot) bool { return b.Kind != "" })
}

// duration returns the value of a duration flag.
func duration(c *cli.Context, set settings.Setting) (time.Duration, error) {
	d, err := settings.ParseDuration(c.String(set.Name))
	if err != nil {
		return 0, usagef("%s: %w", set.Flag(), err)
	}
	return d, nil
}

// recordLimits returns the limits of a match on a case, in the record's form.
func (s *session) recordLimits(c cases.Case, seats int) record.Limits {
	l := record.NewLimits(s.limits(c.Case, seats), s.pondering)
	if s.hasGuests() {
		l.GraceUS = s.grace.Microseconds()
	}
	return l
}

// player makes a player of a bot.
func (s *session) player(bot program.Bot) referee.Player {
	if bot.Kind == "" {
		return s.program(bot)
	}
	p := remote.Player{Kind: bot.Kind, Guest: bot.Guest, Name: bot.Name, Label: bot.Entrant.Label}
	if s.keyboard != nil {
		return s.keyboard.Player(p)
	}
	if s.guests != nil {
		p.Hub = s.guests.hub
	}
	return p
}

// openKeyboard returns the keyboard for the session's people; nil where they play
// in a browser: without a terminal, beside remote players, or with --listen.
func (s *session) openKeyboard() *shell.Keyboard {
	people := func(b program.Bot) bool { return b.Kind == remote.Human }
	others := func(b program.Bot) bool { return b.Kind == remote.Program }
	if s.c.IsSet("listen") || !slices.ContainsFunc(s.bots, people) || slices.ContainsFunc(s.bots, others) ||
		!term.IsTerminal(int(os.Stdin.Fd())) || s.err.Columns == nil { // the prompts would not be seen
		return nil
	}
	return shell.NewKeyboard(s.in, s.err)
}

// hosted makes a record that was written known to players from outside and
// onlookers, once it can't be lost; line is nil where records are not kept.
func (s *session) hosted(r record.Record, line []byte, err error) error {
	if err != nil || s.guests == nil {
		return err
	}
	if line == nil {
		line, err = json.Marshal(r)
	} else if s.fleet == nil { // nobody waits for the match's end
		err = s.writer.Sync()
	}
	if err != nil {
		return err
	}
	return s.guests.archive.Add(r, line)
}
