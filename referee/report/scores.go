package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/scoring"
	"umpire/referee/standings"
)

// Scores prints the scores of submissions.
type Scores struct {
	Game    protocols.Game
	Of      scoring.Scores
	Formula scoring.Formula
	Cases   int    // number of cases scored on
	Under   string // the conditions of the matches, if some were played; else ""
	// NotJudged lists the submissions that could not be judged, which Of leaves out.
	NotJudged []NotJudged
	// NoTotal lists those that have no result on some cases, which Of leaves out, too.
	NoTotal []NoTotal

	Quiet   bool // print only the table
	Verbose bool // also print every case, and compilers' words
}

// ScoresJSON is the JSON form of scores.
type ScoresJSON struct {
	Game string `json:"game"`
	scoring.Scores
	// ToFirst compares the other submissions with the first one, case by case.
	ToFirst   []standings.Paired `json:"to_first,omitempty"`
	NotJudged []NotJudged        `json:"not_judged,omitempty"`
	NoTotal   []NoTotal          `json:"no_total,omitempty"`
}

// JSON returns the scores for programs.
func (v Scores) JSON() ScoresJSON {
	out := ScoresJSON{Game: v.Game.Name, Scores: v.Of, NotJudged: v.NotJudged, NoTotal: v.NoTotal}
	for _, p := range v.toFirst() {
		if p != nil {
			out.ToFirst = append(out.ToFirst, *p)
		}
	}
	return out
}

// toFirst compares each submission with the first one by the points of each case; nil if no
// comparison says more than a single case does. It has nil for the first, and for those that
// could not be compiled or started.
func (v Scores) toFirst() []*standings.Paired {
	all := v.Of.Submissions
	list := make([]*standings.Paired, len(all))
	for i := range all {
		if i > 0 && all[i].Verdicts[string(protocols.KindCompile)] == 0 {
			list[i], _ = pairedByFormula(&all[i], &all[0])
		}
	}
	if !slices.ContainsFunc(list, isPaired) {
		return nil
	}
	return list
}

// pairedByFormula compares a submission with another by the points that each case
// earned them; nil if there is nothing to compare. The cases are in the order of the
// set.
func pairedByFormula(own, other *scoring.Score) (*standings.Paired, []standings.CaseDifference) {
	if len(own.Cases) != len(other.Cases) {
		return nil, nil
	}
	var differences []float64
	var cases []standings.CaseDifference
	for n, c := range own.Cases {
		d := c.Score - other.Cases[n].Score
		differences, cases = append(differences, d), append(cases, standings.CaseDifference{Case: c.Name, Difference: d})
	}
	return standings.NewPaired(own.Bot, other.Bot, standings.ByFormula, differences), cases
}

// Export returns the scores for other programs.
func (v Scores) Export() Exported {
	page := Page{Tables: []Table{v.table()}}
	if !v.Quiet {
		page.Title = v.heading()
		page.Notes = v.notes()
	}
	if v.Verbose && len(v.Of.Submissions) > 0 {
		page.Tables = append(page.Tables, v.caseTable())
	}
	suites := scoreSuites(v.Of, v.Game)
	for _, n := range v.NoTotal {
		suites = append(suites, Suite{Name: n.Bot, Checks: failedChecks(n.Failed, len(v.Game.PlayedSeats()) > 1)})
	}
	return Exported{Name: "umpire score " + v.Game.Name, Table: v.exactTable(), Page: page, Suites: suites}
}

// Print prints the scores for people.
func (v Scores) Print(p *Printer) {
	hasTable := len(v.Of.Submissions) > 0 || len(v.NoTotal) == 0
	if !v.Quiet {
		p.Printf("%s\n", p.Style(Dim, p.Wrap(v.heading())))
	}
	if !v.Quiet && hasTable {
		p.Printf("\n")
	}
	if hasTable {
		p.Table(v.table())
	}
	if v.Verbose && len(v.Of.Submissions) > 0 {
		p.Printf("\n")
		p.Table(v.caseTable())
	}
	if !v.Quiet {
		for _, note := range v.notes() {
			p.Say("\n%s\n", note)
		}
	}
}

// notes says which submissions have not been played, and why, and what the columns
// of pairedColumns mean.
func (v Scores) notes() []string {
	notes := slices.Concat(brokenNote(v.broken(), v.Verbose), noTotalNotes(v.NoTotal), notJudgedNotes(v.NotJudged))
	list := v.toFirst()
	if i := slices.IndexFunc(list, isPaired); i >= 0 {
		notes = append(notes, pairedNote(*list[i]))
	}
	return notes
}

// broken lists the submissions that could not be compiled or started.
func (v Scores) broken() (list []Wrong) {
	for _, s := range v.Of.Submissions {
		for _, c := range s.Cases {
			i := slices.IndexFunc(c.Matches, func(m scoring.MatchResult) bool { return m.Verdict == string(protocols.KindCompile) })
			if i >= 0 {
				list = append(list, Wrong{s.Bot, c.Matches[i].Detail})
				break
			}
		}
	}
	return list
}

// heading says what was scored, and how.
func (v Scores) heading() string {
	by := "formula " + v.Of.Formula
	if v.Of.ByPackage() {
		by = "graded by the package"
	}
	text := fmt.Sprintf("%s: %s on %s, %s", v.Game.Title, Plural(len(v.Of.Submissions), "submission"), Plural(v.Cases, "case"), by)
	if v.Formula.Uses("Y") {
		text += ", Y = " + cmp.Or(v.Of.Baseline, ownBaselines(v.Of))
	}
	return text + enclosed(v.Under, ", ", "")
}

// ownBaselines describes the cases' own Y, used when no other is named.
func ownBaselines(scores scoring.Scores) string {
	var all []string
	for _, s := range scores.Submissions {
		for _, c := range s.Cases {
			if y := Number(c.Y); !slices.Contains(all, y) {
				all = append(all, y)
			}
		}
	}
	if len(all) != 1 {
		return "that of each case"
	}
	return all[0]
}

// table returns submissions × groups. Verdicts other than ok appear as marks beside the
// score of their group.
func (v Scores) table() Table {
	t := Table{Header: []string{"rank", "bot"}, Right: []bool{true, false}}
	marked := make([]bool, len(v.Of.Groups))
	for i, g := range v.Of.Groups {
		for _, s := range v.Of.Submissions {
			marked[i] = marked[i] || Marks(s.Groups[i].Verdicts) != ""
		}
		score, marks := v.spare(i)
		t.addColumn(v.worth(g.Name, g.Points), true, score)
		if marked[i] {
			t.addColumn("", false, marks)
		}
	}
	total := -1
	if len(v.Of.Groups) > 1 {
		total = len(t.Header)
		t.addColumn(v.worth("total", v.Of.Points), true, 0)
	}
	paired := v.toFirst()
	if paired != nil {
		t.addColumn(ToFirst, true, 2*len(v.Of.Groups)+2)
		t.addColumn(betterIn, true, 2*len(v.Of.Groups)+3)
	}
	for n, s := range v.Of.Submissions {
		row := []any{s.Rank, s.Bot}
		for i, g := range s.Groups {
			row = append(row, Number(g.Score))
			if marked[i] {
				row = append(row, Marks(g.Verdicts))
			}
		}
		if total >= 0 {
			row = append(row, Number(s.Score))
		}
		if paired != nil {
			row = append(row, pairedInterval(paired[n]), casesBetter(paired[n]))
		}
		t.Add(row...)
	}
	t.Shade = func(row, column int) Colour {
		switch {
		case column == total || total < 0 && column == 2 || column == 1 && v.Of.Submissions[row].Rank == 1:
			return Bold
		case t.Header[column] == "":
			return Red
		}
		return ""
	}
	return t
}

// spare returns how dispensable a group's columns are, those of its score and its marks: the
// least is the group that is worth most, and of several the first.
func (v Scores) spare(group int) (score, marks int) {
	if len(v.Of.Groups) == 1 {
		return 0, 0
	}
	own := v.Of.Groups[group].Points
	score = 2
	for i, g := range v.Of.Groups {
		if g.Points > own || g.Points == own && i < group {
			score += 2
		}
	}
	return score, score + 1
}

// worth returns a column's name with its points, if the formula uses points.
func (v Scores) worth(name string, points float64) string {
	if !v.Formula.Uses("P") {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, Number(points))
}

// Marks are the verdicts other than ok of a tally, each with its number.
func Marks(verdicts map[string]int) string {
	var out []string
	left := maps.Clone(verdicts)
	for _, known := range referee.Verdicts {
		v := string(known.Verdict)
		if n := left[v]; n > 0 && known.Verdict != referee.OK {
			out = append(out, fmt.Sprintf("%s×%d", v, n))
		}
		delete(left, v)
	}
	for _, v := range slices.Sorted(maps.Keys(left)) {
		out = append(out, fmt.Sprintf("%s×%d", v, left[v]))
	}
	return strings.Join(out, " ")
}

// caseTable returns cases × submissions, with P and Y if the formula uses them.
func (v Scores) caseTable() Table {
	t := Table{Title: "Cases", Header: []string{"case"}, Right: []bool{false}}
	column := func(header string, spare int, cases []scoring.CaseScore, cell func(scoring.CaseScore) string) {
		t.addColumn(header, true, spare)
		for i, c := range cases {
			t.Rows[i] = append(t.Rows[i], cell(c))
		}
	}
	all := v.Of.Submissions[0].Cases
	for _, c := range all {
		t.Add(c.Name)
	}
	if v.Formula.Uses("P") {
		column("P", 0, all, func(c scoring.CaseScore) string { return Number(c.P) })
	}
	if v.Formula.Uses("Y") {
		column("Y", 0, all, func(c scoring.CaseScore) string { return Number(c.Y) })
	}
	for i, s := range v.Of.Submissions {
		column(s.Bot, i, s.Cases, caseCell) // the best stays
	}
	return t
}

// caseCell returns a submission's score on a case, with its marks.
func caseCell(c scoring.CaseScore) string {
	text := Number(c.Score)
	for _, m := range c.Matches {
		if m.Verdict != string(referee.OK) {
			text = m.Verdict + " " + text
		}
	}
	return text
}

// exactTable returns the table for programs: exact numbers, one fact per
// column.
func (v Scores) exactTable() Table {
	t := Table{Header: []string{"rank", "bot"}}
	for _, g := range v.Of.Groups {
		t.Header = append(t.Header, g.Name)
	}
	t.Header = append(t.Header, "score", "matches", "ok", "not ok")
	paired := v.toFirst()
	var more []Column
	if paired != nil {
		more = exactPaired()
	}
	for _, c := range more {
		t.Header = append(t.Header, c.Name)
	}
	for n, s := range v.Of.Submissions {
		row := []any{s.Rank, s.Bot}
		for _, g := range s.Groups {
			row = append(row, exact(g.Score))
		}
		row = append(row, exact(s.Score), s.Tally.Matches, s.Verdicts[string(referee.OK)], Marks(s.Verdicts))
		for _, c := range more {
			row = append(row, c.cell(standings.Row{ToFirst: paired[n]}))
		}
		t.Add(row...)
	}
	return t
}

// scoreSuites returns the submissions with all their matches.
func scoreSuites(scores scoring.Scores, games ...protocols.Game) []Suite {
	var suites []Suite
	for _, s := range scores.Submissions {
		var all []Check
		for _, c := range s.Cases {
			all = append(all, checks(c, games)...)
		}
		suites = append(suites, newSuite(s.Bot, all))
	}
	return suites
}

// newSuite is the suite of a bot, with but one check if it could not be compiled or started.
func newSuite(bot string, checks []Check) Suite {
	if len(checks) > 0 && checks[0].Verdict == string(protocols.KindCompile) {
		why := checks[0].Detail
		c := Check{Name: string(protocols.KindCompile), Verdict: string(protocols.KindCompile), Detail: BrokenLine(why)}
		if c.Detail != why {
			c.More = why
		}
		checks = []Check{c}
	}
	return Suite{Name: bot, Checks: checks}
}

// checks returns a submission's matches on a case.
func checks(c scoring.CaseScore, games []protocols.Game) []Check {
	var list []Check
	for _, e := range c.Entries {
		one := check(seatName(c.Name, e.Seat, len(c.Entries) > 1), e, games)
		one.Group = c.Group
		list = append(list, one)
	}
	return list
}

// failedChecks are matches without a result.
func failedChecks(list []NotPlayed, several bool) (checks []Check) {
	for _, f := range list {
		checks = append(checks, Check{Group: f.Group, Name: seatName(f.Case, f.Seat, several), Error: f.Error})
	}
	return checks
}

// seatName names a match by its case and, if there are several, its seat.
func seatName(name string, seat int, several bool) string {
	if several {
		name = fmt.Sprintf("%s seat %d", name, seat)
	}
	return name
}

// check is a match as its record has it.
func check(name string, e scoring.Entry, games []protocols.Game) Check {
	r, s := *e.Record, e.Record.Seats[e.Seat-1]
	return Check{
		Group: r.Case.Group, Name: name, Time: micros(s.WallUS),
		Verdict: s.Verdict, Detail: s.Detail, More: more(r, games, e.Seat), Stderr: plainStderr(s),
	}
}
