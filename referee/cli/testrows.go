package cli

import (
	"slices"

	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
	"umpire/referee/session"
)

// testRows shows the matches of a test while it runs, each case once it has
// ended and those before it have been shown.
type testRows struct {
	s       *session.Session
	formula scoring.Formula
	rows    *report.TestRows
	seats   int             // number of matches of a case
	ended   []record.Record // by match; without id if it has not ended
	next    int             // the first case that is not shown
}

// newTestRows begins the output of a test for people.
func newTestRows(view report.Test, out *report.Printer, s *session.Session) *testRows {
	var names []string
	most := 0.0
	for _, c := range s.Set.Cases {
		names = append(names, c.Name)
		most = max(most, c.Points)
	}
	seats := len(s.Game.PlayedSeats())
	return &testRows{
		s: s, formula: view.Formula, rows: view.NewTestRows(out, names, most), seats: seats,
		ended: make([]record.Record, seats*len(names)),
	}
}

// done takes the record of the n-th match. Nothing is shown if t is nil.
func (t *testRows) done(n int, r record.Record) {
	if t == nil {
		return
	}
	r.Events = slices.DeleteFunc(slices.Clone(r.Events), func(e record.Event) bool { return e.StallUS == 0 }) // the table needs no others
	t.ended[n] = r
	for t.next < len(t.s.Set.Cases) && t.show(t.next) {
		t.next++
	}
}

// end shows the cases that have ended after one that has not, and what stands below.
func (t *testRows) end() {
	if t == nil {
		return
	}
	for n := t.next; n < len(t.s.Set.Cases); n++ {
		t.show(n)
	}
	t.rows.End()
}

// show shows the n-th case, if it has ended.
func (t *testRows) show(n int) bool {
	records := t.ended[n*t.seats : (n+1)*t.seats]
	if !session.AllEnded(records) {
		return false
	}
	if failed := session.NotPlayed(records); len(failed) > 0 { // the error at the end says why
		others := report.TestResult{Failed: failed}
		others.AddUncounted(records)
		t.rows.Add(others.Results)
		return true
	}
	c := t.s.Set.Cases[n]
	one := cases.Set{Cases: []cases.Case{c}, Groups: []cases.Group{{Name: c.Group}}}
	// An error is explained when all matches are scored.
	if scores, err := session.Judge(t.s, t.formula, one, records); err == nil {
		t.rows.Add(report.NewTestResult(t.s.Game.Name, t.s.Level, scores, nil).Results)
	}
	clear(records)
	return true
}
