package scoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/record"
)

// Reader reads the records of one game from results files, and completes them:
// hand-made records may leave out what follows from the rest.
type Reader struct {
	Game    protocols.Game
	Package *record.Package // that the game is from; nil: it is built in
	Others  int             // number of records of other games, which are skipped

	canonical map[string]string // canonical text of a case, by the text in a record
}

// Read reads the parts of a record that scoring needs; ok is false for a record
// of another game. For a line that is not a record the error is record.Line's.
func (d *Reader) Read(line record.Line) (r *record.Record, ok bool, err error) {
	// The events make up most of a record, and are rarely needed.
	var full struct {
		record.Record
		Events json.RawMessage `json:"events"`
	}
	if err := line.DecodeCounted(&full, &full.Record); err != nil {
		return nil, false, err
	}
	r = new(record.Record) // separate, so that the events' text is not kept in memory
	*r = full.Record
	if r.Game != d.Game.Name {
		d.Others++
		return nil, false, nil
	}
	if !(byHand(r) && r.Package == nil) && !record.SameGame(d.Game.Name, d.Package, r.Game, r.Package) {
		return nil, false, fmt.Errorf("%s:%d: found a record of %s, expected %s: scores of different judges can't be compared",
			line.File, line.Number, record.DescribeGame(r.Game, r.Package), record.DescribeGame(d.Game.Name, d.Package))
	}
	if err := d.complete(r, line, full.Events); err != nil {
		return nil, false, fmt.Errorf("%s:%d: record %s: %w", line.File, line.Number, r.ID, err)
	}
	return r, true, nil
}

// complete replaces the case's text by its canonical form, and fills in what a
// hand-made record may leave out.
func (d *Reader) complete(r *record.Record, line record.Line, events json.RawMessage) error {
	games := []protocols.Game{d.Game}
	text, ok := d.canonical[r.Case.Text]
	if !ok {
		_, c, err := r.Parse(games)
		if err != nil {
			return err
		}
		text = c.String()
		if d.canonical == nil {
			d.canonical = make(map[string]string)
		}
		d.canonical[r.Case.Text] = text
	}
	r.Case.Text = text
	if n := len(r.Seats); n < d.Game.MinSeats || n > d.Game.MaxSeats {
		return fmt.Errorf("seats: found %d, expected %s", n, d.Game.SeatRange())
	}
	if whole, err := judged(r, line); r.Error != "" || whole || err != nil {
		return err
	}
	return judge(r, events, games)
}

// byHand reports whether a record is not umpire's own, and may lack what those hold.
func byHand(r *record.Record) bool { return r.V == 0 || r.Umpire == "" }

// judged reports whether a record says how each seat ended. A score of 0 may be none,
// except in umpire's own records.
func judged(r *record.Record, line record.Line) (bool, error) {
	if slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return s.Verdict == "" || s.Place == 0 }) {
		return false, nil
	}
	if !byHand(r) || !slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return s.Score == (protocols.Score{}) }) {
		return true, nil
	}
	var has struct {
		Seats []struct {
			Score *protocols.Score `json:"score"`
		} `json:"seats"`
	}
	if err := line.Decode(&has); err != nil {
		return false, err
	}
	for _, s := range has.Seats {
		if s.Score == nil {
			return false, nil
		}
	}
	return true, nil
}

// judge fills in how each seat ended, by playing the events again.
func judge(r *record.Record, events json.RawMessage, games []protocols.Game) error {
	if len(events) > 0 {
		if err := json.Unmarshal(events, &r.Events); err != nil {
			return fmt.Errorf("events: %w", err)
		}
	}
	if r.Cut() {
		return errors.New("events: found a reply that is cut, and no verdict")
	}
	played, err := r.Replay(games, referee.Watcher{})
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

// Found collects the cases of stored records.
type Found struct {
	Cases []cases.Case // in order of appearance
	// Unlike says what the records disagree on; nil if they agree.
	Unlike error

	known map[[2]string]cases.Case // by name and text
}

// Add adds the case of a record that a Reader has read.
func (f *Found) Add(g protocols.Game, r *record.Record) {
	parsed, err := g.Parse(r.Case.Text)
	if err != nil {
		panic(fmt.Errorf("canonical text does not parse: %w", err))
	}
	if r.Limits != (record.Limits{}) {
		parsed = cases.Played(parsed, r.Limits.Limits())
	}
	c := cases.Case{
		Name: r.Case.Name, Group: r.Case.Group, Points: r.Case.Points, Case: parsed,
		Combine: cases.Combine(r.Case.Combine), Baseline: r.Case.Baseline, Order: r.Case.Order,
	}
	if r.V == 0 && c.Points == 0 {
		c.Points = cases.Points(g) // the record is hand-made
	}
	key := [2]string{r.Case.Name, r.Case.Text}
	have, ok := f.known[key]
	if !ok {
		if f.known == nil {
			f.known = make(map[[2]string]cases.Case)
		}
		f.known[key] = c
		f.Cases = append(f.Cases, c)
	} else if f.Unlike == nil && (c.Points != have.Points || c.Combine != have.Combine || c.Baseline != have.Baseline) {
		f.Unlike = fmt.Errorf("case %s: the stored results disagree about its points; choose a set with --cases", c.Name)
	}
}
