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
		Name: "test", Usage: "play the game's standard cases and show, case by case, what happened and the score",
		ArgsUsage: "GAME BOT",
		Flags:     flags(caseFlags(), limitFlags(), runFlags(), outputFlags(), compressFlag(), []cli.Flag{exportFlag()}),
		Action: func(c *cli.Context) error {
			if err := checkCompress(c); err != nil {
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
	p := s.progress("test", len(fixtures))
	records, err := s.play(s.c.Context, fixtures, p.done)
	p.end()
	if err != nil {
		return s.stopped(err, records)
	}
	failed := s.failedMatches(records)
	scores, err := s.judge(formula, records, failed)
	if err != nil {
		return err
	}
	result := report.NewTestResult(s.game.Name, s.launcher.Level(), scores, failed)
	if result.OK < len(result.Results) {
		s.results = s.keep()
	}
	v := report.Test{
		Game: s.game, Result: result, Scores: scores, Formula: formula, Under: s.under(), Quiet: s.c.Bool("quiet"),
		Again: func(name string) string { return s.playAgain("test", name) },
	}
	if s.results != "" {
		v.Reproduce = s.reproduce
	}
	if err := s.printResult(s.c, list, v.Export(), result, v.Print); err != nil {
		return err
	}
	switch {
	case len(failed) > 0:
		return s.explainFailed(failed)
	case result.OK < len(result.Results):
		return errNo
	}
	return nil
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

// judge scores the records of a test, which has one submission, on the cases
// without a failed match.
func (s *session) judge(formula scoring.Formula, records []record.Record, failed []report.NotPlayed) (scoring.Scores, error) {
	var results scoring.Results
	results.Order(scoring.NewSubmission(s.bots[0].Name, s.bots[0].Digest))
	for i := range records {
		if records[i].Error == "" {
			results.Add(&records[i])
		}
	}
	set := s.set
	if len(failed) > 0 {
		without := make(map[string]bool)
		for _, f := range failed {
			without[f.Case] = true
		}
		set = set.Filter(func(c cases.Case) bool { return !without[c.Name] })
	}
	return scoring.Task{Set: set, Formula: formula}.Score(&results)
}

// openSpool opens a spool for the records of a test without -o, if there is a
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
// else one in the user's cache folder with the records of the last test.
// Without a cache folder it silently returns "".
func (s *session) keep() string {
	if dir := s.c.String("o"); dir != "" {
		return resultsIn(dir)
	}
	if s.spool == nil {
		return ""
	}
	dir, err := build.CacheDir()
	path := filepath.Join(dir, "last-test.jsonl")
	if err == nil {
		err = s.spool.Save(path)
	}
	if err != nil {
		s.note("umpire: keep the records: %v\n", err)
		return ""
	}
	return path
}
