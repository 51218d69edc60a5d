// Package collect reads the matches of a run, one after another, into what pages show of
// them together: figures of each bot, failures of a kind, notable matches, and what scoring
// needs. It keeps none of the records, so that its memory hardly grows with their number,
// and knows no page.
package collect

import (
	"cmp"
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
	Worth   *analysis.Match // nil: it is not known; until the match is added

	seats  []seat
	scored *record.Record // what scoring needs
	record *record.Record // without events where the worth is not asked for
}

// seat holds what a bot's page shows of one match: its times in its seat, and its failure.
type seat struct {
	times   report.Times
	failure *Failure // nil: it has not failed
}

// CaseName is the name of a match's case in lists and tables.
func CaseName(b *record.Summary) string {
	return page.SafeLine(cmp.Or(b.Case, page.Shorten(b.CaseText)))
}

// Read reads a match from its line, and returns its record.
func (in Reader) Read(m *Match, line record.Line, scan *record.Scanner) (record.Record, error) {
	r, err := scan.Record(line, &m.Summary)
	if err != nil {
		return r, err
	}
	m.Case, m.seats, m.record = CaseName(&m.Summary), seatsOf(r, line.File), new(r)
	if in.Scores {
		m.scored = in.scored(r)
	}
	if in.Analysed != nil {
		_ = referee.Guard(func() (err error) { // what is wrong with the record, its replay says
			m.Worth, err = in.Analysed.Of(r, in.Games, nil)
			return err
		})
	} else {
		m.record.Events = nil
	}
	return r, nil
}

// seatsOf takes from a record what the pages of its bots show.
func seatsOf(r record.Record, file string) []seat {
	seats := make([]seat, len(r.Seats))
	for i, s := range r.Seats {
		if s.Verdict != "ok" {
			detail := page.Clip(s.Detail, maxDetail)
			seats[i].failure = &Failure{
				Verdict: page.SafeLine(referee.Verdict(s.Verdict).Word(detail)), ID: page.SafeLine(r.Called()), File: file, Seat: i + 1,
				Detail: page.DetailOf(s.Verdict, detail, r.Package != nil), Hint: page.Safe(report.Hint(r.Isolation, s, report.Background{})),
				Stderr: page.Output(tail(strings.TrimSpace(s.Stderr), maxSaid)),
			}
		}
	}
	for _, e := range r.Events {
		if e.Fail == "" && e.Seat >= 1 && e.Seat <= len(seats) {
			seats[e.Seat-1].times.Add(e.Took())
		}
	}
	return seats
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
