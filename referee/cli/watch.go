package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"umpire/referee/program"
	"umpire/referee/session"
)

// watchTest tests a bot, and again whenever what its digest covers has changed,
// until it is interrupted. A change breaks off the test that it overtakes.
func watchTest(a *app, c *cli.Context) error {
	if c.IsSet("o") {
		return usagef("--watch: can't be combined with -o: the folder would hold the results of different versions of the bot")
	}
	w := newWatch(c)
	if err := w.Look(c.Context); err != nil {
		return usagef("--watch: %w", err)
	}
	if c.NArg() == 2 && len(w.Names) == 0 {
		return usagef("--watch: %s has no files here that could change", c.Args().Get(1))
	}
	for first := true; ; first = false {
		ctx, cancel := context.WithCancelCause(c.Context)
		var watching errgroup.Group
		watching.Go(func() error {
			err := w.Changed(ctx)
			cancel(session.ErrChanged)
			return err
		})
		a.clear(c)
		one := *c
		one.Context = ctx
		err := runTest(a, &one)
		switch {
		case context.Cause(ctx) != nil: // it is over, or begins again
		case first && isUsage(err) && !errors.As(err, new(*session.BotError)):
			cancel(nil)
			_ = watching.Wait()
			return err
		default:
			a.code(err)
			a.note("umpire: waiting for a change of %s; Ctrl-C ends\n", strings.Join(w.Names, ", "))
		}
		if err := watching.Wait(); err != nil {
			a.stopSaid = true // by the test, or it is what the user wanted
			return err
		}
	}
}

// clear clears the screen, if the result is shown on one.
func (a *app) clear(c *cli.Context) {
	if a.onScreen() && !c.Bool("json") {
		a.printf("\x1b[H\x1b[2J")
	}
}

// newWatch watches what a test depends on.
func newWatch(c *cli.Context) *session.Watch {
	w := &session.Watch{Entrants: program.ParseEntrants("", c.Args().Tail())}
	if c.IsSet("against") {
		w.Entrants = append(w.Entrants, program.ParseEntrant("", c.String("against")))
	}
	for _, name := range []string{"case", "cases", "languages"} {
		if file := c.String(name); c.IsSet(name) && program.Exists(file) {
			w.Files = append(w.Files, file)
		}
	}
	return w
}
