package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cli/shell"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
	"umpire/referee/session"
)

func testCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "test", Usage: "play a bot on the game's cases; show what happened on each, and the points",
		ArgsUsage: "GAME BOT",
		Description: `The result is compared, case by case, with how the bot did when it was last tested: ▲ better,
▼ worse. The exit code is 1 if a match was not ok, the bot can't be compiled, or it has fewer points than --fail-under.`,
		Flags: slices.Concat(caseFlags(), testFlags(), stressFlags(), limitFlags(), runFlags(), guestFlags(outsidersOrWorkers), fleetFlags(), outputFlags(), compressFlag(), []cli.Flag{appendFlag(), exportFlag(exportForms...)}, packageFlags()),
		Action: func(c *cli.Context) error {
			switch {
			case c.IsSet("stress"):
				return runStress(a, c)
			case c.IsSet("for"):
				return usagef("--for: is for --stress")
			case c.Bool("resume"):
				if err := apart(c, "resume", append([]string{"watch"}, chosenBy(c)...)...); err != nil {
					return err
				}
			default:
				if err := newResults(c); err != nil {
					return err
				}
			}
			if c.Bool("submissions") {
				return runSubmissions(a, c)
			}
			if c.IsSet("only") {
				return usagef("--only: is for --submissions")
			}
			if c.Bool("watch") {
				return watchTest(a, c)
			}
			return runTest(a, c)
		},
	}
}

func testFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "against", Usage: "play against `BOT` instead of the game's default opponent"},
		&cli.StringFlag{Name: "fail-under", Usage: "end with exit code 1 below `POINTS`"},
		&cli.BoolFlag{Name: "failed", Usage: "play only the cases on which the bot failed when it last played them"},
		&cli.BoolFlag{Name: "lost", Usage: "play only the cases that the bot lost when it last played them"},
		&cli.StringFlag{Name: "below", Usage: "play only the cases that earned the bot fewer than `POINTS` when it last played them"},
		&cli.IntFlag{Name: "worst", Usage: "play only the `N` cases that earned the bot the smallest share of their points when it last played them"},
		&cli.BoolFlag{Name: "resume", Usage: "play only the matches that an interrupted test has not played"},
		&cli.BoolFlag{Name: "all", Usage: "of a problem package: play also the cases after one on which the bot fails"},
		&cli.BoolFlag{Name: "submissions", Usage: "judge the submissions that a problem package brings along, and compare with what it expects of them"},
		&cli.StringFlag{Name: "only", Usage: "with --submissions: those that match `PATTERN`, as in 'accepted/*' or '*.{cpp,py}'"},
		&cli.BoolFlag{Name: "watch", Usage: "test again whenever the bot's files change; Ctrl-C ends"},
	}
}

// pointsOf returns the value of a flag; nil if it is not set.
func pointsOf(c *cli.Context, flag string) (*float64, error) {
	text := c.String(flag)
	if !c.IsSet(flag) {
		return nil, nil
	}
	points, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(points) || math.IsInf(points, 0) {
		return nil, usagef("--%s: found %q, expected a number of points, such as 50", flag, text)
	}
	return &points, nil
}

func runTest(a *app, c *cli.Context) error {
	if err := checkCompress(c); err != nil {
		return err
	}
	least, err := pointsOf(c, "fail-under")
	if err != nil {
		return err
	}
	t := session.Test{Unfit: writesResult(a, c), Resume: c.Bool("resume"), All: c.Bool("all")}
	if t.Play, err = a.playOf(c); err != nil {
		return err
	}
	if t.All && a.umpire.Problem(t.Game) == nil {
		return usagef("--all: is for problem packages; of %s all cases are played", t.Game.Name)
	}
	if err := chooseTest(c, &t); err != nil {
		return err
	}
	noteDefaults(a, c, t.Play)
	if len(t.Set.Cases) == 0 {
		a.note("umpire: nothing to play: %s\n", noneChosen(c, t.Game))
		if c.Bool("json") {
			return a.out.JSON().Encode(report.TestResult{Game: c.Args().First(), Bot: c.Args().Get(1), Results: []report.TestMatch{}})
		}
		return nil
	}
	shown := testShown{app: a, c: c}
	t.Begun, t.Done = shown.begin, shown.done
	result, err := t.Run(c.Context)
	shown.bar.End()
	if err != nil {
		return shown.stopped(t, result, err)
	}
	return shown.end(result, least)
}

// noteDefaults says what a test or a scoring plays otherwise than its flags suggest.
func noteDefaults(a *app, c *cli.Context, p session.Play) {
	tell := a.tell(c)
	if f := p.Umpire.Folder(p.Game); c.IsSet("n") && (f == nil || f.Generate != "") { // else the one case is dealt again
		tell.Note("notice: -n plays generated cases in place of the standard ones\n")
	}
	if seats := p.Game.PlayedSeats(); p.Opponent.What != "" && len(seats) < p.Game.MaxSeats {
		again := runAgain("tournament", gameWord(c, p))
		for _, e := range append(slices.Clone(p.Entrants), p.Opponent) {
			again.args(e.Label)
		}
		tell.Note("notice: %s is tested in seat %d only; to play in every seat: %s\n", p.Game.Name, seats[0], again)
	}
}

// chooseTest checks the arguments of a test, and leaves the failed cases with
// --failed; there may be none.
func chooseTest(c *cli.Context, t *session.Test) error {
	if n := len(t.Entrants); n != 1 {
		return usagef("found %d bots, expected one: `umpire test GAME BOT`", n)
	}
	against := c.String("against")
	switch {
	case against != "" && t.Game.MaxSeats == 1:
		return usagef("--against: %s has one seat, so there is no opponent", t.Game.Name)
	case t.Opponent.IsGuest():
		return usagef("--against %s: a player from outside can't be the opponent of a test: umpire match %s BOT %s", against, t.Game.Name, against)
	}
	return chooseCases(c, t)
}

// chosenBy lists the flags that choose cases by how the bot last played them.
func chosenBy(c *cli.Context) []string {
	return slices.DeleteFunc([]string{"failed", "lost", "below", "worst"}, func(flag string) bool { return !isGiven(c, flag) })
}

// chooseCases leaves the cases that one of chosenBy wants; there may be none.
func chooseCases(c *cli.Context, t *session.Test) error {
	by := chosenBy(c)
	points, err := pointsOf(c, "below")
	wanted := session.Failed
	switch {
	case err != nil:
		return err
	case c.IsSet("worst") && c.Int("worst") < 1:
		return usagef("--worst: found %d, expected a number of cases, 1 or more", c.Int("worst"))
	case len(by) == 0:
		return nil
	case len(by) > 1:
		return usagef("--%s: can't be combined with --%s", by[1], by[0])
	case by[0] == "lost" && t.Game.MaxSeats == 1:
		return usagef("--lost: %s has one seat, so no case is lost; --below POINTS plays those that earned fewer", t.Game.Name)
	case by[0] == "lost":
		wanted = session.Lost
	case by[0] == "below":
		wanted = func(m report.Before) bool { return m.Verdict == "" || m.Score < *points }
	}
	last := session.Tested{Game: t.Game.Name, Bot: t.Entrants[0], Opponent: t.Opponent}.Last()
	if len(last.Matches) == 0 {
		return usagef("--%s: no earlier test of this bot is known; play one first: %s",
			by[0], runAgain("test", c.Args().Slice()...).flags(c, "against"))
	}
	whole := !slices.ContainsFunc([]string{"case", "cases", "group", "n", "seed"}, c.IsSet)
	if by[0] == "worst" {
		if !whole {
			last = last.On(t.Set)
		}
		last, wanted = last.Worst(c.Int("worst")), func(report.Before) bool { return true }
	}
	t.Set, err = last.Choose(wanted, t.Game, t.Set, whole)
	return err
}

// noneChosen says what chooseCases has not found.
func noneChosen(c *cli.Context, g protocols.Game) string {
	switch by := chosenBy(c); {
	case slices.Contains(by, "lost"):
		return "no case was lost when the bot last played it"
	case slices.Contains(by, "below"):
		return fmt.Sprintf("no case earned fewer than %s when the bot last played it", report.Points(c.String("below")))
	case slices.Contains(by, "worst"):
		return "of these cases the bot has played none"
	case g.MaxSeats > 1:
		return "no case failed when the bot last played it; --lost plays those it lost"
	}
	return "no case failed when the bot last played it; --below POINTS plays those that earned fewer"
}

// testShown is a test as a person sees it.
type testShown struct {
	*app
	c    *cli.Context
	view report.Test
	rows *testRows // nil unless cases are shown as they end
	bar  *shell.Progress
}

// begin begins the output.
func (t *testShown) begin(s *session.Session, matches int) {
	formula, _ := scoring.Compile(s.Game.Formula) // as the test has done
	t.view = report.Test{
		Game: s.Game, Result: report.TestResult{Bot: s.Bots[0].Name, Cases: len(s.Set.Cases)},
		Formula: formula, Under: under(s), Quiet: t.c.Bool("quiet"),
		Again: func(name string) string { return playAgain(t.c, s, name) }, About: s.About(),
	}
	if s.Opponent.What != "" {
		t.view.Result.Against = s.House.Name
	}
	if session.Broken(s.Bots) == nil && forPeople(t.app, t.c) && !t.view.Quiet {
		t.rows = newTestRows(t.view, t.out, s)
	}
	t.bar = t.progressOf(t.c, s, matches)
}

func (t *testShown) done(n int, r record.Record) {
	t.rows.done(n, r)
	t.bar.Count()
}

// take takes over the result.
func (t *testShown) take(r session.TestResult) {
	t.view.Result, t.view.Scores, t.view.Opponent = r.TestResult, r.Scores, r.Opponent
	p := t.umpire.Problem(t.view.Game)
	t.view.NoTotal = p != nil && p.Grading != nil && (len(r.Failed) > 0 || r.Finished < r.Matches)
	if r.Records != "" {
		t.view.Open = func(match string) string {
			return runAgain("open", slices.DeleteFunc([]string{t.c.String("o"), match}, func(word string) bool { return word == "" })...).String()
		}
	}
	if bot := program.ParseEntrant("", t.c.Args().Get(1)); r.Records != "" && !bot.IsGuest() {
		if p != nil && !p.Interactive {
			return
		}
		t.view.Reproduce = func(match string) string {
			again := runAgain("reproduce", r.Records).flag("id", match).args(bot.Label)
			if p != nil {
				again = again.flag("game", t.c.Args().First()).flags(t.c, "format", "judge", "judge-format", "trust")
			}
			return again.flags(t.c, "isolation", "languages").String()
		}
	}
}

// end shows the result, and returns nil if all is well with it, and otherwise what is
// not.
func (t *testShown) end(r session.TestResult, least *float64) error {
	t.take(r)
	t.rows.end()
	print := t.view.Print
	if r.Unfit != nil {
		print = func(*report.Printer) {}
	}
	if err := t.printResult(t.c, t.view.Export(), r.TestResult, print); err != nil {
		return err
	}
	switch err := r.Failure(); {
	case r.Unfit != nil:
		return &answer{exitNo, r.Unfit}
	case err != nil:
		return err
	case least != nil && r.Score < *least:
		return &answer{exitNo, fmt.Errorf("%s, fewer than the %s of --fail-under", report.Points(report.Number(r.Score)), report.Number(*least))}
	}
	return yes(r.OK == len(r.Results))
}

// stopped shows the result on the cases that have ended before an interrupt.
func (t *testShown) stopped(asked session.Test, r session.TestResult, err error) error {
	if r.Unfit != nil && errors.Is(err, r.Unfit) {
		return &answer{exitNo, err}
	}
	if !interrupted(err) || errors.Is(context.Cause(t.c.Context), session.ErrChanged) {
		return err
	}
	t.rows.end()
	t.stopSaid = true
	if len(r.Set.Cases) > 0 {
		t.take(r)
		if t.rows != nil {
			t.view.Print(t.out)
		}
	}
	t.sayFinished("interrupted", r.Finished, r.Matches, r.Records)
	switch {
	case r.Records == "":
		t.sayAgain("to begin again", repeatAppending(t.c))
	case len(r.Set.Cases) < len(asked.Set.Cases) && len(chosenBy(t.c)) > 0: // those that have ended are known by now
		t.sayAgain("to play those that are left, and those that have failed again", repeat(t.c, "append").String())
	case len(r.Set.Cases) < len(asked.Set.Cases):
		t.sayAgain("to play the rest", repeat(t.c, "resume", "append").flag("resume").String())
	}
	return err
}
