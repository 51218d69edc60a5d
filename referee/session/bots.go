package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/remote"
)

// BotError is an error about a bot, which another version of it may not have.
type BotError struct{ Err error }

func (e *BotError) Error() string { return e.Err.Error() }

func (e *BotError) Unwrap() error { return e.Err }

// Resolve makes a bot of an entrant: a player from outside, or a program.
func Resolve(ctx context.Context, programs program.Resolver, e program.Entrant) (program.Bot, error) {
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

// ResolveAll makes bots of entrants, concurrently since sources are compiled, and
// gives each a name of its own. Those that can't be compiled take part and fail; if
// a bot can't be found, the error names all that are of no use.
func ResolveAll(ctx context.Context, programs program.Resolver, entrants []program.Entrant) ([]program.Bot, error) {
	bots, errs := make([]program.Bot, len(entrants)), make([]error, len(entrants))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, e := range entrants {
		group.Go(func() error {
			return referee.Guard(func() error {
				bots[i], errs[i] = Resolve(ctx, programs, e)
				return nil
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	refused := false
	for i, err := range errs {
		var broken *program.BrokenError
		if errors.As(err, &broken) {
			bots[i] = broken.Bot()
		} else if err != nil {
			refused = true
		}
	}
	if refused {
		return nil, Mistaken(errors.Join(errs...))
	}
	program.UniqueNames(bots)
	return bots, nil
}

// Broken returns an error that names all bots that can't be compiled or started;
// nil if there are none.
func Broken(bots []program.Bot) error {
	var errs []error
	for _, bot := range bots {
		if bot.Broken != "" {
			errs = append(errs, brokenError(bot))
		}
	}
	if errs == nil {
		return nil
	}
	return &BotError{Mistaken(errors.Join(errs...))}
}

func brokenError(bot program.Bot) error { return mistakef("bot %q: %s", bot.Entrant.Label, bot.Broken) }
