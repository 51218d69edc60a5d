package report

import (
	"slices"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/scoring"
	"umpire/referee/standings"
)

// TestMatch is one match of a test: a case with the bot in one seat.
type TestMatch struct {
	Case    string          `json:"case"`
	Group   string          `json:"group"`
	ID      string          `json:"id"`
	Seat    int             `json:"seat"`
	Verdict string          `json:"verdict"`
	Detail  string          `json:"detail"`
	X       protocols.Score `json:"x"`
	Place   int             `json:"place"`
	Score   float64         `json:"score"`  // score of the case, by the formula
	Points  float64         `json:"points"` // points of the case
	WallUS  int64           `json:"wall_us"`
	CPUUS   int64           `json:"cpu_us"`
	Peak    int64           `json:"peak_bytes"`
	Early   int             `json:"early,omitempty"` // lines written before being asked
	// Uncounted is true where another match of its case has no result: it counts neither in
	// score nor in points.
	Uncounted bool `json:"uncounted,omitempty"`
	// Before is how the match ended when it was last tested; nil if it was not.
	Before *Before `json:"before,omitempty"`

	entry scoring.Entry
}

// Before is how the bot did in the same match when it was last tested.
type Before struct {
	Verdict string          `json:"verdict"`
	X       protocols.Score `json:"x"`
	Place   int             `json:"place"`
	Score   float64         `json:"score"` // points that the case earned
}

// TestResult is the result of a test in JSON.
type TestResult struct {
	Game      string      `json:"game"`
	Bot       string      `json:"bot"`
	Against   string      `json:"against,omitempty"` // the opponent, if it is not the game's
	Isolation string      `json:"isolation"`
	Formula   string      `json:"formula"`
	Cases     int         `json:"cases"`
	Broken    string      `json:"broken,omitempty"` // why the bot could not be compiled or started
	OK        int         `json:"ok"`               // matches with verdict ok
	Score     float64     `json:"score"`
	Points    float64     `json:"points"`
	Results   []TestMatch `json:"results"`
	// Voided counts, by cause, matches that were void for the bot and were played
	// again.
	Voided map[string]int `json:"voided,omitempty"`
	// Failed lists the matches without a result. The other matches of their cases are
	// Uncounted in Results.
	Failed []NotPlayed `json:"failed,omitempty"`
	// Earlier are the bot's earlier tests on the same cases; nil: none is in the log.
	Earlier *EarlierTests `json:"earlier,omitempty"`
}

// NotPlayed is a match without a result.
type NotPlayed struct {
	Case  string `json:"case"`
	Group string `json:"group"`
	ID    string `json:"id"`
	Seat  int    `json:"seat"`
	Fault string `json:"fault"` // whose it is: see record.Record.Fault
	Error string `json:"error"`
}

// NewTestResult makes the result of a test from the scores of its one
// submission. Own is this machine's level of isolation.
func NewTestResult(game string, own referee.Level, scores scoring.Scores, failed []NotPlayed) TestResult {
	one := scores.Submissions[0]
	result := TestResult{
		Game: game, Bot: one.Bot, Isolation: testLevel(one, own), Formula: scores.Formula,
		Results: []TestMatch{}, Cases: len(one.Cases), OK: one.Verdicts[string(referee.OK)], Score: one.Score, Points: scores.Points, Voided: make(map[string]int), Failed: failed,
	}
	for _, c := range one.Cases {
		for _, e := range c.Entries {
			for _, v := range e.Record.Voids {
				if v.Seat == e.Seat {
					result.Voided[v.Cause]++
				}
			}
			m := newTestMatch(e)
			m.Case, m.Group, m.Score, m.Points = c.Name, c.Group, c.Score, c.P
			result.Results = append(result.Results, m)
		}
	}
	return result
}

// newTestMatch is a match as its record has it, without a score.
func newTestMatch(e scoring.Entry) TestMatch {
	r, seat := e.Record, e.Record.Seats[e.Seat-1]
	return TestMatch{
		Case: r.Case.Name, Group: r.Case.Group, ID: r.ID, Seat: e.Seat, Verdict: seat.Verdict, Detail: seat.Detail,
		X: seat.Score, Place: seat.Place,
		WallUS: seat.WallUS, CPUUS: seat.CPUUS, Peak: seat.PeakBytes, Early: seat.Early, entry: e,
	}
}

// AddUncounted adds those of the records that have a result, and are of a case with another
// that has Failed.
func (r *TestResult) AddUncounted(records []record.Record) {
	for i := range records {
		one := &records[i]
		if one.ID == "" || one.Error != "" || !slices.ContainsFunc(r.Failed, func(f NotPlayed) bool { return f.Case == one.Case.Name }) {
			continue
		}
		m := newTestMatch(scoring.Entry{Record: one, Seat: slices.IndexFunc(one.Seats, func(s record.Seat) bool { return !s.House }) + 1})
		if m.Uncounted = true; m.Verdict == string(referee.OK) {
			r.OK++
		}
		r.Results = append(r.Results, m)
	}
}

// testLevel returns the common level of a submission's matches.
func testLevel(one scoring.Score, own referee.Level) string {
	var levels []standings.Level
	for _, c := range one.Cases {
		for _, e := range c.Entries {
			found := e.Record.Isolation
			if found != "" && !slices.ContainsFunc(levels, func(l standings.Level) bool { return l.Isolation == found }) {
				levels = append(levels, standings.Level{Isolation: found})
			}
		}
	}
	return CommonLevel(levels, own)
}
