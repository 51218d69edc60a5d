package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// SubmissionsResult is how the submissions of a problem package fared against what the
// package expects of them.
type SubmissionsResult struct {
	Game        string          `json:"game"`
	Isolation   string          `json:"isolation"`
	Cases       int             `json:"cases"`
	Validators  int             `json:"validators"` // input validators that were run on every case
	Invalid     []InvalidInput  `json:"invalid,omitempty"`
	Submissions []SubmissionRow `json:"submissions"`
	Fine        bool            `json:"fine"` // all as expected, and one accepted
	Accepted    bool            `json:"-"`    // one at least is
}

// InvalidInput is an input that an input validator rejects.
type InvalidInput struct {
	Case      string `json:"case"`
	Validator string `json:"validator"`
	Why       string `json:"why"`
}

// SubmissionRow is how one submission fared.
type SubmissionRow struct {
	Name     string   `json:"name"`
	Expected []string `json:"expected"` // classes of verdicts, of which it must get one
	// Got is the class of its first verdict that is not AC, and AC where all are.
	Got       string   `json:"got"`
	OK        bool     `json:"ok"`                       // as expected
	Score     *float64 `json:"score,omitempty"`          // of the whole; absent where the problem has no scores, or a judge failed
	Scores    string   `json:"expected_score,omitempty"` // what the score must be; "": anything
	Rules     []string `json:"rules,omitempty"`          // what else is expected, on some cases
	Unmet     []string `json:"unmet,omitempty"`          // which of these do not hold, and what it got instead
	Skipped   string   `json:"skipped,omitempty"`        // why it could not be judged here
	Error     string   `json:"error,omitempty"`          // why its judge gave no verdict
	Case      string   `json:"case,omitempty"`           // the first that is not AC
	Verdict   string   `json:"verdict,omitempty"`        // there
	Detail    string   `json:"detail,omitempty"`
	Played    int      `json:"played"`     // cases
	SlowestUS int64    `json:"slowest_us"` // CPU time of its slowest case
	SlowestOn string   `json:"slowest_on,omitempty"`
}

// expected is what was expected of the verdict and of the score.
func (r SubmissionRow) expected(between string) string {
	out := strings.Join(r.Expected, between)
	if n := len(r.Rules); n > 0 {
		out = strings.TrimPrefix(out+" + "+Plural(n, "rule"), " + ")
	}
	return cmp.Or(out+enclosed(r.Scores, ", ", ""), "any")
}

// got is the verdict, and the score if there is one.
func (r SubmissionRow) got() string {
	if r.Score == nil {
		return r.Got
	}
	return r.Got + ", " + exact(*r.Score)
}

// difference says how the submission differs from what was expected.
func (r SubmissionRow) difference() string {
	if len(r.Unmet) > 0 {
		return "expected " + strings.Join(r.Unmet, "; ")
	}
	return fmt.Sprintf("expected %s, got %s%s", r.expected(" or "), r.got(), behind(r))
}

// state is how a row compares with what was expected.
func (r SubmissionRow) state() string {
	switch {
	case r.Skipped != "":
		return "skipped"
	case r.Error != "":
		return "error"
	case r.OK:
		return "ok"
	}
	return "differs"
}

// Submissions shows a SubmissionsResult.
type Submissions struct {
	Title  string
	Result SubmissionsResult
	Quiet  bool
}

// Print prints the result for people.
func (v Submissions) Print(p *Printer) { v.page().Print(p) }

func (v Submissions) page() Page {
	t := Table{Header: []string{"submission", "expected", "got", "", "slowest", "case"}, Right: []bool{false, false, false, false, true, false}, Spare: []int{0, 1, 0, 0, 2, 3}}
	var notes []string
	odd, skipped := 0, 0
	for _, r := range v.Result.Submissions {
		t.Add(r.Name, r.expected(" "), r.got(), r.state(), micros(r.SlowestUS).Round(time.Millisecond), r.Case)
		switch why := r.state(); why {
		case "differs":
			odd++
			notes = append(notes, r.Name+": "+r.difference())
		case "error":
			notes = append(notes, fmt.Sprintf("%s: no verdict on %s: %s", r.Name, r.Case, r.Error))
		case "skipped":
			skipped++
			notes = append(notes, fmt.Sprintf("%s: skipped: %s", r.Name, r.Skipped))
		}
	}
	for _, i := range v.Result.Invalid {
		notes = append(notes, fmt.Sprintf("%s: input validator %s rejects it: %s", i.Case, i.Validator, i.Why))
	}
	if v.Result.Validators == 0 {
		notes = append(notes, "no input validator was run")
	}
	if !v.Result.Accepted {
		notes = append(notes, "no submission was accepted")
	}
	judged, rest := Plural(len(v.Result.Submissions)-skipped, "submission"), ""
	if skipped > 0 {
		rest = fmt.Sprintf(", %d skipped", skipped)
	}
	if v.Result.Fine {
		notes = append(notes, judged+" as expected"+rest)
	} else if odd > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s not as expected%s", odd, judged, rest))
	}
	if v.Quiet {
		return Page{Notes: notes}
	}
	return Page{Title: v.Title, Tables: []Table{t}, Notes: notes}
}

// behind says on which case a submission did not get AC.
func behind(r SubmissionRow) string {
	if r.Case == "" {
		return ""
	}
	return fmt.Sprintf(" on %s (%s: %s)", r.Case, r.Verdict, strings.Join(strings.Fields(r.Detail), " "))
}

// Export returns the result for other programs.
func (v Submissions) Export() Exported {
	t := Table{Header: []string{"submission", "expected", "got", "state", "case", "verdict", "played", "slowest_us"}}
	suite := Suite{Name: v.Result.Game}
	for _, r := range v.Result.Submissions {
		t.Add(r.Name, r.expected(" "), r.got(), r.state(), r.Case, r.Verdict, r.Played, r.SlowestUS)
		check := Check{Group: "submissions", Name: r.Name, Time: micros(r.SlowestUS)}
		switch r.state() {
		case "differs":
			check.Verdict, check.Detail = "differs", r.difference()
		case "error":
			check.Error = r.Error
		case "skipped":
			check.Skipped = r.Skipped
		}
		suite.Checks = append(suite.Checks, check)
	}
	for _, i := range v.Result.Invalid {
		suite.Checks = append(suite.Checks, Check{Group: "inputs", Name: i.Case + " " + i.Validator, Verdict: "invalid", Detail: i.Why})
	}
	return Exported{Name: v.Result.Game, Table: t, Page: v.page(), Suites: []Suite{suite}}
}
