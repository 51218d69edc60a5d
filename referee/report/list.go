package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// List is a list of recorded matches.
type List struct {
	Rows  []Listed
	at    map[uint64]int // index of a match in Rows
	names record.BotNames
}

// Listed is a match in JSON.
type Listed struct {
	ID    string       `json:"id"`
	Name  string       `json:"name,omitempty"` // of the match; "": its id
	Game  string       `json:"game"`
	Case  string       `json:"case"`
	Seats []ListedSeat `json:"seats"`
	Error string       `json:"error,omitempty"` // why it has no result
}

// ListedSeat is how a match ended for a seat.
type ListedSeat struct {
	Bot     string          `json:"bot"` // its name; what it is called, once all are listed
	Digest  string          `json:"-"`
	House   bool            `json:"house,omitempty"` // it was the opponent in a test or scoring
	Verdict string          `json:"verdict"`
	Score   protocols.Score `json:"score"`
	Place   int             `json:"place"`
}

func (s ListedSeat) failed() bool { return s.Verdict != string(referee.OK) && s.Verdict != "" }

// Add adds a record. Of several records of one match the one that counts is
// listed, where the first of them stands.
func (l *List) Add(r record.Record) {
	row := Listed{ID: r.ID, Name: r.Name, Game: r.Game, Case: r.Case.Name, Error: r.Error}
	for _, s := range r.Seats {
		row.Seats = append(row.Seats, ListedSeat{s.Bot, s.Digest, s.House, s.Verdict, s.Score, s.Place})
		if r.Error == "" {
			l.names.Add(r.Game, s.Bot, s.Digest, s.House)
		}
	}
	key := r.Key()
	if key == 0 { // made by hand: each is a match of its own
		l.Rows = append(l.Rows, row)
		return
	}
	if l.at == nil {
		l.at = make(map[uint64]int)
	}
	i, ok := l.at[key]
	switch {
	case !ok:
		l.at[key] = len(l.Rows)
		l.Rows = append(l.Rows, row)
	case record.Supersedes(l.Rows[i].Error != "", r.Error != ""):
		l.Rows[i] = row
	}
}

// called has the bots be what they are called among all that are listed.
func (l *List) called() []Listed {
	for _, row := range l.Rows {
		for i, s := range row.Seats {
			row.Seats[i].Bot = l.names.Of(row.Game, s.Bot, s.Digest, s.House)
		}
	}
	return l.Rows
}

// Print prints the list as a table, once all have been added.
func (l *List) Print(p *Printer) {
	t := Table{Header: []string{"id", "bots", "case", "result"}}
	for _, row := range l.called() {
		names := make([]string, len(row.Seats))
		for i, s := range row.Seats {
			names[i] = cmp.Or(s.Bot, fmt.Sprintf("seat %d", i+1))
		}
		t.Add(cmp.Or(row.Name, row.ID), strings.Join(names, " : "), row.Case, row.result())
	}
	t.Shade = func(row, column int) Colour {
		if column == len(t.Header)-1 && l.Rows[row].bad() {
			return Red
		}
		return ""
	}
	p.Table(t)
}

// JSON prints the list as a line of JSON for each match, once all have been added.
func (l *List) JSON(p *Printer) error {
	out := p.JSON()
	for _, row := range l.called() {
		if err := out.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// result is the scores, seat by seat, and who failed.
func (m Listed) result() string {
	if m.Error != "" {
		return "not played: " + m.Error
	}
	scores := make([]string, len(m.Seats))
	failed := ""
	for i, s := range m.Seats {
		scores[i] = fmt.Sprint(s.Score)
		if !s.failed() {
			continue
		}
		failed += ", " + s.Verdict
		if len(m.Seats) > 1 {
			failed += fmt.Sprintf(" (seat %d)", i+1)
		}
	}
	return strings.Join(scores, " : ") + failed
}

// bad reports whether a seat failed, or umpire.
func (m Listed) bad() bool {
	return m.Error != "" || slices.ContainsFunc(m.Seats, ListedSeat.failed)
}
