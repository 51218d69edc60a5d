// Package collect reads the matches of a run, one after another, into what pages show of
// them together: figures of each bot, failures of a kind, notable matches, and what scoring
// needs. It keeps none of the records, so that its memory hardly grows with their number,
// and knows no page.
package collect

import (
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
)

// What is kept of a match that others wrote.
const (
	maxDetail = 2000 // bytes of a detail
	maxSaid   = 600  // bytes of standard error beside a failure
)

// Reader reads matches from their records. It is safe for concurrent use.
type Reader struct {
	Games    []protocols.Game
	Scores   bool             // scoring is going to be asked for
	Analysed *analysis.Memory // what is known so far of the worth of replies; nil: none is to be valued
}

// Match is a match, as lists and tables show it.
type Match struct {
	Summary record.Summary
	Case    string          // its name
	Failed  string          // why umpire failed to play it
	Worth   *analysis.Match // nil: it is not known; until the match is added

	group   string
	level   string // of isolation
	id      string
	started string
	umpire  string
	limits  record.Limits
	details []string // of seats that failed
	hints   []string
	stderr  []string
	times   []report.Times
	shares  []float64      // of the budget, by seat; -1: there is none
	scored  *record.Record // what scoring needs
	record  *record.Record // with the worth
}

// Read reads a match from its line, and returns its record.
func (in Reader) Read(m *Match, line record.Line, scan *record.Scanner) (record.Record, error) {
	r, err := scan.Record(line, &m.Summary)
	if err != nil {
		return r, err
	}
	m.fill(r)
	if in.Scores {
		m.scored = in.scored(r)
	}
	if in.Analysed != nil {
		_ = referee.Guard(func() (err error) { // what is wrong with the record, its replay says
			m.Worth, err = in.Analysed.Of(r, in.Games, nil)
			return err
		})
		m.record = &r
	}
	return r, nil
}

// fill takes from a record what lists and tables show.
func (m *Match) fill(r record.Record) {
	m.Case, m.group = page.SafeLine(r.Case.Name), page.SafeLine(r.Case.Group)
	if m.Case == "" {
		m.Case = page.SafeLine(page.Shorten(r.Case.Text))
	}
	m.Failed, m.level, m.id = page.Published(page.Clip(r.Error, maxDetail)), r.Isolation, page.SafeLine(r.Called())
	m.started, m.umpire, m.limits = page.SafeLine(r.Started), r.Umpire, r.Limits
	n := len(r.Seats)
	m.details, m.hints, m.stderr = make([]string, n), make([]string, n), make([]string, n)
	m.times, m.shares = make([]report.Times, n), make([]float64, n)
	for i, seat := range r.Seats {
		if seat.Verdict != "ok" {
			m.details[i] = page.Published(page.Clip(seat.Detail, maxDetail))
			m.hints[i] = page.Published(report.Hint(r.Isolation, seat, nil))
			m.stderr[i] = page.Published(tail(strings.TrimSpace(seat.Stderr), maxSaid))
		}
		m.shares[i] = -1
		if used := max(seat.ChargedUS, 0); r.Limits.TimeUS > 0 {
			m.shares[i] = min(1, float64(used)/float64(r.Limits.TimeUS)) // a failure may be beyond it
		}
	}
	for _, e := range r.Events {
		if e.Fail == "" && e.Seat >= 1 && e.Seat <= n {
			m.times[e.Seat-1].Add(e.WallUS)
		}
	}
}

// tail is the end of a text, from the beginning of a line if that is possible.
func tail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = strings.ToValidUTF8(text[len(text)-limit:], "")
	if _, after, ok := strings.Cut(text, "\n"); ok {
		text = after
	}
	return "…\n" + text
}

// scored is the part of a submission's record that scoring needs; nil if it is
// no submission's, being a match without the house, or its case is not in
// canonical form.
func (in Reader) scored(r record.Record) *record.Record {
	if len(r.Seats) > 1 && !slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return s.House }) {
		return nil
	}
	if _, c, err := r.Parse(in.Games); err != nil || c.String() != r.Case.Text {
		return nil
	}
	r.Events = nil
	r.Seats = slices.Clone(r.Seats)
	for i := range r.Seats {
		r.Seats[i].Stderr, r.Seats[i].StderrAfter, r.Seats[i].Detail = "", "", ""
	}
	return &r
}
