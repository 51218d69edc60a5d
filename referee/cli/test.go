package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/referee/cases"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

func (a *app) testCommand() *cli.Command {
	return &cli.Command{
		Name: "test", Usage: "play a bot on the game's cases; show what happened on each, and the score",
		ArgsUsage: "GAME BOT",
		Flags:     flags(caseFlags(), limitFlags(), runFlags(), guestFlags(), outputFlags(), []cli.Flag{appendFlag(), exportFlag()}),
		Action: func(c *cli.Context) error {
			if err := newResults(c); err != nil {
				return err
			}
			s, err := a.open(c)
			if err != nil {
				return err
			}
			if len(s.bots) != 1 {
				return usagef("found %d bots, expected one: `umpire test GAME BOT`", len(s.bots))
			}
			return s.test()
		},
	}
}

func (s *session) test() error {
	formula, err := scoring.Compile(s.game.Formula)
	if err != nil {
		return err
	}
	list, err := exports(s.c)
	if err != nil {
		return err
	}
	fixtures := s.tests(s.bots[0])
	if s.openSpool(); s.spool != nil {
		defer s.spool.Close()
	}
	v := report.Test{
		Game: s.game, Result: report.TestResult{Bot: s.bots[0].Name, Cases: len(s.set.Cases)},
		Formula: formula, Under: s.under(), Quiet: s.c.Bool("quiet"),
		Again: func(name string) string { return s.playAgain("test", name) },
	}
	var rows *testRows
	if forPeople(s.c, list) && !v.Quiet {
		rows = s.newTestRows(v)
	}
	p := s.progress("test", len(fixtures))
	records, err := s.play(s.c.Context, fixtures, func(n int, r record.Record) {
		rows.done(n, r)
		p.tick()
	})
	p.end()
	if err != nil {
		rows.rest()
		return s.testStopped(err, v, records, forPeople(s.c, list))
	}
	if err := s.judgeTest(&v, records); err != nil {
		return err
	}
	if err := s.printResult(s.c, list, v.Export(), v.Result, v.Print); err != nil {
		return err
	}
	switch failed := v.Result.Failed; {
	case len(failed) > 0:
		return s.explainFailed(failed)
	case v.Result.OK < len(v.Result.Results):
		return errNo
	}
	return nil
}

// judgeTest adds to the view what the records say on cases that have been
// played.
func (s *session) judgeTest(v *report.Test, records []record.Record) (err error) {
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
		return err
	}
	v.Result = report.NewTestResult(s.game.Name, s.launcher.Level(), v.Scores, failed)
	if v.Result.OK < len(v.Result.Results) {
		if s.results = s.keep(lastTest); s.results != "" {
			v.Reproduce = s.reproduce
		}
	}
	return nil
}

// lastTest is the file in the cache folder that holds the records of the last
// test.
const lastTest = "last-test.jsonl"

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

// openSpool opens a spool for the records of a run without -o, if there is a
// cache folder for them.
func (s *session) openSpool() {
	if s.writer != nil {
		return
	}
	dir, err := build.CacheDir()
	if err != nil {
		return
	}
	if s.spool, err = record.NewSpool(dir); err != nil {
		s.note("umpire: keep the records: %v\n", err)
	}
}

// keep returns the file that holds the records: the results file with -o, or
// else one with the name in the user's cache folder. Without a cache folder it
// silently returns "".
func (s *session) keep(name string) string {
	if dir := s.c.String("o"); dir != "" {
		return filepath.Join(dir, record.ResultsFile)
	}
	if s.spool == nil {
		return ""
	}
	dir, err := build.CacheDir()
	path := filepath.Join(dir, name)
	if err == nil {
		err = s.spool.Save(path)
	}
	if err != nil {
		s.note("umpire: keep the records: %v\n", err)
		return ""
	}
	return path
}
