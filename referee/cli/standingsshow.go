package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/report"
	"umpire/referee/standings"
)

// standingsView prints standings.
type standingsView struct {
	*app
	c         *cli.Context
	game      protocols.Game
	title     string
	standings *standings.Standings
	lead      []column // what the order is by before the game's own rule
	rounds    []report.Table
	files     []string // that the records are in
}

// maxCrosstable is the most bots that a crosstable has.
const maxCrosstable = 500

// print prints standings as the flags want it; result is what --json prints,
// which holds v.standings.
func (v standingsView) print(result any, list []export) error {
	if v.c.Bool("no-times") {
		for i := range v.standings.Rows {
			r := &v.standings.Rows[i]
			r.WallUS, r.MeanUS, r.SlowestUS = 0, 0, 0
		}
	}
	exported := exported{Name: v.game.Name, Table: v.table(true), More: v.rounds}
	if n := len(v.standings.Rows); n <= maxCrosstable {
		exported.More = append([]report.Table{v.crosstable()}, v.rounds...)
	}
	for _, e := range list {
		if e.format == "junit" && exported.Suites == nil {
			var err error
			if exported.Suites, err = v.suites(); err != nil {
				return err
			}
		}
	}
	shown, err := v.export(list, exported)
	if err != nil || shown {
		return err
	}
	if v.c.Bool("json") {
		return v.json().Encode(result)
	}
	return v.text()
}

func (v standingsView) text() error {
	if v.c.Bool("quiet") {
		t := v.table(false)
		return t.Write(v.out, nil)
	}
	v.printf("%s\n\n", v.style(bold, v.title))
	tables := slices.Clone(v.rounds)
	tables = append(tables, v.table(false))
	const widest = 24
	if n := len(v.standings.Rows); n > 1 && n <= widest {
		tables = append(tables, v.crosstable())
	}
	if v.c.Bool("pairs") {
		tables = append(tables, v.pairs())
	}
	for i, t := range tables {
		if i > 0 {
			v.printf("\n")
		}
		if len(tables) > 1 {
			v.printf("%s\n", v.style(bold, t.Title))
		}
		if err := t.Write(v.out, func(row, _ int, text string) string {
			if row < 0 {
				return v.style(dim, text)
			}
			return text
		}); err != nil {
			return err
		}
	}
	for _, line := range v.remarks() {
		v.printf("\n%s\n", line)
	}
	return nil
}

// remarks are what a reader of the table must know.
func (v standingsView) remarks() (lines []string) {
	st := v.standings
	if st.Uneven && len(v.lead) == 0 {
		lines = append(lines, "Not all have played as many matches: the order is that of the means of a match.")
	}
	if st.Unrated {
		lines = append(lines, fmt.Sprintf("No ratings: there are %d bots.", len(st.Rows)))
	}
	if st.Failed > 0 {
		lines = append(lines, fmt.Sprintf("Not counted, since umpire could not play them: %d.", st.Failed))
	}
	if st.Duplicates > 0 {
		lines = append(lines, fmt.Sprintf("Not counted, since they are there twice: %d.", st.Duplicates))
	}
	return lines
}

// column is one column of the standings.
type column struct {
	name string
	left bool
	cell func(r standings.Row) string
}

// table is the standings; exact, for other programs, or for people.
func (v standingsView) table(exact bool) report.Table {
	columns := v.columns(exact)
	t := report.Table{Title: "Standings"}
	for _, c := range columns {
		t.Header, t.Right = append(t.Header, c.name), append(t.Right, !c.left)
	}
	for _, row := range v.standings.Rows {
		cells := make([]any, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(row)
		}
		t.Add(cells...)
	}
	return t
}

func (v standingsView) columns(exact bool) []column {
	whole := func(name string, f func(standings.Row) int) column {
		return column{name, false, func(r standings.Row) string { return strconv.Itoa(f(r)) }}
	}
	decimal := func(name string, f func(standings.Row) float64) column {
		return column{name, false, func(r standings.Row) string {
			if exact {
				return strconv.FormatFloat(f(r), 'f', -1, 64)
			}
			return number(f(r))
		}}
	}
	columns := []column{
		{"rank", false, func(r standings.Row) string {
			if r.Tied && !exact {
				return fmt.Sprintf("%d=", r.Rank)
			}
			return strconv.Itoa(r.Rank)
		}},
		{"bot", true, func(r standings.Row) string { return report.Safe(r.Bot) }},
	}
	columns = append(append(columns, v.lead...),
		whole("played", func(r standings.Row) int { return r.Played }),
		whole("won", func(r standings.Row) int { return r.Won }),
		whole("drawn", func(r standings.Row) int { return r.Drawn }),
		whole("lost", func(r standings.Row) int { return r.Lost }))
	if v.game.Rank == protocols.ByWins || exact {
		columns = append(columns, decimal("match points", func(r standings.Row) float64 { return r.MatchPoints }))
	}
	if v.game.Rank == protocols.ByPlaces || exact {
		columns = append(columns, whole("firsts", func(r standings.Row) int { return r.Firsts }))
	}
	columns = append(columns,
		whole("points", func(r standings.Row) int { return int(r.Points) }),
		decimal("difference", func(r standings.Row) float64 { return r.Difference }))
	return append(append(append(columns, v.failureColumns(exact)...), v.timeColumns(exact)...), v.ratingColumns(exact)...)
}

// failureColumns are a column for each kind of failure there is; all, if exact.
func (v standingsView) failureColumns(exact bool) (columns []column) {
	kinds := []string{"wrong"}
	for _, k := range protocols.Kinds {
		kinds = append(kinds, string(k))
	}
	for _, kind := range kinds {
		n := 0
		for _, r := range v.standings.Rows {
			n += r.Failures[kind]
		}
		if n > 0 || exact {
			columns = append(columns, column{kind, false, func(r standings.Row) string { return strconv.Itoa(r.Failures[kind]) }})
		}
	}
	return columns
}

func (v standingsView) timeColumns(exact bool) []column {
	switch {
	case v.c.Bool("no-times"):
		return nil
	case exact:
		return []column{
			{"mean_us", false, func(r standings.Row) string { return strconv.FormatFloat(r.MeanUS, 'f', 1, 64) }},
			{"slowest_us", false, func(r standings.Row) string { return strconv.FormatInt(r.SlowestUS, 10) }},
		}
	}
	us := func(x float64) string { return millis(time.Duration(x * float64(time.Microsecond))) }
	return []column{
		{"mean a move", false, func(r standings.Row) string { return us(r.MeanUS) }},
		{"slowest", false, func(r standings.Row) string { return us(float64(r.SlowestUS)) }},
	}
}

func (v standingsView) ratingColumns(exact bool) []column {
	name := "mean"
	rating := func(r standings.Row) *standings.Rating { return r.Mean }
	digits := 2
	for _, r := range v.standings.Rows {
		if r.Rating != nil {
			name, digits = "Elo", 0
			rating = func(r standings.Row) *standings.Rating { return r.Rating }
		}
	}
	if !exact {
		return []column{{name, false, func(r standings.Row) string { return interval(rating(r), digits) }}}
	}
	value := func(f func(*standings.Rating) *float64) func(standings.Row) string {
		return func(r standings.Row) string {
			if rating(r) == nil || f(rating(r)) == nil {
				return ""
			}
			return strconv.FormatFloat(*f(rating(r)), 'f', -1, 64)
		}
	}
	return []column{
		{strings.ToLower(name), false, value(func(r *standings.Rating) *float64 { return &r.Value })},
		{"low", false, value(func(r *standings.Rating) *float64 { return r.Low })},
		{"high", false, value(func(r *standings.Rating) *float64 { return r.High })},
	}
}

// interval prints a rating with its 95 % interval.
func interval(r *standings.Rating, digits int) string {
	if r == nil {
		return "-"
	}
	text := strconv.FormatFloat(r.Value, 'f', digits, 64)
	if r.Low == nil {
		return text
	}
	return fmt.Sprintf("%s ±%s", text, strconv.FormatFloat((*r.High-*r.Low)/2, 'f', digits, 64))
}

// crosstable is what each bot did against each other: won-drawn-lost.
func (v standingsView) crosstable() report.Table {
	rows := v.standings.Rows
	t := report.Table{Title: "Crosstable (won-drawn-lost)", Header: []string{"", "bot"}, Right: []bool{true, false}}
	place := make(map[string]int)
	for i, r := range rows {
		t.Header, t.Right = append(t.Header, strconv.Itoa(i+1)), append(t.Right, true)
		place[r.Bot] = i
	}
	cells := make([][]any, len(rows))
	for i, r := range rows {
		cells[i] = make([]any, 2+len(rows))
		for j := range cells[i] {
			cells[i][j] = ""
		}
		cells[i][0], cells[i][1], cells[i][2+i] = i+1, report.Safe(r.Bot), "·"
	}
	for _, p := range v.standings.Pairs {
		i, j := place[p.Bot], place[p.Opponent]
		cells[i][2+j] = fmt.Sprintf("%d-%d-%d", p.Won, p.Drawn, p.Lost)
		cells[j][2+i] = fmt.Sprintf("%d-%d-%d", p.Lost, p.Drawn, p.Won)
	}
	for _, row := range cells {
		t.Add(row...)
	}
	return t
}

// pairs is what every two bots did against each other, in full.
func (v standingsView) pairs() report.Table {
	t := report.Table{
		Title:  "Head to head",
		Header: []string{"bot", "opponent", "played", "won", "drawn", "lost", "points", "against"},
		Right:  []bool{false, false, true, true, true, true, true, true},
	}
	for _, p := range v.standings.Pairs {
		t.Add(report.Safe(p.Bot), report.Safe(p.Opponent), p.Played, p.Won, p.Drawn, p.Lost, p.Points, p.Against)
	}
	return t
}

// roundTables are the encounters of a Swiss tournament or knockout.
func (s *organised) roundTables(rounds [][]encounter) (tables []report.Table) {
	for n, round := range rounds {
		t := report.Table{
			Title:  fmt.Sprintf("Round %d", n+1),
			Header: []string{"bot", "opponent", "match points", "points", "result"}, Right: []bool{false, false, true, true, false},
		}
		for _, e := range round {
			if len(e.Bots) == 1 {
				t.Add(report.Safe(e.Bots[0]), "-", "", "", "bye")
				continue
			}
			result := map[float64]string{0: report.Safe(e.Bots[1]), 0.5: "tie", 1: report.Safe(e.Bots[0])}[e.Result]
			if e.Winner != "" && e.Result == 0.5 {
				result = "tie, " + report.Safe(e.Winner) + " goes on"
			}
			t.Add(report.Safe(e.Bots[0]), report.Safe(e.Bots[1]), number(e.Wins[0])+":"+number(e.Wins[1]),
				fmt.Sprintf("%d:%d", e.Scores[0], e.Scores[1]), result)
		}
		tables = append(tables, t)
	}
	return tables
}

// plural is a number of things.
func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
