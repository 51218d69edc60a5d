package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
)

// readStored takes in the results of --from.
func (k *scorer) readStored() error {
	type named struct{ name, text string }
	known := make(map[named]cases.Case)
	files := k.c.StringSlice("from")
	room := newKept(0)
	err := k.readResults(files, func(r *record.Record) {
		room.shorten(r)
		k.results.Add(r)
		c, key := k.caseOf(r), named{r.Case.Name, r.Case.Text}
		have, ok := known[key]
		if !ok {
			known[key] = c
			k.found = append(k.found, c)
		} else if k.unlike == nil && (c.Points != have.Points || c.Combine != have.Combine || c.Baseline != have.Baseline) {
			k.unlike = fmt.Errorf("case %s: the stored results say different things of what it is worth; --cases says which set is meant", c.Name)
		}
	})
	if err == nil && len(k.results.Submissions) == 0 && k.c.NArg() == 1 {
		err = usagef("--from: found no record of a submission to %s in %s", k.game.Name, strings.Join(files, ", "))
	}
	return err
}

// caseOf is the case of a record that readResults has read.
func (k *scorer) caseOf(r *record.Record) cases.Case {
	parsed, err := k.game.Parse(r.Case.Text)
	if err != nil {
		panic(fmt.Errorf("canonical text does not parse: %w", err))
	}
	c := cases.Case{
		Name: r.Case.Name, Group: r.Case.Group, Points: r.Case.Points, Case: parsed,
		Combine: cases.Combine(r.Case.Combine), Baseline: r.Case.Baseline,
	}
	if r.V == 0 && c.Points == 0 {
		c.Points = cases.Points(k.game) // the record was made by hand
	}
	return c
}

// readResults reads the game's records of results files, and makes them whole.
// Of each it keeps what scoring needs.
func (k *scorer) readResults(files []string, take func(*record.Record)) error {
	others, canonical := 0, make(map[string]string)
	for line, err := range k.lines(files) {
		if err != nil {
			return err
		}
		// The events are most of a record, and rarely needed.
		var full struct {
			record.Record
			Events json.RawMessage `json:"events"`
		}
		err = line.Decode(&full)
		if errors.Is(err, record.ErrTorn) {
			k.note("umpire: %v: passed over\n", err)
			continue
		}
		if err != nil {
			return usage(err)
		}
		r := full.Record
		if r.Game != k.game.Name {
			others++
			continue
		}
		if err := k.complete(&r, full.Events, canonical); err != nil {
			return usagef("%s:%d: record %s: %w", line.File, line.Number, report.Safe(r.ID), err)
		}
		take(&r)
	}
	if others > 0 {
		k.note("umpire: passed over %d records of other games\n", others)
	}
	return nil
}

// complete puts a record's case into its canonical text, and fills in what a
// record that was made by hand may leave out.
func (k *scorer) complete(r *record.Record, events json.RawMessage, canonical map[string]string) error {
	text, ok := canonical[r.Case.Text]
	if !ok {
		_, c, err := r.Parse(k.games)
		if err != nil {
			return err
		}
		text = c.String()
		canonical[r.Case.Text] = text
	}
	r.Case.Text = text
	if !slices.Contains([]cases.Combine{"", cases.Sum, cases.Min, cases.All}, cases.Combine(r.Case.Combine)) {
		return fmt.Errorf("case.combine: found %q, expected sum, min or all", r.Case.Combine)
	}
	if n := len(r.Seats); n < k.game.MinSeats || n > k.game.MaxSeats {
		return fmt.Errorf("seats: found %d, expected %s", n, seatRange(k.game))
	}
	judged := func(s record.Seat) bool { return s.Verdict != "" && s.Place > 0 }
	if r.Error != "" || !slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return !judged(s) }) {
		return nil
	}
	if len(events) > 0 {
		if err := json.Unmarshal(events, &r.Events); err != nil {
			return fmt.Errorf("events: %w", err)
		}
	}
	if r.Cut() {
		return errors.New("events: found a reply that is cut, and no verdict")
	}
	played, err := r.Again(k.games, referee.Watcher{})
	if err != nil {
		return err
	}
	r.Events = nil
	for i, s := range played.Seats {
		r.Seats[i].Verdict, r.Seats[i].Detail = string(s.Verdict), s.Detail
		r.Seats[i].Score, r.Seats[i].Place = s.Score, s.Place
	}
	return nil
}
