package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/session"
)

func pickFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "id", Usage: "only the record `ID`; a beginning that no other id has will do"},
		&cli.StringSliceFlag{Name: "bot", Usage: "only matches of bot `NAME`; several: only those they shared"},
		&cli.StringSliceFlag{Name: "case", Usage: "only matches on the case `NAME`; repeatable"},
	}
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
	if !c.Bool("quiet") {
		a.note("umpire: the newest results: %s\n", quote(found))
	}
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
