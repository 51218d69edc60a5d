package html

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/standings"
)

// The most bots of a crosstable.
const (
	maxCrossed = 40   // in figures
	maxMapped  = 1000 // as a map
)

// ranking draws standings.
type ranking struct {
	view report.Standings
	bot  func(row int) string           // address of a bot's page
	pair func(row, opponent int) string // address of the matches of two bots
}

// rankingView holds the standings as a page shows them.
type rankingView struct {
	Notes      []note
	Standings  grid
	Rounds     []round
	Bracket    bool // the winners of two encounters meet in the next round
	Certainty  *grid
	Crosstable *grid
	Map        template.HTML // of a larger crosstable, packed; "": there is none
	Plots      []plotted
}

// show returns all of it but the map and the plots.
func (r ranking) show() rankingView {
	v := rankingView{Notes: r.notes(), Standings: r.standings(), Rounds: r.rounds(), Certainty: r.certainty(), Crosstable: r.crosstable()}
	v.Bracket = isBracket(v.Rounds)
	return v
}

// StandingsFragment returns the part of a page that shows standings, whose style is that
// of SiteStyle. Links lead to where link says: for a bot, and for the matches of two.
func StandingsFragment(v report.Standings, link func(bot, opponent string) string) (template.HTML, error) {
	name := func(row int) string { return v.Of.Rows[row].Name }
	r := ranking{
		v, func(row int) string { return link(name(row), "") },
		func(row, opponent int) string { return link(name(row), name(opponent)) },
	}
	shown := r.show()
	shown.Plots = drawings(v.Plots(nil))
	text, err := templates.Render("ranking", shown)
	return template.HTML(text), err // escaped by its own template
}

// note is a remark about results.
type note struct {
	Text string
	Bots []cell // whom it is about
}

// round is a round of a Swiss tournament or knockout.
type round struct {
	Title    string
	Meetings []meeting
}

// meeting is a pair in a round.
type meeting struct {
	Sides  []side
	Result string
	Link   string
}

type side struct {
	Name, Link, Points string
	Won                bool
}

// notes holds what a reader of standings must know.
func (r ranking) notes() (notes []note) {
	broken := note{Text: "Could not be compiled or started (verdict compile, CE):"}
	for i, row := range r.view.Of.Rows {
		if row.Broken != "" {
			broken.Bots = append(broken.Bots, cell{Text: page.SafeLine(row.Bot), Link: r.bot(i), Name: true})
		}
	}
	if broken.Bots != nil {
		notes = append(notes, broken)
	}
	for _, text := range r.view.Footnotes() {
		notes = append(notes, note{Text: page.Published(text)})
	}
	return notes
}

// standings is the table of the standings.
func (r ranking) standings() grid {
	table, kinds := r.view.Rounded()
	at := slices.IndexFunc(table.Header, func(name string) bool { return slices.Contains(kinds, name) })
	elo := slices.Index(table.Header, report.Elo)
	more := len(table.Rows) - maxRows
	table.Rows = table.Rows[:min(maxRows, len(table.Rows))]
	g := gridOf("Standings", table)
	for n, cells := range g.Rows {
		row := r.view.Of.Rows[n]
		cells[1].Link = r.bot(n)
		if elo >= 0 && row.Rating != nil && !report.IsSure(row.Rating) { // the text lacks the estimate
			cells[elo].Value = fmt.Sprintf("%.0f", row.Rating.Value)
		}
		if at >= 0 {
			g.Rows[n] = slices.Insert(cells, at, cell{Text: failuresOf(row)})
		}
	}
	if at >= 0 {
		g.Header = slices.Insert(g.Header, at, cell{Text: "failures"})
	}
	g.fold(kinds)
	notes := r.view.RatingNotes()
	if more > 0 {
		notes = append(notes, fmt.Sprintf("%d more bots are left out here; `umpire standings` prints all.", more))
	}
	g.Note = strings.Join(notes, " ")
	return g
}

// failuresOf counts a bot's failures, and names their kinds.
func failuresOf(row standings.Row) string {
	if row.Failed == 0 {
		return "0"
	}
	return fmt.Sprintf("%d: %s", row.Failed, report.Marks(row.Failures))
}

// certainty says how sure the order is; nil if that is not known.
func (r ranking) certainty() *grid {
	table, note, ok := r.view.HowSure()
	if !ok {
		return nil
	}
	place := rowsOf(r.view.Of)
	g := gridOf(table.Title, table)
	g.Note = note
	for n, row := range table.Rows {
		g.Rows[n][1].Link = r.bot(place[row[1]])
	}
	return &g
}

// rounds are the rounds of a Swiss tournament or knockout.
func (r ranking) rounds() (out []round) {
	place := rowsOf(r.view.Of)
	for n, list := range r.view.Encounters.Rounds {
		one := round{Title: fmt.Sprintf("Round %d", n+1)}
		if r.view.Encounters.Winner != "" && n == len(r.view.Encounters.Rounds)-1 {
			one.Title = "Final"
		}
		for _, e := range list {
			one.Meetings = append(one.Meetings, r.meeting(e, place))
		}
		out = append(out, one)
	}
	return out
}

// isBracket reports whether rounds are those of a knockout, each half as long as the one
// before.
func isBracket(rounds []round) bool {
	for i, one := range rounds {
		if i > 0 && 2*len(one.Meetings) != len(rounds[i-1].Meetings) {
			return false
		}
	}
	return len(rounds) > 1
}

func (r ranking) meeting(e report.Encounter, place map[string]int) meeting {
	m := meeting{}
	for i, name := range e.Bots {
		one := side{Name: page.SafeLine(cmp.Or(name, "not known yet"))}
		if row, ok := place[name]; ok {
			one.Link = r.bot(row)
		}
		if i < len(e.Wins) {
			one.Points = fmt.Sprintf("%s (%v)", report.Number(e.Wins[i]), e.Scores[i])
		}
		one.Won = name != "" && len(e.Bots) == 2 && (e.Winner == name || e.Winner == "" && e.Played == e.Matches && e.Result == float64(1-i))
		m.Sides = append(m.Sides, one)
	}
	if len(e.Bots) == 1 {
		m.Result = "bye"
		return m
	}
	switch {
	case e.Played < e.Matches:
		m.Result = fmt.Sprintf("%d of %d played", e.Played, e.Matches)
	case e.Result == 0.5 && e.Winner != "":
		m.Result = "tie: " + e.Tie
	case e.Result == 0.5:
		m.Result = "tie"
	}
	a, found := place[e.Bots[0]]
	b, also := place[e.Bots[1]]
	if found && also {
		m.Link = r.pair(a, b)
	}
	return m
}

// crossMap is the data of a crosstable that is drawn as a map: the bots, and for every two
// that met their rows, and how often the first won, drew and lost.
type crossMap struct {
	Bots  []string `json:"bots"`
	Pairs []int    `json:"pairs"`
}

// crosstable is the bots' results against each other as a heat map; nil if
// there are too few bots, or too many to read it.
func (r ranking) crosstable() *grid {
	rows := r.view.Of.Rows
	n := len(rows)
	if n < 2 || n > maxCrossed || len(r.view.Of.Pairs) == 0 {
		return nil
	}
	place := rowsOf(r.view.Of)
	g := grid{Caption: "Crosstable", Header: heads(2, "rank", "bot")}
	for i, row := range rows {
		label := cell{Text: report.RankLabel(rows, i), Right: true}
		g.Header = append(g.Header, cell{Text: label.Text, Link: r.bot(i), Label: page.SafeLine(row.Bot)})
		cells := make([]cell, 2+n)
		cells[0] = label
		cells[1] = cell{Text: page.SafeLine(row.Bot), Link: r.bot(i), Name: true}
		cells[2+i] = cell{Text: "·", Heat: "none"}
		g.Rows = append(g.Rows, cells)
	}
	for _, p := range r.view.Of.Pairs {
		i, j := place[p.Bot], place[p.Opponent]
		g.Rows[i][2+j] = r.crossed(p, i, j)
		g.Rows[j][2+i] = r.crossed(p.Back(), j, i)
	}
	if slices.ContainsFunc(rows, func(row standings.Row) bool { return row.Tied }) {
		g.Note = "Letters tell bots apart that share a rank."
	}
	return &g
}

// crossMap returns what a map is drawn from; nil where there is a table, or nothing that
// can be read.
func (r ranking) crossMap() *crossMap {
	rows := r.view.Of.Rows
	if len(rows) <= maxCrossed || len(rows) > maxMapped || len(r.view.Of.Pairs) == 0 {
		return nil
	}
	m, place := &crossMap{}, rowsOf(r.view.Of)
	for _, row := range rows {
		m.Bots = append(m.Bots, page.SafeLine(row.Bot))
	}
	for _, p := range r.view.Of.Pairs {
		m.Pairs = append(m.Pairs, place[p.Bot], place[p.Opponent], p.Won, p.Drawn, p.Lost)
	}
	return m
}

func (r ranking) crossed(p standings.HeadToHead, row, column int) cell {
	share := (float64(p.Won) + float64(p.Drawn)/2) / float64(max(1, p.Played))
	return cell{
		Text: fmt.Sprintf("%d-%d-%d", p.Won, p.Drawn, p.Lost), Heat: heat(share), Link: r.pair(row, column),
		Label: fmt.Sprintf("%s against %s: %d won, %d drawn, %d lost", page.SafeLine(p.Bot), page.SafeLine(p.Opponent), p.Won, p.Drawn, p.Lost),
	}
}
