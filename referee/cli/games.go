package cli

import (
	"errors"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/report"
)

func gamesCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "games", Usage: "list the games, or show the rules, protocol, limits and bots of one",
		ArgsUsage: "[GAME]",
		Flags:     []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return usagef("found %d arguments, expected one game", c.NArg())
			}
			if c.NArg() == 0 {
				return listGames(a, c.Bool("json"))
			}
			g, err := a.umpire.Game(c.Args().First())
			if err != nil {
				return err
			}
			return describeGame(a, g, c.Bool("json"))
		},
	}
}

// gameView gathers what there is to know of a game. While a game is being
// written, it may have no standard cases: that is a notice.
func gameView(a *app, g protocols.Game) (report.Game, error) {
	set, err := cases.Load(a.umpire.Cases, g.Name, g)
	v := report.Game{Of: g, Set: set, Facts: report.GameJSON{
		Name: g.Name, Title: g.Title, MinSeats: g.MinSeats, MaxSeats: g.MaxSeats,
		Cases: len(set.Cases), Groups: set.GroupNames(), Formula: g.Formula, Baseline: g.Baseline, House: g.DefaultOpponent,
	}}
	for _, group := range set.Groups {
		v.Facts.Points += group.Points
	}
	for _, b := range a.bots {
		if b.Game == g.Name {
			v.Facts.Bots, v.About = append(v.Facts.Bots, b.Name), append(v.About, b.About)
		}
	}
	if errors.Is(err, cases.ErrNoSet) {
		a.note("umpire: %v; `umpire cases %s -n 6 -o testdata/cases/%s` draws one for the next build\n", err, g.Name, g.Name)
		return v, nil
	}
	return v, err
}

func listGames(a *app, asJSON bool) error {
	var list report.Games
	for _, g := range a.umpire.Games {
		v, err := gameView(a, g)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	if !asJSON {
		list.Print(a.out)
		return nil
	}
	for _, v := range list {
		if err := a.out.JSON().Encode(v.Facts); err != nil {
			return err
		}
	}
	return nil
}

func describeGame(a *app, g protocols.Game, asJSON bool) error {
	v, err := gameView(a, g)
	if err != nil {
		return err
	}
	v.Facts.Rules = g.Rules
	if asJSON {
		return a.out.JSON().Encode(v.Facts)
	}
	v.Print(a.out)
	return nil
}
