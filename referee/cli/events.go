package cli

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/report"
	"umpire/referee/session"
)

// openEvents begins the stream that --events asks for, and has it follow matches.
func openEvents(a *app, c *cli.Context, p *session.Play) error {
	name := c.String("events")
	if name == "" {
		return nil
	}
	var w io.Writer = a.stdout
	switch {
	case name == "-" && c.Bool("json"):
		return usagef("--events: standard output is taken by --json; --events=FILE writes a file")
	case name != "-":
		file, err := os.Create(name)
		if err != nil {
			return usagef("--events: %w", err)
		}
		w = file
	}
	s := &eventStream{out: report.NewPrinter(w).JSON()}
	watch := p.Watch
	p.Watch = func(f arena.Fixture) (watcher referee.Watcher) {
		if watch != nil {
			watcher = watch(f)
		}
		return watcher.With(s.follow(f))
	}
	p.Kept = s.ended
	a.events = s
	return nil
}
