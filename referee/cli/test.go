package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

func (a *app) testCommand() *cli.Command {
	return &cli.Command{
		Name: "test", Usage: "play a bot on the game's cases; show what happened on each, and the score",
		ArgsUsage: "GAME BOT",
		Description: `The result is compared, case by case, with how the bot did when it was last tested: ▲ better,
▼ worse. The exit code is 1 if a match was not ok, or the score is under that of --fail-under.`,
		Flags: flags(caseFlags(), testFlags(), limitFlags(), runFlags(), guestFlags(), fleetFlags(), outputFlags(), compressFlag(), []cli.Flag{appendFlag(), exportFlag()}),
		Action: func(c *cli.Context) error {
			if err := newResults(c); err != nil {
				return err
			}
			if c.Bool("watch") {
				return a.watchTest(c)
			}
			return a.test(c)
		},
	}
}

func testFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "against", Usage: "play against `BOT` instead of the game's default opponent"},
		&cli.StringFlag{Name: "fail-under", Usage: "end with exit code 1 if the score is under `POINTS`"},
		&cli.BoolFlag{Name: "failed", Usage: "play only the cases on which the bot failed when it last played them"},
		&cli.BoolFlag{Name: "watch", Usage: "test again whenever the bot's files change; Ctrl-C ends"},
	}
}

// errNoneFailed means that --failed leaves no case to play.
var errNoneFailed = errors.New("no case failed")

// failUnder returns the value of --fail-under; nil if it is not set.
func failUnder(c *cli.Context) (*float64, error) {
	text := c.String("fail-under")
	if !c.IsSet("fail-under") {
		return nil, nil
	}
	points, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(points) || math.IsInf(points, 0) {
		return nil, usagef("--fail-under: found %q, expected a number of points, such as 50", text)
	}
	return &points, nil
}

func (a *app) test(c *cli.Context) error {
	if err := checkCompress(c); err != nil {
		return err
	}
	least, err := failUnder(c)
	if err != nil {
		return err
	}
	list, err := exports(c)
	if err != nil {
		return err
	}
	s, err := a.open(c, (*session).chooseTest)
	if errors.Is(err, errNoneFailed) {
		a.note("umpire: nothing to play: no case failed when the bot last played it\n")
		if c.Bool("json") {
			return a.out.JSON().Encode(report.TestResult{Game: c.Args().First(), Bot: c.Args().Get(1), Results: []report.TestMatch{}})
		}
		return nil
	}
	if err != nil {
		return err
	}
	return s.test(list, least)
}

// chooseTest checks the arguments of a test, and leaves the failed cases with
// --failed.
func (s *session) chooseTest() error {
	if n := s.c.NArg() - 1; n != 1 {
		return usagef("found %d bots, expected one: `umpire test GAME BOT`", n)
	}
	if s.c.IsSet("against") && s.game.MaxSeats == 1 {
		return usagef("--against: %s has one seat, so there is no opponent", s.game.Name)
	}
	if program.ParseEntrant("", s.c.String("against")).IsGuest() {
		return usagef("--against %s: a player from outside can't be the opponent of a test: umpire match %s BOT %s",
			s.c.String("against"), s.game.Name, s.c.String("against"))
	}
	if !s.c.Bool("failed") {
		return nil
	}
	if err := s.onlyFailed(); err != nil {
		return err
	}
	if len(s.set.Cases) == 0 {
		return errNoneFailed
	}
	return nil
}

// test plays the test. Its score must be at least least, if that is not nil.
func (s *session) test(list []export, least *float64) error {
	formula, err := scoring.Compile(s.game.Formula)
	if err != nil {
		return err
	}
	if s.c.IsSet("against") {
		if err := s.checkOpponent(); err != nil {
			return err
		}
	}
	unfit := s.brokenBots()
	if unfit != nil && !s.writesResult(list) {
		return unfit
	}
	fixtures := s.tests(s.bots[0])
	if unfit == nil {
		s.openSpool()
	}
	defer s.closeSpool()
	v := report.Test{
		Game: s.game, Result: report.TestResult{Bot: s.bots[0].Name, Cases: len(s.set.Cases)},
		Formula: formula, Under: s.under(), Quiet: s.c.Bool("quiet"),
		Again: func(name string) string { return s.playAgain("test", name) }, About: s.background(),
	}
	if s.c.IsSet("against") {
		v.Result.Against = s.house.Name
	}
	var rows *testRows
	if unfit == nil && forPeople(s.c, list) && !v.Quiet {
		rows = s.newTestRows(v)
	}
	p := s.progress("test", len(fixtures))
	records, err := s.play(s.c.Context, fixtures, func(n int, r record.Record) {
		rows.done(n, r)
		p.Count()
	})
	p.End()
	if err != nil {
		return s.testStopped(err, v, records, rows)
	}
	result, err := s.judgeTest(&v, records)
	if err != nil {
		return err
	}
	print := v.Print
	if unfit != nil {
		print = func(*report.Printer) {}
	}
	if err := s.printResult(s.c, list, v.Export(), result, print); err != nil {
		return err
	}
	if unfit != nil {
		return unfit
	}
	return s.testAnswer(result, least)
}

// judgeTest adds to the view what the records say of the cases that have been
// played, and remembers it.
func (s *session) judgeTest(v *report.Test, records []record.Record) (result report.TestResult, err error) {
	failed := s.failedMatches(records)
	without := make(map[string]bool)
	for _, f := range failed {
		without[f.Case] = true
	}
	set := s.set
	if len(failed) > 0 {
		set = set.Filter(func(c cases.Case) bool { return !without[c.Name] })
	}
	if v.Scores, err = s.judge(v.Formula, set, records); err != nil {
		return result, err
	}
	result = report.NewTestResult(s.game.Name, s.launcher.Level(), v.Scores, failed)
	s.lastTest().compare(&result, s.set)
	s.results = s.remember(result)
	if dir := s.c.String("o"); dir != "" {
		s.results = resultsIn(dir)
	}
	if s.c.IsSet("against") {
		result.Against, v.Opponent = s.house.Name, opponentTally(records)
	}
	v.Result = result
	if s.results != "" && s.bots[0].Kind == "" {
		v.Reproduce = s.reproduce
	}
	return result, nil
}

// testAnswer returns nil if all is well with a test, and otherwise what is not.
func (s *session) testAnswer(result report.TestResult, least *float64) error {
	switch {
	case len(result.Failed) > 0:
		return s.explainFailed(result.Failed)
	case least != nil && result.Score < *least:
		return &answer{exitNo, fmt.Errorf("the score, %s, is under the %s of --fail-under", report.Number(result.Score), report.Number(*least))}
	case result.OK < len(result.Results):
		return errNo
	}
	return nil
}

// checkOpponent checks that the opponent of --against can be started, and gives
// it a name that is not the bot's.
func (s *session) checkOpponent() error {
	both := []program.Bot{s.bots[0], s.house}
	program.UniqueNames(both)
	s.bots[0], s.house = both[0], both[1]
	if s.house.Kind != "" {
		return s.checkGuest(s.house)
	}
	if err := s.tryBot(s.house); err != nil {
		return &botError{usagef("bot %q: %w", s.house.Entrant.Label, err)}
	}
	return nil
}

// opponentTally counts how the matches ended for the seats that the opponent
// took.
func opponentTally(records []record.Record) scoring.Tally {
	tally := scoring.Tally{Verdicts: make(map[string]int)}
	for _, r := range records {
		for _, seat := range r.Seats {
			if seat.House && r.Error == "" {
				tally.Matches++
				tally.Verdicts[seat.Verdict]++
			}
		}
	}
	return tally
}

// failedMatches returns the matches that umpire could not play.
func (s *session) failedMatches(records []record.Record) []report.NotPlayed {
	var list []report.NotPlayed
	for _, r := range records {
		if r.Error != "" {
			seat := slices.IndexFunc(r.Seats, func(s record.Seat) bool { return !s.House }) + 1
			list = append(list, report.NotPlayed{Case: r.Case.Name, Group: r.Case.Group, ID: r.ID, Seat: seat, Error: r.Error})
		}
	}
	return list
}

// explainFailed returns the error of a test in which matches could not be
// played.
func (s *session) explainFailed(list []report.NotPlayed) error {
	more := ""
	if n := len(list) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Errorf("%w%s", &scoring.FailedError{Bot: s.bots[0].Name, Case: list[0].Case, Why: list[0].Error}, more)
}

// judge scores the records of a test, which has one submission, on cases without
// a failed match.
func (s *session) judge(formula scoring.Formula, set cases.Set, records []record.Record) (scoring.Scores, error) {
	var results scoring.Results
	results.Order(scoring.NewSubmission(s.bots[0].Name, s.bots[0].Digest))
	for i := range records {
		if records[i].ID != "" && records[i].Error == "" {
			results.Add(&records[i])
		}
	}
	return scoring.Task{Set: set, Formula: formula}.Score(&results)
}

// openSpool opens a spool for the records of a test, if there is a cache folder
// for them.
func (s *session) openSpool() {
	dir, err := build.CacheDir()
	if err != nil {
		return
	}
	if s.spool, err = record.NewSpool(dir); err != nil {
		s.note("umpire: keep the records: %v\n", err)
	}
}

func (s *session) closeSpool() {
	if s.spool != nil {
		_ = s.spool.Close()
	}
}
