package cli

import (
	"slices"

	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

// testRows shows the matches of a test while it runs, each case once it has
// ended and those before it have been shown.
type testRows struct {
	s       *session
	formula scoring.Formula
	rows    *report.TestRows
	seats   int             // number of matches of a case
	ended   []record.Record // by match; without id if it has not ended
	next    int             // the first case that is not shown
}

// newTestRows begins the output of a test for people.
func (s *session) newTestRows(v report.Test) *testRows {
	var names []string
	most := 0.0
	for _, c := range s.set.Cases {
		names = append(names, c.Name)
		most = max(most, c.Points)
	}
	seats := len(s.game.PlayedSeats())
	return &testRows{
		s: s, formula: v.Formula, rows: v.NewTestRows(s.out, names, most), seats: seats,
		ended: make([]record.Record, seats*len(names)),
	}
}

// done takes the record of the n-th match. Nothing is shown if t is nil.
func (t *testRows) done(n int, r record.Record) {
	if t == nil {
		return
	}
	r.Events = nil
	t.ended[n] = r
	for t.next < len(t.s.set.Cases) && t.show(t.next) {
		t.next++
	}
}

// rest shows the cases that have ended after one that has not.
func (t *testRows) rest() {
	if t == nil {
		return
	}
	for n := t.next; n < len(t.s.set.Cases); n++ {
		t.show(n)
	}
}

// show shows the n-th case, if it has ended.
func (t *testRows) show(n int) bool {
	records := t.ended[n*t.seats : (n+1)*t.seats]
	if !allEnded(records) {
		return false
	}
	if len(t.s.failedMatches(records)) > 0 {
		return true // the error at the end says why
	}
	c := t.s.set.Cases[n]
	one := cases.Set{Cases: []cases.Case{c}, Groups: []cases.Group{{Name: c.Group}}}
	// An error is explained when all matches are scored.
	if scores, err := t.s.judge(t.formula, one, records); err == nil {
		t.rows.Add(report.NewTestResult(t.s.game.Name, t.s.launcher.Level(), scores, nil).Results)
	}
	clear(records)
	return true
}

func allEnded(records []record.Record) bool {
	return !slices.ContainsFunc(records, func(r record.Record) bool { return r.ID == "" })
}
