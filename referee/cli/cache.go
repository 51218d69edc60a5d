package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/settings"
)

func cacheCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "cache", Usage: "show what umpire keeps for later, and clean it",
		Description: `The cache folder holds compiled bots, those that were sent to a worker, the last tests and pages that were opened. It
cleans itself: what was not used for 30 days goes, and of each kind what is beyond 2 GiB, the least
recently used first. Nothing goes that a running umpire uses, or that was used within a day.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "clean", Usage: "remove all that may go"},
			&cli.StringFlag{Name: "max", Usage: "remove the least recently used until `SIZE`, such as 500M, is left"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error { return runCache(a, c) },
	}
}

// cacheParts are the folders of the cache whose entries can be removed, and what they
// hold.
var cacheParts = []struct{ folder, about string }{
	{"build", "compiled bots"}, {"worker", "bots sent to this worker"}, {"tests", "the last tests of bots"}, {pagesFolder, "pages that were opened"},
}

func runCache(a *app, c *cli.Context) error {
	most := int64(0)
	switch {
	case c.NArg() > 0:
		return usagef("found %q, expected no argument", c.Args().First())
	case c.Bool("clean") && c.IsSet("max"):
		return usagef("--clean: can't be combined with --max, which cleans as well")
	case c.IsSet("max"):
		var err error
		if most, err = settings.ParseSize(c.String("max")); err != nil {
			return usagef("--max: %w", err)
		}
	}
	dir, err := build.CacheDir()
	if err != nil {
		return err
	}
	before := measureCache(dir)
	now := before
	if c.Bool("clean") || c.IsSet("max") {
		var all []build.Entry
		for _, p := range cacheParts {
			all = append(all, build.Entries(filepath.Join(dir, p.folder))...)
		}
		build.Clean(all, most)
		now = measureCache(dir)
	}
	now.Removed = before.Bytes - now.Bytes
	return a.show(c, now, now.print)
}

// cacheState is the output of `cache --json`.
type cacheState struct {
	Folder  string      `json:"folder"`
	Bytes   int64       `json:"bytes"`
	Removed int64       `json:"removed_bytes"`
	Parts   []cachePart `json:"parts"`
}

type cachePart struct {
	Folder  string     `json:"folder"`
	About   string     `json:"about"`
	Entries int        `json:"entries"`
	Bytes   int64      `json:"bytes"`
	Oldest  *time.Time `json:"oldest_use"` // null if there are no entries
	Newest  *time.Time `json:"newest_use"`
}

func measureCache(dir string) cacheState {
	s := cacheState{Folder: dir}
	for _, p := range cacheParts {
		part := cachePart{Folder: p.folder, About: p.about}
		for _, e := range build.Entries(filepath.Join(dir, p.folder)) {
			at := e.Info.ModTime()
			part.Entries++
			part.Bytes += e.Bytes
			if part.Oldest == nil || at.Before(*part.Oldest) {
				part.Oldest = &at
			}
			if part.Newest == nil || at.After(*part.Newest) {
				part.Newest = &at
			}
		}
		s.Bytes += part.Bytes
		s.Parts = append(s.Parts, part)
	}
	return s
}

func (s cacheState) print(p *report.Printer) {
	t := report.Table{Header: []string{"", "entries", "size", "last used", "longest unused"}, Right: []bool{false, true, true, true, true}}
	for _, part := range s.Parts {
		t.Add(part.About, part.Entries, megabytes(part.Bytes), ago(part.Newest), ago(part.Oldest))
	}
	p.Printf("%s\n\n", s.Folder)
	report.Page{Tables: []report.Table{t}}.Print(p)
	if s.Removed > 0 {
		p.Printf("\nremoved %s\n", megabytes(s.Removed))
	} else if s.Bytes > 0 {
		p.Printf("\n%s in all; to remove what was not used today: %s\n", megabytes(s.Bytes), runAgain("cache").flag("clean"))
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// ago says how long ago something was, in the greatest fitting unit.
func ago(at *time.Time) string {
	if at == nil {
		return "-"
	}
	switch d := time.Since(*at); {
	case d >= 48*time.Hour:
		return report.Plural(int(d/(24*time.Hour)), "day") + " ago"
	case d >= 2*time.Hour:
		return report.Plural(int(d/time.Hour), "hour") + " ago"
	case d >= time.Minute:
		return report.Plural(int(d/time.Minute), "minute") + " ago"
	default:
		return "just now"
	}
}

func envCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "env", Usage: "list the environment variables that umpire reads, with their values",
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("found %q, expected no argument", c.Args().First())
			}
			return printEnvironment(a, c.Bool("json"))
		},
	}
}

// printEnvironment lists the variables of the help topic environment. Secrets are not
// shown.
func printEnvironment(a *app, asJSON bool) error {
	values := make(map[string]string)
	for _, v := range environment[0].variables {
		value, isSet := os.LookupEnv(v.name)
		switch {
		case !isSet:
			value = "(not set)"
		case v.secret:
			value = "(set, not shown)"
		}
		if asJSON && isSet {
			values[v.name] = value
		} else if !asJSON {
			a.printf("%-16s  %s\n%18s%s\n", v.name, value, "", a.out.Wrap(v.about))
		}
	}
	if asJSON {
		return a.out.JSON().Encode(values)
	}
	return nil
}
