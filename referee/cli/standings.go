package cli

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
)

func (a *app) standingsCommand() *cli.Command {
	return &cli.Command{
		Name: "standings", Usage: "recompute standings from results; plays no match",
		ArgsUsage: "FILE...",
		Description: `FILE is a results file, a run folder, or - for standard input; the records of
several are combined, and a match that occurs twice counts once.

The order follows the game's own rule: points (the sum of scores), wins (a win 1, a tie ½;
then the sum of scores) or places (the sum of scores; then the number of firsts). Where bots
have played different numbers of matches, means per match are compared instead of sums. Ties
are broken by match points among those tied, then by fewer failed matches; others stay ties.

The rating of two-seat games is Bradley-Terry's, as Elo with a mean of 1500 and a 95 %
interval; matches that differ only in the order of seats count as one observation, and every
bot has one extra drawn observation against a player of mean strength. In games with more seats
it is the mean score per match with its interval.`,
		Flags: flags(standingsFlags(), []cli.Flag{
			jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print only the standings"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		}),
		Action: func(c *cli.Context) error {
			a.setColour(c)
			return a.standings(c)
		},
	}
}

func standingsFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "pairs", Usage: "print the head-to-head results of every two bots"},
		&cli.BoolFlag{Name: "no-times", Usage: "leave out times, which differ from run to run"},
		exportFlag(),
	}
}

func (a *app) standings(c *cli.Context) error {
	list, err := exports(c)
	if err != nil {
		return err
	}
	if !c.Args().Present() {
		return usagef("found no results, expected `umpire standings FILE...`")
	}
	var tally *standings.Tally
	var game protocols.Game
	files := c.Args().Slice()
	for i, name := range files {
		files[i] = resultsIn(name)
		err := a.briefs(files[i], func(b *record.Summary) error {
			if tally == nil {
				if game, err = a.game(b.Game); err != nil {
					return err
				}
				tally = standings.NewTally(game.Rank)
			}
			if b.Game != game.Name {
				return usagef("%s: found records of %s and %s, expected one game", files[i], game.Name, b.Game)
			}
			if n := len(b.Seats); n < game.MinSeats || n > game.MaxSeats {
				return usagef("%s: found a record with %s, %s has %s", files[i], report.Plural(n, "seat"), game.Name, game.SeatRange())
			}
			tally.Add(b)
			return nil
		})
		if err != nil {
			return usage(err)
		}
	}
	if tally == nil {
		return usagef("found no records in %s", files[0])
	}
	st := tally.Standings(nil)
	v := report.Standings{Game: game, Of: &st}
	v.Title = fmt.Sprintf("%s: %s, %s", game.Title, report.Plural(len(st.Rows), "bot"), report.Plural(st.Matches, "match"))
	return a.printStandings(c, v, report.StandingsJSON{Game: game.Name, Standings: st}, list, files)
}

// printStandings prints standings as the flags request. Result is printed by
// --json, and contains v.Of; the records are in files.
func (a *app) printStandings(c *cli.Context, v report.Standings, result any, list []export, files []string) error {
	v.Quiet, v.Pairs, v.NoTimes = c.Bool("quiet"), c.Bool("pairs"), c.Bool("no-times")
	if v.NoTimes {
		for i := range v.Of.Rows {
			r := &v.Of.Rows[i]
			r.WallUS, r.MeanUS, r.SlowestUS = 0, 0, 0
		}
	}
	exported := v.Export()
	if slices.ContainsFunc(list, func(e export) bool { return e.format == "junit" }) {
		suites := report.NewBotSuites()
		for _, name := range files {
			if err := readSuites(suites, name); err != nil {
				return err
			}
		}
		exported.Suites = suites.Suites(v.Of.Rows, v.NoTimes)
	}
	return a.printResult(c, list, exported, result, v.Print)
}

// readSuites reads the matches of a results file, which has been read before.
func readSuites(suites *report.BotSuites, name string) error {
	f, err := record.Open(name)
	if err != nil {
		return usagef("--export junit reads the results twice: %w", err)
	}
	defer f.Close()
	for r, err := range record.Read(name, f) {
		if errors.Is(err, record.ErrTorn) {
			return nil
		}
		if err != nil {
			return usage(err)
		}
		suites.Add(r)
	}
	return nil
}

// briefs reads a results file; a torn last line is reported and skipped.
func (a *app) briefs(name string, each func(*record.Summary) error) error {
	in, err := a.openRecords(name)
	if err != nil {
		return err
	}
	defer in.Close()
	torn, err := record.Summaries(name, in, runtime.GOMAXPROCS(0), each)
	if torn {
		a.note("%s: the last line is cut off; its match does not count\n", name)
	}
	return err
}
