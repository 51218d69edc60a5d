package cli

import (
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/session"
	"umpire/referee/standings"
)

func standingsCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "standings", Usage: "recompute standings from results; plays no match",
		ArgsUsage: "[FILE]...",
		Description: `FILE is a results file, a run folder, or - for standard input; the records of
several are combined, and a match that occurs twice counts once. A run may still be going on.
Without FILE, it is the newest run in this folder or its runs/.
In a tournament's run folder, only the matches of that tournament count, as the last --resume
left it: not those of bots that were withdrawn or replaced, nor Swiss rounds that were played
again. --all counts every record. The folder of a Swiss tournament or knockout also shows the
rounds, and the bracket, unless only some matches count or there are several files.

The order follows the game's own rule: score (the sum of scores), wins (a win 1, a tie ½;
then the sum of scores) or places (the sum of scores; then the number of firsts). Where bots
have played different numbers of matches, means per match are compared instead of sums. Ties
are broken by match points among those tied, if all of them have met equally often, then by
fewer failed matches; others stay ties. A run's own --tiebreaks come before that.

The rating of two-seat games is Bradley-Terry's, as Elo with a mean of 1500 and a 95 %
interval; matches that differ only in the order of seats count as one observation, as do repetitions
that are alike reply by reply, and every bot has one extra drawn observation against a player of
mean strength. With more seats it comes from the places by the Plackett-Luce model, on the same
scale, and the mean score per match stands beside it, with its interval.

Contestants of a scoring do not meet, and cases differ in worth. Their standings compare each bot
with the first case by case: the column "to first" has the mean difference, with its 95 % interval,
over the cases that both have played, and "better in" says in how many of them it is better.
Matches on a case are one observation.

--combine makes one table of several games. A bot is the same in all of them if it has the same
name. It adds up

- places: the bot's places; tied bots share the better one, and a bot that has not played a
  game is placed behind all that have
- percent: what the bot has of the best bot's score (match points, in games ranked by wins),
  in per cent; per match, where not all have played equally many

With --html it also writes a page of that table and of each game's standings, with links to the
reports of the runs that are in the folder of the page, or in or beside those of the runs.

--why A B says what put bot A above bot B, or B above A, with both figures of every comparison, and
compares two contestants of a scoring case by case.
Flags may stand anywhere: of the other arguments, the one that is no file or folder is B. Where
a file has the name of the bot, write --why A,B.`,
		Flags: slices.Concat(filterFlags(), standingsFlags(), []cli.Flag{
			&cli.StringFlag{Name: "why", Usage: "say what put bot `A B` above the other, and nothing else"},
			&cli.StringFlag{Name: "combine", Usage: "add up several games: sum of `places|percent`"},
			&cli.StringFlag{Name: "html", Usage: "with --combine: write a page of the league to `OUT`; - is standard output"},
			jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print only the standings"},
			&cli.BoolFlag{Name: "verbose", Usage: "also print what compilers said of bots that could not be compiled"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		}),
		Action: func(c *cli.Context) error { return runStandings(a, c) },
	}
}

func standingsFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "pairs", Usage: "print the head-to-head results of every two bots"},
		&cli.BoolFlag{Name: "no-times", Usage: "leave out times, which differ from run to run"},
		&cli.BoolFlag{Name: "no-crosstable", Usage: "leave out the crosstable"},
		exportFlag(slices.Concat(exportForms, []string{"crosstable", "pairs", "cases", "moves"})...),
		plotFlag(),
	}
}

func runStandings(a *app, c *cli.Context) error {
	t := &session.Tallies{Selection: selectionOf(a, c), Sum: standings.Sum(c.String("combine"))}
	switch {
	case c.IsSet("combine") && !slices.Contains(standings.Sums, t.Sum):
		return usagef("--combine: found %q, expected places or percent", t.Sum)
	case c.IsSet("combine") && (c.Bool("pairs") || readsMatches(a, c)):
		return usagef("--combine: the table has no single matches; leave out --pairs, --plot and --export of matches")
	case c.IsSet("html") && t.Sum == "":
		return usagef("--html: is for the league of --combine; `umpire report RUN -o DIR` makes the pages of a run")
	}
	page, err := htmlTarget(c)
	if err != nil {
		return err
	}
	files, pair, err := whyOf(c)
	if err == nil && len(files) == 0 {
		files, err = a.newest(c, newestRun())
	}
	switch {
	case err != nil:
		return err
	case pair != nil && (t.Sum != "" || len(a.exports) > 0):
		return usagef("--why: can't be combined with --combine or --export")
	}
	if readsMatches(a, c) && slices.Contains(files, "-") {
		if err := a.files.KeepInput(); err != nil {
			return err
		}
		defer a.files.Close()
	}
	var stopped error // by an interrupt
	for _, name := range files {
		if err := t.Read(session.ResultsIn(name)); err != nil && !interrupted(err) {
			return usage(err)
		} else if err != nil {
			stopped = err
			break
		}
	}
	switch err := t.Check(); {
	case stopped != nil && (err != nil || t.Sum != "" || !forPeople(a, c)):
		return stopped
	case err != nil:
		return err
	}
	if t.Sum != "" {
		return showCombined(a, c, t, page)
	}
	one := t.Games[0]
	v, result := t.View(one)
	if pair != nil && stopped == nil {
		return showWhy(a, c, v, result, pair)
	}
	if stopped != nil {
		v.Title += ", interrupted: not all records have been read"
		a.exports = nil
	}
	return errors.Join(stopped, printStandings(a, c, v, result, one.Files, &t.Selection))
}

// whyOf separates the bots of --why from the files; pair is nil without it.
func whyOf(c *cli.Context) (files, pair []string, err error) {
	files = c.Args().Slice()
	if !c.IsSet("why") {
		return files, nil, nil
	}
	isBot := func(name string) bool { return name != "-" && !program.Exists(name) }
	first := c.String("why")
	at := slices.IndexFunc(files, isBot)
	if at >= 0 {
		pair = []string{first, files[at]}
		files = slices.Delete(files, at, at+1)
	} else if a, b, ok := strings.Cut(first, ","); ok {
		pair = []string{a, b}
	}
	switch {
	case pair == nil:
		return nil, nil, usagef("--why: found one bot, %q, expected two: `umpire standings FILE... --why A B`", first)
	case slices.ContainsFunc(files, isBot):
		return nil, nil, usagef("--why: %q and %q are no files, expected one bot B among the files", pair[1], files[slices.IndexFunc(files, isBot)])
	}
	return files, pair, nil
}

// showWhy says what put one of two bots above the other.
func showWhy(a *app, c *cli.Context, v report.Standings, result *report.StandingsJSON, pair []string) error {
	var rows [2]*standings.Row
	for i, word := range pair {
		var err error
		if rows[i], err = session.Contestant(v.Of, word); err != nil {
			return usagef("--why: %w", err)
		}
	}
	if rows[0] == rows[1] {
		return usagef("--why: found %s twice, expected two bots", rows[0].Bot)
	}
	result.Why = report.NewWhy(v.Of, rows[0], rows[1])
	return a.printResult(c, report.Exported{}, result, result.Why.Print)
}

// printStandings prints standings as the flags request. Result is printed by
// --json, and contains v.Of; the records are those in files that the selection keeps.
func printStandings(a *app, c *cli.Context, v report.Standings, result any, files []string, of *session.Selection) error {
	v.Quiet, v.Verbose, v.Pairs = c.Bool("quiet"), c.Bool("verbose"), c.Bool("pairs")
	v.NoTimes, v.NoCrosstable = c.Bool("no-times"), c.Bool("no-crosstable")
	if v.NoTimes {
		for i := range v.Of.Rows {
			r := &v.Of.Rows[i]
			r.WallUS, r.MeanUS, r.SlowestUS, r.RanOut = 0, 0, 0, false
		}
	}
	exported := v.Export()
	exported.Records = counted(files, of)
	if slices.ContainsFunc(a.exports, func(e export) bool { return e.format == "junit" || e.format == "tap" }) {
		suites := report.NewBotSuites(exported)
		for r, err := range exported.Records {
			if err != nil {
				return err
			}
			suites.Add(r)
		}
		exported.Suites = suites.Suites(v.NoTimes)
	}
	var plots []report.Plot
	if c.Bool("plot") {
		more, err := report.NewBreakdown(exported.Records)
		if err != nil {
			return err
		}
		plots = v.Plots(more)
	}
	return a.printResult(c, exported, result, func(p *report.Printer) {
		v.Print(p)
		p.Plots(plots)
	})
}

// readsMatches reports whether the single matches are exported or drawn, for which the
// results are read again.
func readsMatches(a *app, c *cli.Context) bool {
	return c.Bool("plot") || slices.ContainsFunc(a.exports, func(e export) bool {
		return e.format != "csv" && e.format != "markdown" && e.format != "crosstable"
	})
}

func plotFlag() cli.Flag {
	return &cli.BoolFlag{Name: "plot", Usage: "also draw the result, in characters"}
}

// counted yields the records in results files that a selection keeps, which have been read
// before: those of matches that umpire played, once each.
func counted(files []string, of *session.Selection) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for r, err := range of.Again(files) {
			if r.Error == "" && !yield(r.Record, usage(err)) {
				return
			}
		}
	}
}

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
