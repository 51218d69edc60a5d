package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee/standings"
)

// Standings prints standings.
type Standings struct {
	Game  protocols.Game
	Title string
	Of    *standings.Standings
	// Encounters are those of a Swiss tournament or knockout, and Rounds its rounds as
	// tables: none where a round is too long to be shown.
	Encounters RoundsJSON
	Rounds     []Table
	long       int      // encounters of a round, where these are too many to be shown
	Lead       []Column // columns that order the rows before the game's own rule

	bracket *standings.Bracket // of a knockout; nil for other formats

	SPRT  *SPRT  // the sequential test that ends the tournament; nil: none
	Until *Until // of a round robin that goes on where its order is least certain; nil: all is played

	Missing, Total int // matches of the tournament that are still to be played, and all
	Unrelated      int // matches that do not count, being of another tournament

	Quiet        bool // print only the standings
	Pairs        bool // also print head-to-head results
	NoTimes      bool // leave out times
	NoCrosstable bool // leave out the crosstable
	Verbose      bool // also print compilers' words about bots that could not be compiled
}

// StandingsJSON is the JSON form of standings.
type StandingsJSON struct {
	Game   string `json:"game"`
	Format string `json:"format,omitempty"` // knockout, if they are those of one
	// Filter is which matches count; nil: all.
	Filter *standings.Filter `json:"filter,omitempty"`
	// Missing is how many matches of the tournament are still to be played, without
	// those that failed, and Unrelated how many are in its folder that are not of it.
	SPRT      *SPRT  `json:"sprt,omitempty"`
	Until     *Until `json:"until,omitempty"`
	Missing   int    `json:"missing,omitempty"`
	Unrelated int    `json:"unrelated,omitempty"`
	Why       *Why   `json:"why,omitempty"` // with --why
	standings.Standings
	RoundsJSON
}

// Column is one column of the standings.
type Column struct {
	Name string
	left bool
	cell func(r standings.Row) string
}

// widestCrosstable is the most bots that a crosstable is shown for: larger ones
// are illegible.
const widestCrosstable = 24

// Export returns the standings for other programs, without the single matches.
func (v Standings) Export() Exported {
	cross := v.crosstable()
	cross.Header[0] = "rank"
	for _, row := range cross.Rows {
		for i := 2; i < len(row); i++ {
			row[i] = strings.ReplaceAll(row[i], "-", " ") // 3-1-0 is a date to a spreadsheet
		}
	}
	return Exported{Name: v.Game.Name, Table: v.table(true), Cross: &cross, Pairs: v.pairTable(), Rows: v.Of.Rows, Page: v.page()}
}

// Print prints the standings for people.
func (v Standings) Print(p *Printer) { v.page().Print(p) }

// page returns the standings as people read them.
func (v Standings) page() Page {
	if v.Quiet {
		t := v.table(false)
		t.Title = ""
		return Page{Tables: []Table{t}}
	}
	unplayable := slices.ContainsFunc(v.Of.Rows, func(r standings.Row) bool { return r.Broken != "" || r.NotJudged != "" })
	if v.Of.Matches+v.Of.Failed == 0 && v.bracket == nil && !unplayable {
		return Page{Title: v.Title + "; no match has ended yet"}
	}
	var tables []Table
	if v.bracket != nil {
		tables = append(tables, bracketTable(*v.bracket))
	}
	tables = append(append(tables, v.Rounds...), v.table(false))
	notes := append(v.ratingNotes(), v.footnotes(v.broken())...)
	if t, note, ok := v.certaintyTable(); ok {
		tables, notes = append(tables, t), append([]string{note}, notes...)
	}
	if n := len(v.Of.Rows); n > 1 && n <= widestCrosstable && !v.NoCrosstable && len(v.Of.Pairs) > 0 {
		tables = append(tables, v.crosstable())
	}
	if v.Pairs {
		tables = append(tables, v.headToHead())
	}
	if len(tables) == 1 {
		tables[0].Title = ""
	}
	return Page{Title: v.Title, Tables: tables, Notes: notes}
}

// broken lists the bots that could not be compiled or started.
func (v Standings) broken() (list []brokenBot) {
	for _, row := range v.Of.Rows {
		if row.Broken != "" {
			list = append(list, brokenBot{row.Bot, row.Broken})
		}
	}
	return list
}

// footnotes returns what a reader of the table must know.
func (v Standings) footnotes(broken []brokenBot) (lines []string) {
	st := v.Of
	if v.bracket != nil {
		lines = append(lines, bracketNote(*v.bracket))
	}
	if v.SPRT != nil {
		lines = append(lines, strings.Join(v.SPRT.lines(), "\n"))
	}
	if v.Until != nil {
		lines = append(lines, strings.Join(v.Until.lines(), "\n"))
	}
	if v.Missing > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s still to be played.", v.Missing, Plural(v.Total, "match")+are(v.Missing)))
	}
	if v.Unrelated > 0 {
		lines = append(lines, UnrelatedNote(v.Unrelated)+".")
	}
	var notJudged []NotJudged
	for _, row := range st.Rows {
		if row.NotJudged != "" {
			notJudged = append(notJudged, NotJudged{row.Bot, row.NotJudged})
		}
	}
	lines = append(append(lines, brokenNote(broken, v.Verbose)...), notJudgedNotes(notJudged)...)
	if len(st.Ranked()) < len(st.Rows) {
		lines = append(lines, "Without a rank: the opponent of a test or scoring.")
	}
	if v.long > 0 {
		lines = append(lines, fmt.Sprintf("The rounds, of up to %d encounters, are left out; --json has them.", v.long))
	}
	if st.Uneven && len(v.Lead) == 0 && v.Until == nil {
		lines = append(lines, "Not all bots have played equally many matches: they are ordered by means per match.")
	}
	if st.Repeated > 0 {
		lines = append(lines, fmt.Sprintf("%d of the %d matches repeat others reply by reply: ratings and their intervals rest on the %d distinct results.",
			st.Repeated, st.Matches, st.Matches-st.Repeated))
	}
	if i := slices.IndexFunc(st.Rows, func(r standings.Row) bool { return isPaired(r.ToFirst) }); i >= 0 {
		lines = append(lines, pairedNote(*st.Rows[i].ToFirst))
	}
	if st.Unrated {
		lines = append(lines, fmt.Sprintf("No ratings: %d pairs of bots have met.", len(st.Pairs)))
	}
	note, judged := judgeNote(st.JudgeErrors)
	if judged > 0 {
		lines = append(lines, note)
	}
	if n := st.Failed - judged; n > 0 {
		lines = append(lines, fmt.Sprintf("Not counted, since umpire could not play them: %d.", n))
	}
	if st.Duplicates > 0 {
		lines = append(lines, fmt.Sprintf("Not counted, since they occur twice: %d.", st.Duplicates))
	}
	return append(append(lines, voidNotes(st.Rows)...), placeNotes(st)...)
}

// judgeNote says after whose replies the judge failed, and in how many matches.
func judgeNote(errors map[string]int) (note string, all int) {
	var parts []string
	bots := slices.Sorted(maps.Keys(errors))
	for _, bot := range bots {
		all += errors[bot]
		parts = append(parts, fmt.Sprintf("%d after a reply of %s", errors[bot], bot))
	}
	if len(parts) == 1 {
		parts[0] = "all after a reply of " + bots[0]
	}
	return fmt.Sprintf("Without a result, since the judge failed: %d, %s.", all, strings.Join(parts, ", ")), all
}

// are returns the verb for n things.
func are(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// UnrelatedNote says that n matches do not count.
func UnrelatedNote(n int) string {
	return fmt.Sprintf("%s in the folder%s not of this tournament; --all counts them", Plural(n, "match"), are(n))
}

// table returns the standings; exact, for other programs, or rounded, for
// people.
func (v Standings) table(exact bool) Table {
	columns := v.columns(exact)
	t := v.tableOf(columns)
	kinds := v.failureColumns(false)
	if exact || len(kinds) < 2 {
		return t
	}
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == kinds[0].Name })
	columns = slices.Replace(columns, at, at+len(kinds), Column{failures, false, func(r standings.Row) string {
		all := 0
		for _, n := range r.Failures {
			all += n
		}
		return strconv.Itoa(all)
	}})
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
		t.addColumn(c.Name, !c.left)
		spare := 0
		if i := slices.IndexFunc(order, func(names []string) bool { return slices.Contains(names, c.Name) }); i >= 0 {
			spare = len(order) - i
			if !slices.ContainsFunc(v.Of.Rows, func(r standings.Row) bool { return c.cell(r) != "0" }) {
				spare += len(order)
			}
		}
		t.Spare = append(t.Spare, spare)
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
	var kinds []string
	for _, c := range v.failureColumns(false) {
		kinds = append(kinds, c.Name)
	}
	list := [][]string{{"slowest"}, {"mean/move"}, {"difference"}}
	rest := [][]string{{betterIn}, {"mean"}, {"Elo"}, {failures}, {"won", "drawn", "lost"}, {ToFirst}, {"played"}}
	if len(kinds) == 1 {
		rest[3] = kinds
		return append(list, rest...)
	}
	return append(append(list, kinds), rest...)
}

// failureName is the name of the column that counts failures of a kind.
func failureName(kind string) string {
	if kind == string(protocols.KindTime) {
		return "timeouts" // time could be one
	}
	return kind
}

func (v Standings) columns(forPrograms bool) []Column {
	whole := func(name string, f func(standings.Row) int) Column {
		return Column{name, false, func(r standings.Row) string { return strconv.Itoa(f(r)) }}
	}
	decimal := func(name string, f func(standings.Row) float64) Column {
		return Column{name, false, func(r standings.Row) string {
			if forPrograms {
				return exact(f(r))
			}
			return Number(f(r))
		}}
	}
	columns := []Column{
		{"rank", false, func(r standings.Row) string {
			if r.House && forPrograms {
				return ""
			}
			return RankOf(r)
		}},
		{"bot", true, func(r standings.Row) string { return r.Bot }},
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
	columns = append(columns, Column{score, false, func(r standings.Row) string { return r.Points.String() }})
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
			columns = append(columns, Column{name, false, func(r standings.Row) string {
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
		if !forPrograms {
			name = failureName(kind)
		}
		if n > 0 || forPrograms {
			columns = append(columns, Column{name, false, func(r standings.Row) string { return strconv.Itoa(r.Failures[kind]) }})
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
			{"mean_us", false, func(r standings.Row) string { return strconv.FormatFloat(r.MeanUS, 'f', 1, 64) }},
			{"slowest_us", false, func(r standings.Row) string { return strconv.FormatInt(r.SlowestUS, 10) }},
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
		{"mean/move", false, moved(func(r standings.Row) string { return millis(time.Duration(r.MeanUS * float64(time.Microsecond))) })},
		{"slowest", false, moved(func(r standings.Row) string { return timeUsed(micros(r.SlowestUS), r.RanOut) })},
	}
}

func (v Standings) crosstable() Table {
	rows := v.Of.Rows
	t := Table{Title: "Crosstable (won-drawn-lost)", Header: []string{"", "bot"}, Right: []bool{true, false}, Spare: []int{0, 0}}
	place := make(map[string]int)
	for i, r := range rows {
		t.addColumn(RankLabel(rows, i), true)
		t.Spare = append(t.Spare, i)
		place[r.Bot] = i
	}
	cells := make([][]any, len(rows))
	for i, r := range rows {
		cells[i] = make([]any, 2+len(rows))
		for j := range cells[i] {
			cells[i][j] = ""
		}
		cells[i][0], cells[i][1], cells[i][2+i] = RankLabel(rows, i), r.Bot, "·"
	}
	shades := make(map[[2]int]Colour)
	for _, p := range v.Of.Pairs {
		i, j := place[p.Bot], place[p.Opponent]
		cells[i][2+j], shades[[2]int{i, 2 + j}] = fmt.Sprintf("%d-%d-%d", p.Won, p.Drawn, p.Lost), heat(p)
		p = p.Back()
		cells[j][2+i], shades[[2]int{j, 2 + i}] = fmt.Sprintf("%d-%d-%d", p.Won, p.Drawn, p.Lost), heat(p)
	}
	t.Shade = func(row, column int) Colour { return shades[[2]int{row, column}] }
	for _, row := range cells {
		t.Add(row...)
	}
	return t
}

// heat is the colour of a result, of 256 that terminals have: from orange, all lost, to
// blue, all won, with black letters on them.
func heat(p standings.HeadToHead) Colour {
	steps := []string{"216", "223", "", "153", "117"}
	step := steps[int(4*(float64(p.Won)+float64(p.Drawn)/2)/float64(max(1, p.Played))+0.5)]
	if step == "" {
		return ""
	}
	return Colour("38;5;16;48;5;" + step)
}

// RankOf returns a bot's rank, which none of the house has.
func RankOf(r standings.Row) string {
	if r.House {
		return "-"
	}
	return strconv.Itoa(r.Rank)
}

// RankLabel returns a bot's rank as the label of its row and column in a
// crosstable. Those that share one are told apart by letters: 2a, 2b, … 2z, 2aa.
func RankLabel(rows []standings.Row, i int) string {
	letters := ""
	if rows[i].Tied {
		for n := i + 2 - rows[i].Rank; n > 0; n = (n - 1) / 26 {
			letters = string(rune('a'+(n-1)%26)) + letters
		}
	}
	return RankOf(rows[i]) + letters
}

// headToHead returns the full results of every two bots against each other.
func (v Standings) headToHead() Table {
	t := Table{
		Title:  "Head to head",
		Header: []string{"bot", "opponent", "played", "won", "drawn", "lost", "score", "against"},
		Right:  []bool{false, false, true, true, true, true, true, true},
	}
	for _, p := range v.Of.Pairs {
		t.Add(p.Bot, p.Opponent, p.Played, p.Won, p.Drawn, p.Lost, p.Points, p.Against)
	}
	return t
}
