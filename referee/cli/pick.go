package cli

import (
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

func newPick(c *cli.Context) session.Pick {
	return session.Pick{
		Files: c.Args().Slice(), ID: c.String("id"),
		Filter: standings.Filter{Bots: c.StringSlice("bot"), Cases: c.StringSlice("case")},
	}
}

// listRecords prints a line about each record that is picked. Of several of one match
// only the one that counts is listed.
func listRecords(a *app, p session.Pick, asJSON bool) error {
	var list report.List
	for r, err := range a.files.Records(p) {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(r.ID, p.ID):
			list.Add(r.Record)
		}
	}
	if len(list.Rows) == 0 {
		return p.NoID()
	}
	if asJSON {
		return list.JSON(a.out)
	}
	list.Print(a.out)
	return nil
}
