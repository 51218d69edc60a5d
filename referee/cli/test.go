package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/scoring"
)

func (a *app) testCommand() *cli.Command {
	return &cli.Command{
		Name: "test", Usage: "play the game's standard cases and say, case by case, what happened and what it scored",
		ArgsUsage: "GAME BOT",
		Flags:     flags(caseFlags(), limitFlags(), runFlags(), outputFlags(), []cli.Flag{exportFlag()}),
		Action: func(c *cli.Context) error {
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

// tested is one match of a test: a case with the bot in one seat.
type tested struct {
	Case    string  `json:"case"`
	Group   string  `json:"group"`
	ID      string  `json:"id"`
	Seat    int     `json:"seat"`
	Verdict string  `json:"verdict"`
	Detail  string  `json:"detail"`
	X       int     `json:"x"`
	Place   int     `json:"place"`
	Score   float64 `json:"score"`  // of the case, by the formula
	Points  float64 `json:"points"` // what the case is worth
	WallUS  int64   `json:"wall_us"`
	CPUUS   int64   `json:"cpu_us"`
	Peak    int64   `json:"peak_bytes"`

	entry scoring.Entry
}

// testResult is what `test --json` prints.
type testResult struct {
	Game      string   `json:"game"`
	Bot       string   `json:"bot"`
	Isolation string   `json:"isolation"`
	Formula   string   `json:"formula"`
	Cases     int      `json:"cases"`
	OK        int      `json:"ok"` // matches with verdict ok
	Score     float64  `json:"score"`
	Points    float64  `json:"points"`
	Results   []tested `json:"results"`
	// Failed are the matches that umpire could not play. Their cases are not in
	// Results, and count neither in Score nor in Points.
	Failed []notPlayed `json:"failed,omitempty"`

	worth bool // the formula uses what cases are worth
}

// notPlayed is a match that umpire could not play.
type notPlayed struct {
	Case  string `json:"case"`
	Group string `json:"group"`
	ID    string `json:"id"`
	Seat  int    `json:"seat"`
	Error string `json:"error"`
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
	result := s.testResult(scores)
	result.Failed = failed
	result.worth = formula.Uses("P")
	if result.OK < len(result.Results) {
		s.results = s.keep()
	}
	if err := s.showTest(list, result, scores); err != nil {
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

// failedMatches are the matches that umpire could not play.
func (s *session) failedMatches(records []record.Record) []notPlayed {
	var list []notPlayed
	for _, r := range records {
		if r.Error != "" {
			seat := slices.IndexFunc(r.Seats, func(s record.Seat) bool { return !s.House }) + 1
			list = append(list, notPlayed{r.Case.Name, r.Case.Group, r.ID, seat, r.Error})
		}
	}
	return list
}

// explainFailed is the error of a test in which matches could not be played.
func (s *session) explainFailed(list []notPlayed) error {
	more := ""
	if n := len(list) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Errorf("%w%s", &scoring.FailedError{Bot: s.bots[0].Name, Case: list[0].Case, Why: list[0].Error}, more)
}

// judge scores the records of a test, which has one submission, on the cases
// of which no match failed.
func (s *session) judge(formula scoring.Formula, records []record.Record, failed []notPlayed) (scoring.Scores, error) {
	var results scoring.Results
	results.Put(scoring.NewSubmission(s.bots[0].Name, s.bots[0].Digest))
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
		set = set.Pick(func(c cases.Case) bool { return !without[c.Name] })
	}
	return scoring.Task{Set: set, Formula: formula}.Score(&results)
}

// testResult makes the result of a test of its scores.
func (s *session) testResult(scores scoring.Scores) testResult {
	one := scores.Submissions[0]
	result := testResult{
		Game: s.game.Name, Bot: one.Bot, Isolation: string(s.launcher.Level()), Formula: scores.Formula,
		Cases: len(one.Cases), OK: one.Verdicts[string(referee.OK)], Score: one.Score, Points: scores.Points,
	}
	for _, c := range one.Cases {
		for i, m := range c.Matches {
			seat := c.Entries[i].Record.Seats[m.Seat-1]
			result.Results = append(result.Results, tested{
				Case: c.Name, Group: c.Group, ID: m.ID, Seat: m.Seat, Verdict: m.Verdict, Detail: m.Detail,
				X: m.X, Place: m.Place, Score: c.Score, Points: c.P,
				WallUS: seat.WallUS, CPUUS: seat.CPUUS, Peak: seat.PeakBytes, entry: c.Entries[i],
			})
		}
	}
	return result
}

// openSpool makes a place for the records of a test without -o, where there is a
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

// keep gives the file in which the records are: the results file with -o, or
// one in the user's cache folder that holds those of the last test. It is "",
// and no more is said, if there is no such folder.
func (s *session) keep() string {
	if dir := s.c.String("o"); dir != "" {
		return filepath.Join(dir, record.ResultsFile)
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
