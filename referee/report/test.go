package report

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/scoring"
)

// Test prints the result of a test.
type Test struct {
	Game    protocols.Game
	Result  TestResult
	Scores  scoring.Scores
	Formula scoring.Formula
	Under   string // the conditions of the matches
	// Opponent counts the matches of the opponent that was asked for, whose
	// failures explain results.
	Opponent scoring.Tally
	Quiet    bool // print only the sum
	// NoTotal is true where cases have no result of a problem package whose groups make the total.
	NoTotal bool

	// Again returns the command that plays a case again; Reproduce returns the
	// command that sends the bot what it was sent in a match, or is nil if no
	// records are kept.
	Again     func(name string) string
	Reproduce func(match string) string
	Open      func(match string) string // the command that shows a match in the browser; nil: it is not kept
	About     Background
}

// Export returns the result for other programs.
func (v Test) Export() Exported {
	t := Table{Header: []string{"case", "group", "seat", "verdict", "x", "place", "score", "points", "wall_us", "cpu_us", "peak_bytes"}}
	for _, r := range v.Result.Results {
		t.Add(r.Case, r.Group, r.Seat, r.Verdict, r.X, r.Place, exact(r.Score), exact(r.Points), r.WallUS, r.CPUUS, r.Peak)
	}
	suites := scoreSuites(v.Scores, v.Game)
	for _, m := range v.Result.Results {
		if m.Uncounted {
			suites[0].Checks = append(suites[0].Checks, check(seatName(m.Case, m.Seat, v.severalSeats()), m.entry, []protocols.Game{v.Game}))
		}
	}
	suites[0].Checks = append(suites[0].Checks, failedChecks(v.Result.Failed, v.severalSeats())...)
	var page Page
	if !v.Quiet {
		page = Page{Title: v.heading(), Tables: []Table{v.table()}}
	}
	page.Notes = []string{v.sum(NewPrinter(nil)).fit}
	return Exported{Name: "umpire test " + v.Game.Name, Table: t, Page: page, Suites: suites}
}

// severalSeats reports whether each case is played in several seats.
func (v Test) severalSeats() bool { return len(v.Game.PlayedSeats()) > 1 }

// Print prints the result for people, after the lines of its matches: see
// TestRows.
func (v Test) Print(p *Printer) {
	if !v.Quiet {
		p.Printf("\n")
		v.printFailures(p)
		v.printGroups(p)
	}
	p.Say("%s\n", v.sum(p))
	if !v.Quiet {
		v.printChanges(p)
		if earlier := v.Result.Earlier.sentence(v.Result.Score); earlier != "" {
			p.Say("%s\n", earlier)
		}
		v.printOpponent(p)
	}
}

func (v Test) heading() string {
	against := ""
	switch {
	case v.Result.Against != "":
		against = " against " + v.Result.Against
	case v.Game.DefaultOpponent != "" && v.Game.MaxSeats > 1:
		against = " against @" + v.Game.DefaultOpponent
	}
	return fmt.Sprintf("%s: %s%s, %s, %s", v.Game.Title, v.Result.Bot, against, Plural(v.Result.Cases, "case"), v.Under)
}

// table returns a line per match. A case's points appear in the last of its
// lines.
func (v Test) table() Table {
	t, _, _ := v.emptyTable()
	all := v.Result.Results
	for i, one := range all {
		points := v.outOf(one.Score, one.Points, "/")
		if one.Uncounted || i+1 < len(all) && all[i+1].Case == one.Case {
			points = ""
		}
		t.Add(v.row(one, points)...)
	}
	return t
}

// emptyTable returns a table without lines, and the columns of verdicts and of
// points.
func (v Test) emptyTable() (t Table, verdict, points int) {
	t.addColumn("case", false, 0)
	if v.severalSeats() {
		t.addColumn("seat", true, 0)
	}
	verdict = len(t.Header)
	t.addColumn("verdict", false, 0)
	if v.Game.MaxSeats > 1 {
		t.addColumn("result", false, 0)
	}
	t.addColumn("score", true, 0)
	points = len(t.Header)
	for i, header := range []string{"points", "time", "memory"} {
		t.addColumn(header, true, i)
	}
	return t, verdict, points
}

// row returns the line of a match.
func (v Test) row(m TestMatch, points string) []any {
	row := []any{m.Case}
	if v.severalSeats() {
		row = append(row, m.Seat)
	}
	row = append(row, verdictText(m.Verdict))
	if v.Game.MaxSeats > 1 {
		row = append(row, resultText(m.entry))
	}
	return append(row, m.X, points, seatTime(m.entry.Record, m.Seat), mib(m.Peak))
}

// outOf formats a score, followed by the points available if the formula uses
// points.
func (v Test) outOf(score, points float64, between string) string {
	if !v.Formula.Uses("P") {
		return Number(score)
	}
	return Number(score) + between + Number(points)
}

// printFailures says why matches were not ok.
func (v Test) printFailures(p *Printer) {
	failed, told := 0, make(map[string]bool)
	for _, t := range v.Result.Results {
		if t.Verdict == string(referee.OK) {
			continue
		}
		failed++
		if !told[t.Verdict] { // one of each kind: the others tend to be similar
			told[t.Verdict] = true
			v.printFailure(p, t)
			p.Printf("\n")
		}
	}
	v.printEarly(p)
	if more := failed - len(told); more > 0 {
		p.Say("and %d more failed; to play a single case: --case NAME\n\n", more)
	}
}

// printEarly notes the matches that were ok although the bot wrote lines before
// it was asked.
func (v Test) printEarly(p *Printer) {
	var first string
	n := 0
	for _, t := range v.Result.Results {
		note := early(t.entry.Record.Seats[t.Seat-1])
		if t.Verdict != string(referee.OK) || note == "" {
			continue
		}
		if n++; n == 1 {
			first = fmt.Sprintf("note: %s: it %s", t.Case, note)
		}
	}
	if n > 1 {
		first += fmt.Sprintf("; and in %s more", Plural(n-1, "match"))
	}
	if n > 0 {
		p.Printf("%s\n\n", first)
	}
}

// failureLines is how many lines are shown of the exchange before a match went wrong.
const failureLines = 8

// printFailure tells a contestant why a match was not ok, and how to play only
// that case again.
func (v Test) printFailure(p *Printer, t TestMatch) {
	r := *t.entry.Record
	seat := ""
	if v.severalSeats() {
		seat = fmt.Sprintf(", seat %d", t.Seat)
	}
	p.Say("%s%s: %s: %s\n", p.Style(Bold, t.Case), seat, p.Style(Red, t.Verdict), t.Detail)
	games := []protocols.Game{v.Game}
	if why := explain(r, games, t.Seat); why.batch {
		p.Printf("%s", why.text("  "))
	} else {
		said, err := r.Transcript(games, t.Seat)
		if lines := said.Last(failureLines); err == nil && len(lines) > 0 {
			p.Printf("  last lines (→ to the bot, ← from it):\n%s", indent("  ", TranscriptText(lines)))
		}
	}
	p.aside("  ", r, t.Seat, v.About)
	p.Say("  play it again: %s\n", v.Again(t.Case))
	if v.Reproduce != nil {
		p.Say("  send it the same again: %s\n", v.Reproduce(r.Called()))
	}
	if v.Open != nil {
		p.Say("  look at it: %s\n", v.Open(r.Called()))
	}
}

// printGroups prints the score of each group, if there are several.
func (v Test) printGroups(p *Printer) {
	if len(v.Scores.Groups) < 2 || v.NoTotal {
		return
	}
	t := Table{Header: []string{"group", "points", ""}, Right: []bool{false, true}}
	for i, g := range v.Scores.Groups {
		one := v.Scores.Submissions[0].Groups[i]
		t.Add(g.Name, v.outOf(one.Score, g.Points, "/"), Marks(one.Verdicts))
	}
	t.Shade = func(_, column int) Colour { return map[int]Colour{2: Red}[column] }
	p.Table(t)
	p.Printf("\n")
}

// sum returns the test in the one line that Quiet leaves, in the printer's colours.
func (v Test) sum(p *Printer) Text {
	verdicts := p.Style(Green, "no failures")
	all, by := len(v.Result.Results), make(map[string]int)
	for _, m := range v.Result.Results {
		by[m.Verdict]++
	}
	switch failed := all - v.Result.OK; {
	case all == 0:
		verdicts = Textf("nothing judged")
	case failed == 1 && all == 1:
		verdicts = p.Style(Red, "1 match failed: "+v.Result.Results[0].Verdict)
	case failed > 0:
		verdicts = p.Style(Red, fmt.Sprintf("%d of %s failed: %s", failed, Plural(all, "match"), Marks(by)))
	}
	if text := withoutResult(v.Result.Failed); text != "" {
		verdicts = Textf("%s%s", verdicts, p.Style(Red, ", "+text))
	}
	score := v.outOf(v.Result.Score, v.Result.Points, " of ")
	if v.NoTotal {
		return Textf("%s: %s by single cases, %s", noTotal, Points(score), verdicts)
	}
	return Textf("%s%s, %s", p.Style(Bold, score), strings.TrimPrefix(Points(score), score), verdicts)
}

// printOpponent says that the opponent failed, since the results then say little
// about the bot, and how many of the bot's failures were not its own.
func (v Test) printOpponent(p *Printer) {
	failed := v.Opponent.Matches - v.Opponent.Verdicts[string(referee.OK)]
	if failed > 0 {
		p.Say("%s\n", p.Style(Yellow, fmt.Sprintf("the opponent %s failed in %d of %s: %s",
			v.Result.Against, failed, Plural(v.Opponent.Matches, "match"), Marks(v.Opponent.Verdicts))))
	}
	if note := voidNote(v.Result.Bot, v.Scores.Submissions[0].Tally.Verdicts, v.Result.Voided); note != "" {
		p.Say("%s\n", note)
	}
}

// verdictText returns a verdict with its judges' shorthand.
func verdictText(verdict string) string {
	return strings.TrimSpace(verdict + " " + referee.Verdict(verdict).Short())
}

// resultText says how a match of several seats went for one.
func resultText(e scoring.Entry) string {
	if len(e.Record.Seats) > 2 {
		return fmt.Sprintf("place %d", e.Record.Seats[e.Seat-1].Place)
	}
	switch won, tied := scoring.Result(e); {
	case won:
		return "win"
	case tied:
		return "tie"
	}
	return "loss"
}
