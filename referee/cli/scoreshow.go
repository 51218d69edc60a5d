package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/referee"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

// scoreResult is what `score --json` prints.
type scoreResult struct {
	Game string `json:"game"`
	scoring.Scores
}

func (k *scorer) show(scores scoring.Scores) error {
	shown, err := k.export(k.exports, exported{
		Name: "umpire score " + k.game.Name, Table: scoreCSV(scores), More: k.moreTables(scores), Suites: scoreSuites(scores),
	})
	if err != nil || shown {
		return err
	}
	if k.c.Bool("json") {
		return k.json().Encode(scoreResult{k.game.Name, scores})
	}
	if !k.c.Bool("quiet") {
		k.printf("%s\n\n", k.style(dim, k.heading(scores)))
	}
	if err := k.scoreTable(scores); err != nil || !k.c.Bool("verbose") {
		return err
	}
	k.printf("\n")
	t := k.caseTable(scores)
	return t.Write(k.out, func(row, _ int, text string) string {
		if row < 0 {
			return k.style(dim, text)
		}
		return text
	})
}

// heading says what was scored, and how.
func (k *scorer) heading(scores scoring.Scores) string {
	n := len(k.task.Set.Cases)
	text := fmt.Sprintf("%s: %s on %s, formula %s", k.game.Title, count(len(scores.Submissions), "submission"), count(n, "case"), scores.Formula)
	switch {
	case !k.task.Formula.Uses("Y"):
	case scores.Baseline != "":
		text += ", Y = " + report.Safe(scores.Baseline)
	default:
		text += ", Y = " + ownBaselines(scores)
	}
	if k.launcher != nil {
		text += ", " + k.under()
	}
	return text
}

// ownBaselines are the Y of the cases, where nobody named another.
func ownBaselines(scores scoring.Scores) string {
	var all []string
	for _, s := range scores.Submissions {
		for _, c := range s.Cases {
			if y := number(c.Y); !slices.Contains(all, y) {
				all = append(all, y)
			}
		}
	}
	if len(all) != 1 {
		return "that of each case"
	}
	return all[0]
}

func count(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "ch"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// scoreTable prints submissions × groups. Verdicts that are not ok stand as
// marks beside the score of their group.
func (k *scorer) scoreTable(scores scoring.Scores) error {
	t := report.Table{Header: []string{"rank", "bot"}, Right: []bool{true, false}}
	column := func(header string, right bool) {
		t.Header, t.Right = append(t.Header, header), append(t.Right, right)
	}
	marked := make([]bool, len(scores.Groups))
	for i, g := range scores.Groups {
		for _, s := range scores.Submissions {
			marked[i] = marked[i] || marks(s.Groups[i].Tally) != ""
		}
		column(k.worth(report.Safe(g.Name), g.Points), true)
		if marked[i] {
			column("", false)
		}
	}
	total := -1
	if len(scores.Groups) > 1 {
		total = len(t.Header)
		column(k.worth("total", scores.Points), true)
	}
	for _, s := range scores.Submissions {
		row := []any{s.Rank, report.Safe(s.Bot)}
		for i, g := range s.Groups {
			row = append(row, number(g.Score))
			if marked[i] {
				row = append(row, marks(g.Tally))
			}
		}
		if total >= 0 {
			row = append(row, number(s.Score))
		}
		t.Add(row...)
	}
	return t.Write(k.out, func(row, column int, text string) string {
		switch {
		case row < 0:
			return k.style(dim, text)
		case column == total || total < 0 && column == 2:
			return k.style(bold, text)
		case t.Header[column] == "":
			return k.style(red, text)
		}
		return text
	})
}

// worth is a column's name with what it is worth, where the formula knows that.
func (k *scorer) worth(name string, points float64) string {
	if !k.task.Formula.Uses("P") {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, number(points))
}

// marks are the verdicts other than ok, with how often each was given.
func marks(t scoring.Tally) string {
	var out []string
	left := maps.Clone(t.Verdicts)
	for _, known := range referee.Verdicts {
		v := string(known.Verdict)
		if n := left[v]; n > 0 && known.Verdict != referee.OK {
			out = append(out, fmt.Sprintf("%s×%d", v, n))
		}
		delete(left, v)
	}
	for _, v := range slices.Sorted(maps.Keys(left)) {
		out = append(out, fmt.Sprintf("%s×%d", report.Safe(v), left[v]))
	}
	return strings.Join(out, " ")
}

// caseTable is cases × submissions, with what of P and Y the formula uses.
func (k *scorer) caseTable(scores scoring.Scores) report.Table {
	t := report.Table{Title: "Cases", Header: []string{"case"}, Right: []bool{false}}
	facts := map[string]func(scoring.CaseScore) float64{
		"P": func(c scoring.CaseScore) float64 { return c.P },
		"Y": func(c scoring.CaseScore) float64 { return c.Y },
	}
	for _, c := range scores.Submissions[0].Cases {
		t.Add(report.Safe(c.Name))
	}
	for _, name := range []string{"P", "Y"} {
		if !k.task.Formula.Uses(name) {
			continue
		}
		t.Header, t.Right = append(t.Header, name), append(t.Right, true)
		for j, c := range scores.Submissions[0].Cases {
			t.Rows[j] = append(t.Rows[j], number(facts[name](c)))
		}
	}
	for _, s := range scores.Submissions {
		t.Header, t.Right = append(t.Header, report.Safe(s.Bot)), append(t.Right, true)
		for j, c := range s.Cases {
			t.Rows[j] = append(t.Rows[j], caseCell(c))
		}
	}
	return t
}

// caseCell is a submission's score on a case, with its marks.
func caseCell(c scoring.CaseScore) string {
	text := number(c.Score)
	for _, m := range c.Matches {
		if m.Verdict != string(referee.OK) {
			text = report.Safe(m.Verdict) + " " + text
		}
	}
	return text
}

// scoreCSV is the table for programs: exact numbers, one fact a column.
func scoreCSV(scores scoring.Scores) report.Table {
	t := report.Table{Header: []string{"rank", "bot"}, Right: []bool{true, false}}
	column := func(header string, right bool) {
		t.Header, t.Right = append(t.Header, header), append(t.Right, right)
	}
	for _, g := range scores.Groups {
		column(g.Name, true)
	}
	column("score", true)
	column("matches", true)
	column("ok", true)
	column("not ok", false)
	for _, s := range scores.Submissions {
		row := []any{s.Rank, s.Bot}
		for _, g := range s.Groups {
			row = append(row, exact(g.Score))
		}
		t.Add(append(row, exact(s.Score), s.Tally.Matches, s.Verdicts[string(referee.OK)], marks(s.Tally))...)
	}
	return t
}

// exact prints a number with all its digits.
func exact(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// moreTables go into Markdown with --verbose.
func (k *scorer) moreTables(scores scoring.Scores) []report.Table {
	if !k.c.Bool("verbose") {
		return nil
	}
	return []report.Table{k.caseTable(scores)}
}

// scoreSuites are the submissions with each of their matches.
func scoreSuites(scores scoring.Scores) []report.Suite {
	var suites []report.Suite
	for _, s := range scores.Submissions {
		suite := report.Suite{Name: s.Bot}
		for _, c := range s.Cases {
			suite.Checks = append(suite.Checks, checks(c)...)
		}
		suites = append(suites, suite)
	}
	return suites
}

// checks are a submission's matches on a case.
func checks(c scoring.CaseScore) []report.Check {
	var list []report.Check
	for i, m := range c.Matches {
		name := c.Name
		if len(c.Matches) > 1 {
			name = fmt.Sprintf("%s seat %d", c.Name, m.Seat)
		}
		list = append(list, report.Check{
			Group: c.Group, Name: name, Time: time.Duration(m.WallUS) * time.Microsecond,
			Verdict: m.Verdict, Detail: m.Detail, Stderr: c.Entries[i].Record.Seats[m.Seat-1].Stderr,
		})
	}
	return list
}
