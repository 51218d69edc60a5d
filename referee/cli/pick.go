package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/session"
	"umpire/referee/standings"
)

func pickFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "id", Usage: "only the record `ID`; a beginning that no other id has will do"},
		&cli.StringSliceFlag{Name: "bot", Usage: "only matches of bot `NAME`; several: only those they shared"},
		&cli.StringSliceFlag{Name: "case", Usage: "only matches on the case `NAME`; repeatable"},
	}
}

func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "without", Usage: "leave out all matches of bot `NAME`, or NAME#DIGEST; repeatable"},
		&cli.StringSliceFlag{Name: "bot", Usage: "count only matches of bot `NAME`; several: only those they shared"},
		&cli.StringSliceFlag{Name: "case", Usage: "count only matches on the case `NAME`; repeatable"},
		&cli.BoolFlag{Name: "all", Usage: "count every record of a run folder, not only the matches of its tournament"},
	}
}

// selectionOf returns what filterFlags select.
func selectionOf(a *app, c *cli.Context) session.Selection {
	return session.Selection{Umpire: a.umpire, Files: a.files, All: c.Bool("all"), Filter: filterOf(c)}
}

// filterOf returns the matches that filterFlags or pickFlags leave.
func filterOf(c *cli.Context) standings.Filter {
	return standings.Filter{Bots: c.StringSlice("bot"), Without: c.StringSlice("without"), Cases: c.StringSlice("case")}
}

func newPick(c *cli.Context, files []string) session.Pick {
	return session.Pick{Files: files, ID: c.String("id"), Filter: filterOf(c)}
}

// named returns the results that a command's arguments name; without any, the newest
// ones, which newest finds, and which it says.
func (a *app) named(c *cli.Context, newest func() string) ([]string, error) {
	if c.Args().Present() {
		return c.Args().Slice(), nil
	}
	return a.newest(c, newest())
}

// newest says which results are taken as the newest.
func (a *app) newest(c *cli.Context, found string) ([]string, error) {
	if found == "" {
		return nil, usagef("found no results, neither named nor in this folder or its %s: expected `umpire %s %s`",
			session.RunsFolder, c.Command.Name, strings.NewReplacer("[", "", "]", "").Replace(c.Command.ArgsUsage))
	}
	a.tell(c).Note("umpire: the newest results: %s\n", quote(found))
	return []string{found}, nil
}

// newestRun is the newest run folder with results.
func newestRun() string {
	dir, _ := session.NewestRun(false)
	return dir
}

// listRecords prints a line about each record that is picked. Of several of one match
// only the one that counts is listed.
func listRecords(a *app, p session.Pick, asJSON bool) error {
	if slices.Contains(p.Files, "-") {
		if err := a.files.KeepInput(); err != nil {
			return err
		}
	}
	var list report.List
	for r, err := range a.files.Called(p) {
		if err != nil {
			return err
		}
		list.Add(r.Record)
	}
	if asJSON {
		return list.JSON(a.out)
	}
	list.Print(a.out)
	return nil
}
