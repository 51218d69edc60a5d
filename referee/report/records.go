package report

import (
	"cmp"
	"encoding/csv"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"

	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/standings"
)

// NewBreakdown reads records, each of which counts. What the house did in tests and
// scorings does not.
func NewBreakdown(records iter.Seq2[record.Record, error]) (*Breakdown, error) {
	groups, times, cases := make(map[string]string), make(map[standings.Bot]*Times), make(map[standings.Bot]map[string]*Counts)
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		groups[r.Case.Name] = r.Case.Group
		seats := r.Summary().Seats
		for i, s := range seats {
			bot := standings.BotOf(s)
			if bot.House {
				continue
			}
			if times[bot] == nil {
				times[bot], cases[bot] = &Times{}, make(map[string]*Counts)
			}
			if cases[bot][r.Case.Name] == nil {
				cases[bot][r.Case.Name] = &Counts{}
			}
			cases[bot][r.Case.Name].Add(seats, i)
		}
		for _, e := range r.Events {
			if e.Fail == "" && e.Seat >= 1 && e.Seat <= len(seats) && !seats[e.Seat-1].House {
				times[standings.BotOf(seats[e.Seat-1])].Add(e.Took())
			}
		}
	}
	return &Breakdown{
		Cases:  slices.Sorted(maps.Keys(groups)),
		Times:  func(r standings.Row) *Times { return cmp.Or(times[r.Key()], &Times{}) },
		On:     func(r standings.Row, name string) *Counts { return cases[r.Key()][name] },
		groups: groups,
	}, nil
}

// writeCases writes what each bot of the rows did on each case.
func writeCases(w io.Writer, rows []standings.Row, records iter.Seq2[record.Record, error]) error {
	b, err := NewBreakdown(records)
	if err != nil {
		return err
	}
	t := Table{Header: []string{"case", "group", "bot", "played", "won", "drawn", "lost", "failed", "points", "mean"}}
	for _, name := range b.Cases {
		for _, r := range rows {
			if n := b.On(r, name); n != nil {
				t.Add(name, b.groups[name], r.Bot, n.Played, n.Won, n.Drawn, n.Lost, n.Failed, n.Points, exact(n.Mean()))
			}
		}
	}
	return t.WriteCSV(w)
}

// Moves writes every reply and failure of matches as comma-separated values.
type Moves struct {
	out   *csv.Writer
	names *record.BotNames
}

// NewMoves begins with the names of the columns.
func NewMoves(w io.Writer, names *record.BotNames) (*Moves, error) {
	m := &Moves{csv.NewWriter(w), names}
	return m, m.out.Write([]string{
		"match", "case", "repetition", "ply", "seat", "bot", "reply", "fail", "wall_us", "cpu_us", "value", "best", "best_value", "lost", "class", "exact",
	})
}

// Add writes the moves of a match, with what they were worth; nil: that is not known.
func (m *Moves) Add(r record.Record, values *analysis.Match) error {
	worth := make(map[int]*analysis.Move)
	if values != nil {
		for i := range values.Moves {
			worth[values.Moves[i].Event] = &values.Moves[i]
		}
	}
	for n, e := range r.Events {
		bot := ""
		if e.Seat >= 1 && e.Seat <= len(r.Seats) {
			s := r.Seats[e.Seat-1]
			bot = m.names.Of(r.Game, s.Bot, s.Digest, s.House)
		}
		row := []string{
			r.Called(), r.Case.Name, strconv.Itoa(max(1, r.Repetition)), strconv.Itoa(n + 1), strconv.Itoa(e.Seat), bot, e.Text(), e.Fail,
			strconv.FormatInt(e.WallUS, 10), strconv.FormatInt(e.CPUUS, 10), "", "", "", "", "", "",
		}
		if v := worth[n]; v != nil {
			row = append(row[:10], exact(v.Value), v.Best, exact(v.BestValue), exact(v.Lost), string(v.Class), strconv.FormatBool(v.Exact))
		}
		if err := m.out.Write(cells(row)); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what is left.
func (m *Moves) Flush() error {
	m.out.Flush()
	return m.out.Error()
}

// writeMoves writes the moves of records.
func writeMoves(w io.Writer, names *record.BotNames, records iter.Seq2[record.Record, error]) error {
	m, err := NewMoves(w, names)
	if err != nil {
		return err
	}
	for r, err := range records {
		if err == nil {
			err = m.Add(r, nil)
		}
		if err != nil {
			return err
		}
	}
	return m.Flush()
}
