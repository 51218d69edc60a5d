package cli

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/session"
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

func runCache(a *app, c *cli.Context) error {
	cleans, most := c.Bool("clean") || c.IsSet("max"), int64(0)
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
	now, err := session.MeasureCache()
	if err == nil && cleans {
		now, err = now.Clean(most)
	}
	if err != nil {
		return err
	}
	return a.show(c, now, func(p *report.Printer) {
		printCache(p, now)
		if cleans {
			p.Printf("\n%s\n", cleanedText(now, most))
		} else if now.Bytes > 0 {
			p.Printf("\n%s in all; to remove what was not used today: %s\n", megabytes(now.Bytes), runAgain("cache").flag("clean"))
		}
	})
}

// printCache shows what the cache holds.
func printCache(p *report.Printer, s session.Cache) {
	t := report.Table{Header: []string{"", "entries", "size", "last used", "longest unused"}, Right: []bool{false, true, true, true, true}}
	for _, part := range s.Parts {
		t.Add(part.About, part.Entries, megabytes(part.Bytes), ago(part.Newest), ago(part.Oldest))
	}
	p.Printf("%s\n\n", s.Folder)
	report.Page{Tables: []report.Table{t}}.Print(p)
}

// cleanedText says what was removed of a cache that was to hold most bytes, and why more
// is left.
func cleanedText(s session.Cache, most int64) string {
	text := "nothing removed"
	if s.Removed > 0 {
		text = "removed " + megabytes(s.Removed)
	}
	if s.Bytes > 0 {
		text += "; " + megabytes(s.Bytes) + " remain"
	}
	if s.Bytes > most {
		text += ", used within a day or in use now"
	}
	return text
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
			return showEnvironment(a, c)
		},
	}
}

// showEnvironment shows the variables of the help topic environment. Secrets are not
// shown.
func showEnvironment(a *app, c *cli.Context) error {
	set := make(map[string]string)
	variables := slices.DeleteFunc(slices.Clone(environment[0].variables), func(v variable) bool { return !v.countsOn(runtime.GOOS) })
	for _, v := range variables {
		if value, isSet := os.LookupEnv(v.name); isSet && v.secret {
			set[v.name] = "(set, not shown)"
		} else if isSet {
			set[v.name] = value
		}
	}
	return a.show(c, set, func(p *report.Printer) {
		for _, v := range variables {
			value, isSet := set[v.name]
			if !isSet {
				value = "(not set)"
			}
			p.Printf("%-16s  %s\n%18s%s\n", v.name, value, "", p.WrapAfter(18, v.about))
		}
	})
}
