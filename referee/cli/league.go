package cli

import (
	"path/filepath"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/session"
	"umpire/referee/standings"
)

// showCombined prints the standings of several games in one table, and writes their page
// unless its name is "".
func showCombined(a *app, c *cli.Context, t *session.Tallies, page string) error {
	var games []standings.GameStandings
	var league html.League
	for _, g := range t.Games {
		v, _ := t.View(g)
		league.Sum.Matches += v.Of.Matches
		games = append(games, standings.GameStandings{Game: g.Game.Name, Rank: g.Game.Rank, Standings: *v.Of})
		v.NoTimes = c.Bool("no-times")
		league.Games = append(league.Games, html.LeagueGame{View: v, Runs: sourcesOf(g.Files, page)})
	}
	v := &league.Sum
	v.Of, v.Selected, v.Quiet = standings.Combine(t.Sum, games), t.Selected(), c.Bool("quiet")
	if page != "" {
		text, err := league.Page()
		if err != nil {
			return err
		}
		if err := putPage(a, page, text); err != nil || page == "-" {
			return err
		}
	}
	return a.printResult(c, v.Export(), report.CombinedJSON{Combined: v.Of, Filter: t.FilterJSON()}, v.Print)
}

// sourcesOf names results files as the user knows them, with the addresses of their
// reports as seen from a page.
func sourcesOf(files []string, page string) (list []html.Source) {
	for _, name := range files {
		one := html.Source{Name: name}
		if run := filepath.Dir(name); session.ResultsIn(run) == name {
			one.Name = run
		}
		if name == "-" {
			one.Name = "standard input"
		} else if page != "" {
			one.Site = session.SiteOf(name, filepath.Dir(page))
		}
		list = append(list, one)
	}
	return list
}
