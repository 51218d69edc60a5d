package report

import (
	"slices"
	"strconv"
	"time"

	"umpire/protocols"
	"umpire/referee/standings"
)

// table returns the standings; exact, for other programs, or rounded, for
// people.
func (v Standings) table(exact bool) Table {
	columns := v.columns(exact)
	t := v.tableOf(columns)
	kinds := v.kinds()
	if exact || len(kinds) < 2 {
		return t
	}
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == kinds[0] })
	columns = slices.Replace(columns, at, at+len(kinds), Column{failures, func(r standings.Row) string { return strconv.Itoa(r.Failed) }})
	narrow := v.tableOf(columns)
	t.Narrow, t.Folded = &narrow, "failures by kind"
	return t
}

// failures is the name of the column that counts all failures.
const failures = "failures"

// tableOf returns columns of the standings.
func (v Standings) tableOf(columns []Column) Table {
	order := v.dispensable()
	t := Table{Title: "Standings"}
	for _, c := range columns {
		spare := 0
		if i := slices.IndexFunc(order, func(names []string) bool { return slices.Contains(names, c.Name) }); i >= 0 {
			spare = len(order) - i
			if !slices.ContainsFunc(v.Of.Rows, func(r standings.Row) bool { return c.cell(r) != "0" }) {
				spare += len(order)
			}
		}
		t.addColumn(c.Name, c.Name != "bot", spare)
	}
	t.Shade = func(row, column int) Colour {
		if columns[column].Name == "bot" && v.Of.Rows[row].Rank == 1 && !v.Of.Rows[row].House {
			return Bold
		}
		return ""
	}
	for _, row := range v.Of.Rows {
		cells := make([]any, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(row)
		}
		t.Add(cells...)
	}
	return t
}

// dispensable holds the columns of the standings in the order in which a narrow terminal
// leaves them out, some of them together, after those that are nothing but zeros: first
// times, then what can be told from other columns; kinds of failures, for which there is
// the column of all, before that one. What orders the rows stays.
func (v Standings) dispensable() [][]string {
	kinds, all := v.kinds(), []string{failures}
	if len(kinds) == 1 {
		kinds, all = nil, kinds
	}
	return [][]string{
		{"slowest"}, {"mean/move"}, {"difference"}, kinds, {betterIn}, {"mean"}, {"Elo"}, all, {"won", "drawn", "lost"}, {ToFirst}, {"played"},
	}
}

// kinds names the columns that count failures of one kind.
func (v Standings) kinds() (names []string) {
	for _, c := range v.failureColumns(false) {
		names = append(names, c.Name)
	}
	return names
}

func (v Standings) columns(forPrograms bool) []Column {
	whole := func(name string, f func(standings.Row) int) Column {
		return Column{name, func(r standings.Row) string { return strconv.Itoa(f(r)) }}
	}
	decimal := func(name string, f func(standings.Row) float64) Column {
		return Column{name, func(r standings.Row) string {
			if forPrograms {
				return exact(f(r))
			}
			return Number(f(r))
		}}
	}
	columns := []Column{
		{"rank", func(r standings.Row) string {
			if r.House && forPrograms {
				return ""
			}
			return RankOf(r)
		}},
		{"bot", func(r standings.Row) string { return r.Bot }},
	}
	columns = append(append(append(columns, v.Lead...), v.tiebreakColumns()...),
		whole("played", func(r standings.Row) int { return r.Played }))
	if v.Game.MaxSeats != 1 {
		columns = append(columns,
			whole("won", func(r standings.Row) int { return r.Won }),
			whole("drawn", func(r standings.Row) int { return r.Drawn }),
			whole("lost", func(r standings.Row) int { return r.Lost }))
	}
	if v.Game.Rank == protocols.ByWins || forPrograms {
		columns = append(columns, decimal("match points", func(r standings.Row) float64 { return r.MatchPoints }))
	}
	if v.Game.Rank == protocols.ByPlaces || forPrograms {
		columns = append(columns, whole("firsts", func(r standings.Row) int { return r.Firsts }))
	}
	score := "score"
	if forPrograms {
		score = "points" // as it was named first
	}
	columns = append(columns, Column{score, func(r standings.Row) string { return r.Points.String() }})
	if v.Game.MaxSeats != 1 || forPrograms {
		columns = append(columns, decimal("difference", func(r standings.Row) float64 { return r.Difference }))
	}
	columns = slices.Concat(columns, v.failureColumns(forPrograms), v.timeColumns(forPrograms), v.ratingColumns(forPrograms), v.pairedColumns(forPrograms))
	if forPrograms {
		columns = append(columns, v.certaintyColumns()...)
	}
	return columns
}

// tiebreakNames are the columns of the figures that only break ties. Buchholz is
// one of Lead.
var tiebreakNames = map[standings.Tiebreak]string{
	standings.Direct: "direct", standings.BuchholzCut1: "Buchholz cut 1", standings.SonnebornBerger: "Sonneborn-Berger",
}

// tiebreakColumns returns a column for each figure that broke ties, if any bot has
// it, and it is not among the other columns.
func (v Standings) tiebreakColumns() (columns []Column) {
	for _, t := range v.Of.Criteria {
		has := func(r standings.Row) bool { _, ok := r.Figures[t]; return ok }
		if name, ok := tiebreakNames[t]; ok && slices.ContainsFunc(v.Of.Rows, has) {
			columns = append(columns, Column{name, func(r standings.Row) string {
				if !has(r) {
					return ""
				}
				return Number(r.Figures[t])
			}})
		}
	}
	return columns
}

// failureColumns returns a column for each kind of failure that occurred; for
// programs, for all kinds.
func (v Standings) failureColumns(forPrograms bool) (columns []Column) {
	kinds := []string{"wrong"}
	for _, k := range protocols.Kinds {
		kinds = append(kinds, string(k))
	}
	for _, kind := range kinds {
		n := 0
		for _, r := range v.Of.Rows {
			n += r.Failures[kind]
		}
		name := kind
		if kind == string(protocols.KindTime) && !forPrograms {
			name = "timeouts" // time could be one
		}
		if n > 0 || forPrograms {
			columns = append(columns, Column{name, func(r standings.Row) string { return strconv.Itoa(r.Failures[kind]) }})
		}
	}
	return columns
}

func (v Standings) timeColumns(forPrograms bool) []Column {
	switch {
	case v.NoTimes:
		return nil
	case forPrograms:
		return []Column{
			{"mean_us", func(r standings.Row) string { return strconv.FormatFloat(r.MeanUS, 'f', 1, 64) }},
			{"slowest_us", func(r standings.Row) string { return strconv.FormatInt(r.SlowestUS, 10) }},
		}
	}
	moved := func(text func(standings.Row) string) func(standings.Row) string {
		return func(r standings.Row) string {
			if r.Replies == 0 && !r.RanOut {
				return "-"
			}
			return text(r)
		}
	}
	return []Column{
		{"mean/move", moved(func(r standings.Row) string { return millis(time.Duration(r.MeanUS * float64(time.Microsecond))) })},
		{"slowest", moved(func(r standings.Row) string { return timeUsed(micros(r.SlowestUS), r.RanOut) })},
	}
}

// pairedColumns returns the columns that compare the contestants of a scoring; nil
// if there is nothing to compare.
func (v Standings) pairedColumns(forPrograms bool) []Column {
	switch {
	case !slices.ContainsFunc(v.Of.Rows, func(r standings.Row) bool { return isPaired(r.ToFirst) }):
		return nil
	case forPrograms:
		return exactPaired()
	}
	return []Column{
		{ToFirst, func(r standings.Row) string { return pairedInterval(r.ToFirst) }},
		{betterIn, func(r standings.Row) string { return casesBetter(r.ToFirst) }},
	}
}
