package report

import (
	"fmt"
	"strconv"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

// ToFirst is the column of standings and scores that compares contestants that do
// not meet: the difference to the first one, case by case.
const ToFirst = "to first"

// betterIn is the column of the cases in which a contestant is better than the first.
const betterIn = "better in"

// isPaired reports whether a comparison says more than a single case does.
func isPaired(p *standings.Paired) bool { return p != nil && p.Cases > 1 }

// exactPaired returns the columns for programs.
func exactPaired() []Column {
	columns := exactRating("to_first", "to_first_low", "to_first_high", func(r standings.Row) *strength.Rating {
		if r.ToFirst == nil {
			return nil
		}
		return &r.ToFirst.Rating
	})
	paired := func(r standings.Row) *standings.Paired { return r.ToFirst }
	return append(columns,
		optional("to_first_cases", paired, func(p *standings.Paired) string { return strconv.Itoa(p.Cases) }),
		optional("to_first_better", paired, func(p *standings.Paired) string { return strconv.Itoa(p.Better) }),
		optional("to_first_worse", paired, func(p *standings.Paired) string { return strconv.Itoa(p.Worse) }))
}

// pairedInterval formats the difference to the first.
func pairedInterval(p *standings.Paired) string {
	if p == nil {
		return "-"
	}
	return interval(&p.Rating, 2)
}

// casesBetter formats in how many cases a contestant is better than the first.
func casesBetter(p *standings.Paired) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%d of %d", p.Better, p.Cases)
}

// pairedUnits name what Paired compares.
var pairedUnits = map[standings.Tiebreak]string{
	standings.Points: "score", standings.MatchPoints: "match points", standings.ByFormula: "points",
}

// pairedNote explains the columns.
func pairedNote(p standings.Paired) string {
	return fmt.Sprintf("%s: the mean difference to %s in %s per case, over the cases that both have played, with its 95 %% interval; "+
		"one without 0 is unlikely to be chance.", ToFirst, p.To, pairedUnits[p.By])
}

// pairedSentence compares two contestants case by case.
func pairedSentence(p standings.Paired) string {
	return fmt.Sprintf("Case by case, %s is %s ahead of %s in %s; it is better in %d of %s and worse in %d (sign test: p = %s).", p.Bot,
		interval(&p.Rating, 2), p.To, pairedUnits[p.By], p.Better, Plural(p.Cases, "case"), p.Worse, exact(p.P))
}
