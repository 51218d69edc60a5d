package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"umpire/referee/analysis"
	"umpire/referee/cli/shell"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/replay"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func replayCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "step through a record: show the positions and who played what",
		ArgsUsage: "[FILE]...",
		Description: `FILE is a results file, a run folder, or - for standard input; without one, the newest run
in this folder or its runs/, or the last test, whichever is newer.

On a terminal the keys step: → or space forwards, ← back, Page Up and Page Down ten steps,
Home and End to the start and the end, a number and Enter to that step; n and p go to the next
and the previous match; q ends. ↑ and ↓ step, too, but where a position is too long for the
terminal, they and Page Up and Page Down scroll. Elsewhere, and with TERM=dumb, all positions
are printed.`,
		Flags: slices.Concat(pickFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "list the matches: id, bots, case and result"},
			&cli.IntFlag{Name: "from", Usage: "begin with step `N`; 0 is the start"},
			&cli.StringFlag{Name: "delay", Usage: "show a step every `D`, as in 500ms; on a terminal, space pauses"},
			&cli.IntFlag{Name: "svg", Usage: "print the position after step `N` as a picture, an SVG; 0 is the start"},
			jsonFlag(),
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"}, htmlFlag(), analyseFlag(),
		}),
		Action: func(c *cli.Context) error {
			// Different forms of the output, and what is about steps where there are none.
			err := cmp.Or(apart(c, "html", "svg", "list", "json", "from", "delay"), apart(c, "svg", "list", "json", "from", "delay", "analyse"),
				apart(c, "list", "from", "delay", "analyse"))
			if err != nil {
				return err
			}
			files, err := a.named(c, session.NewestRecords)
			if err != nil {
				return err
			}
			switch p := newPick(c, files); {
			case c.IsSet("html"):
				return replayPage(a, c, p)
			case c.IsSet("svg"):
				return printPicture(a, c, p)
			case c.Bool("list"):
				return listRecords(a, p, c.Bool("json"))
			default:
				return runReplay(a, c, p)
			}
		},
	}
}

func runReplay(a *app, c *cli.Context, p session.Pick) error {
	var delay time.Duration
	if c.IsSet("delay") {
		var err error
		if delay, err = settings.ParseDuration(c.String("delay")); err != nil {
			return usagef("--delay: %w", err)
		}
		if delay <= 0 {
			return usagef("--delay: found %s, expected a time above 0, such as 500ms", c.String("delay"))
		}
	}
	if n := c.Int("from"); n < 0 {
		return usagef("--from: found %d, expected 0 or more", n)
	}
	v := report.Replay{Printer: a.out, Games: a.umpire.Games, From: c.Int("from"), Last: new(int)}
	if c.Bool("analyse") {
		v.Analyse = func(r record.Record) (*analysis.Match, error) { return a.analysed(c, r) }
	}
	if canStep(a, c, p) {
		return stepThrough(a, c.Context, p, v, delay)
	}
	if delay > 0 {
		v.Pause = func() error { return pause(c.Context, delay) }
	}
	show := v.Print
	if c.Bool("json") {
		show = v.JSON
	}
	for r, err := range a.files.Records(p) {
		if err != nil {
			return err
		}
		if err := invalidFound(r, show(r.Record)); err != nil {
			return err
		}
	}
	if v.From > *v.Last {
		return usagef("--from: found %d, expected a step from 0 to %d", v.From, *v.Last)
	}
	return nil
}

// printPicture prints the position after a step of the one record that is picked.
func printPicture(a *app, c *cli.Context, p session.Pick) error {
	step := c.Int("svg")
	if step < 0 {
		return usagef("--svg: found %d, expected a step, 0 or more", step)
	}
	r, err := a.files.One(p)
	if err != nil {
		return err
	}
	picture, err := replay.Match{Record: r, Games: a.umpire.Games}.Picture(step)
	switch {
	case errors.As(err, new(*replay.NotDrawn)):
		return usagef("--svg: %w", err)
	case err != nil:
		return invalid("record "+r.Called(), err)
	}
	_, err = io.WriteString(a.stdout, picture)
	return err
}

// stepThrough lets a person step through the records. On a terminal without
// keys, all is printed.
func stepThrough(a *app, ctx context.Context, p session.Pick, v report.Replay, delay time.Duration) error {
	var notes []string
	quiet := *a.files // the screen is in use: what is to be noted waits
	quiet.Notice = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	defer func() {
		for _, note := range notes {
			a.note("%s", note)
		}
	}()
	matches := func(yield func(shell.OpenMatch, error) bool) {
		for r, err := range quiet.Records(p) {
			open := func() (*report.Stepper, error) {
				match, err := v.Stepper(r.Record)
				return match, invalidFound(r, err)
			}
			if !yield(open, err) {
				return
			}
		}
	}
	return shell.StepThrough(ctx, matches, p.ID != "", delay)
}

// invalidFound returns the error of a record that is not valid; an interrupt is none.
func invalidFound(f session.Found, why error) error {
	if why == context.Canceled {
		return why
	}
	return invalid(fmt.Sprintf("%s:%d: record %s", f.Line.File, f.Line.Number, f.Called()), why)
}

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Canceled
	}
}

// canStep reports whether a person steps through the records with the keys:
// standard output is a terminal that can redraw itself, and the keyboard is not
// where the records come from.
func canStep(a *app, c *cli.Context, p session.Pick) bool {
	return a.onScreen() && !c.Bool("json") && term.IsTerminal(int(os.Stdin.Fd())) != slices.Contains(p.Files, "-")
}

// onScreen reports whether standard output is a terminal that can redraw
// itself.
func (a *app) onScreen() bool {
	_, standard := a.stdout.(*output)
	return standard && shell.HasScreen(os.Stdout)
}
