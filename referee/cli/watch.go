package cli

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"umpire/referee/program"
	"umpire/referee/program/build"
)

// errChanged ends a test whose bot has changed meanwhile.
var errChanged = errors.New("the bot has changed")

// watchTest tests a bot, and again whenever what its digest covers has changed,
// until it is interrupted. A change breaks off the test that it overtakes.
func (a *app) watchTest(c *cli.Context) error {
	if c.IsSet("o") {
		return usagef("--watch: can't be combined with -o: the folder would hold the results of different versions of the bot")
	}
	w := newWatch(c)
	if err := w.look(c.Context); err != nil {
		return usagef("--watch: %w", err)
	}
	if c.NArg() == 2 && len(w.contents) == 0 {
		return usagef("--watch: %s has no files here that could change", c.Args().Get(1))
	}
	for first := true; ; first = false {
		ctx, cancel := context.WithCancelCause(c.Context)
		var watching errgroup.Group
		watching.Go(func() error {
			err := w.changed(ctx)
			cancel(errChanged)
			return err
		})
		a.clear(c)
		one := *c
		one.Context = ctx
		err := a.test(&one)
		switch {
		case context.Cause(ctx) != nil: // it is over, or begins again
		case first && isUsage(err):
			cancel(nil)
			_ = watching.Wait()
			return err
		default:
			a.code(err)
			a.note("umpire: waiting for a change of %s; Ctrl-C ends\n", strings.Join(w.names, ", "))
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

// isUsage reports whether an error is about the arguments, and not about a bot,
// which another version of it may not have.
func isUsage(err error) bool {
	var ans *answer
	var ofBot *botError
	return errors.As(err, &ans) && ans.code == exitUsage && !errors.As(err, &ofBot)
}

// watch looks for changes of files. They are compared by what the system says
// of them, and read again only where that differs, so a look costs little.
type watch struct {
	entrants []program.Entrant
	files    []string // other files that the test depends on
	names    []string // what is watched, as the user named it
	contents []*build.Content
}

// lookEvery is how often files are looked at.
const lookEvery = 200 * time.Millisecond

func newWatch(c *cli.Context) *watch {
	w := &watch{entrants: program.ParseEntrants("", c.Args().Tail())}
	if c.IsSet("against") {
		w.entrants = append(w.entrants, program.ParseEntrant("", c.String("against")))
	}
	for _, name := range []string{"case", "cases", "languages"} {
		if file := c.String(name); c.IsSet(name) && exists(file) {
			w.files = append(w.files, file)
		}
	}
	return w
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// look takes what is there as the state to compare with.
func (w *watch) look(ctx context.Context) error {
	var names []string
	var contents []*build.Content
	for _, e := range w.entrants {
		content, err := e.Watched(ctx)
		if err != nil {
			return err
		}
		if content != nil {
			names, contents = append(names, e.Label), append(contents, content)
		}
	}
	for _, file := range w.files {
		content := new(build.Content)
		if err := content.AddSource(ctx, file); err != nil {
			return err
		}
		names, contents = append(names, file), append(contents, content)
	}
	w.names, w.contents = names, contents
	return nil
}

// changed waits for a change, and then until no more follow: an editor may
// remove a file before it writes it anew. The error is that of ctx.
func (w *watch) changed(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for changed := false; ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		same := w.same(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case same && changed:
			return nil
		case !same:
			changed = true
			_ = w.look(ctx) // where it fails, something is missing, and is so in the next look
		}
	}
}

// same reports whether nothing has changed since the last look.
func (w *watch) same(ctx context.Context) bool {
	for _, content := range w.contents {
		if content.Check(ctx) != nil {
			return false
		}
	}
	return true
}
