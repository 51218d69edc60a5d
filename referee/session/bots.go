package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/keys"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/report"
)

// BotError is an error about a bot, which another version of it may not have.
type BotError struct{ error }

func (e *BotError) Unwrap() error { return e.error }

// Resolve makes a bot of an entrant: a player from outside, or a program.
func Resolve(ctx context.Context, programs program.Resolver, e program.Entrant) (program.Bot, error) {
	if !e.IsGuest() {
		return programs.Resolve(ctx, e)
	}
	if err := keys.Player.CheckName(e.Guest); err != nil {
		return program.Bot{}, fmt.Errorf("bot %q: %w", e.What, err)
	}
	return program.Bot{
		Name: record.BotName(cmp.Or(e.Name, e.Guest)), Entrant: e, Digest: remote.Digest(e.Kind, e.Guest), Kind: e.Kind, Guest: e.Guest,
	}, nil
}

// check finds what is wrong with an entrant, without compiling anything: see
// program.Resolver.Check.
func check(ctx context.Context, programs program.Resolver, e program.Entrant) error {
	if e.IsGuest() {
		_, err := Resolve(ctx, programs, e)
		return err
	}
	return programs.Check(ctx, e)
}

// ResolveAll makes bots of entrants. All are checked before one is compiled: if a bot can't be found, the error names all such
// bots. Those that can't be compiled or judged are told of, if tell is not nil, and
// take part.
func ResolveAll(ctx context.Context, programs program.Resolver, entrants []program.Entrant, tell func(program.Bot)) ([]program.Bot, error) {
	bots, resolved := make([]program.Bot, len(entrants)), make([]bool, len(entrants))
	all := func(resolve func(program.Entrant) (program.Bot, error)) error {
		errs := make([]error, len(entrants))
		err := each(ctx, runtime.NumCPU(), len(entrants), func(_ context.Context, i int) error {
			if !resolved[i] {
				bots[i], errs[i] = resolve(entrants[i])
			}
			return nil
		})
		if err != nil {
			return err
		}
		var refused []error
		for i, err := range errs {
			switch broken, ok := errors.AsType[*program.BrokenError](err); {
			case ok:
				bots[i], resolved[i] = broken.Bot, true
				if tell != nil {
					tell(bots[i])
				}
			case errors.As(err, new(*build.CacheError)): // of each, but no bot's
				return err
			case err != nil:
				refused = append(refused, err)
			}
		}
		return Mistaken(errors.Join(refused...))
	}
	err := all(func(e program.Entrant) (program.Bot, error) { return program.Bot{}, check(ctx, programs, e) })
	if err == nil {
		err = all(func(e program.Entrant) (program.Bot, error) { return Resolve(ctx, programs, e) })
	}
	return bots, err
}

// each calls do for each of n things, so many at a time. An error ends ctx for the others.
func each(ctx context.Context, limit, n int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(limit)
	for i := range n {
		group.Go(func() error { return referee.Guard(func() error { return do(ctx, i) }) })
	}
	return group.Wait()
}

// aboutBot marks an error as one about a bot; nil stays nil.
func aboutBot(err error) error {
	if err == nil {
		return nil
	}
	return &BotError{err}
}

// Broken returns an error that names all bots that can't be compiled or started;
// nil if there are none.
func Broken(bots []program.Bot) error {
	var errs []error
	for _, bot := range bots {
		if bot.Broken != "" {
			errs = append(errs, mistakef("bot %q: %s", bot.Entrant.Label, bot.Broken))
		}
	}
	return aboutBot(Mistaken(errors.Join(errs...)))
}

// NotJudged returns an error that names all bots that this machine can't judge,
// for want of a language say; nil if there are none.
func NotJudged(bots []program.Bot) error {
	var errs []error
	for _, bot := range bots {
		if bot.Lack != "" {
			errs = append(errs, fmt.Errorf("bot %q: not judged: %s", bot.Entrant.Label, bot.Lack))
		}
	}
	return aboutBot(errors.Join(errs...))
}

// unplayable says, in a line, why a bot can't play here; "" if it can.
func unplayable(bot program.Bot) string {
	switch {
	case bot.Lack != "":
		return "not judged here: " + bot.Lack
	case bot.Broken != "":
		return report.BrokenLine(bot.Broken)
	}
	return ""
}

// able lists the bots that can be compiled and started, here or at a worker.
func able(bots []program.Bot) (list []int) {
	for i, bot := range bots {
		if unplayable(bot) == "" {
			list = append(list, i)
		}
	}
	return list
}

// Playable returns how many of the bots can be compiled and started, here or at a worker.
func Playable(bots []program.Bot) int { return len(able(bots)) }

// noteName tells what a bot is called where another has its name.
func (t Tell) noteName(bot program.Bot, called string) {
	t.Note("notice: %s is called %s, since another bot has its name\n", bot.Entrant.Label, called)
}

// noteUnplayable tells, in a line, of a bot that takes part but can't play.
func (t Tell) noteUnplayable(bot program.Bot) {
	t.Note("notice: bot %q: %s\n", bot.Entrant.Label, unplayable(bot))
}
