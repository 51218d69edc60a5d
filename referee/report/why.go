package report

import (
	"fmt"
	"slices"

	"umpire/referee/standings"
)

// Why says what put one bot above another in standings.
type Why struct {
	Above       string                 `json:"above"`
	Below       string                 `json:"below"`
	Tied        bool                   `json:"tied"`
	Comparisons []standings.Comparison `json:"comparisons"`      // in order; first is above. The last one decided, unless they are tied
	Paired      *standings.Paired      `json:"paired,omitempty"` // of a scoring: the one above compared with the other case by case

	text string
}

// NewWhy compares two bots of standings, in either order.
func NewWhy(of *standings.Standings, above, below *standings.Row) *Why {
	if above.Rank > below.Rank {
		above, below = below, above
	}
	w := &Why{Above: above.Bot, Below: below.Bot, Tied: above.Rank == below.Rank, Comparisons: of.Why(above, below), Paired: of.Paired(above, below)}
	var equal []string
	for _, c := range w.Comparisons {
		if c.Better == 0 {
			equal = append(equal, figures(c, above, below))
		}
	}
	switch {
	case w.Tied:
		w.text = fmt.Sprintf("%s and %s share rank %d: nothing that they are compared by tells them apart.", w.Above, w.Below, above.Rank)
	default:
		decided := w.Comparisons[len(w.Comparisons)-1]
		w.text = fmt.Sprintf("%s (rank %d) is above %s (rank %d) by %s.", w.Above, above.Rank, w.Below, below.Rank, figures(decided, above, below))
	}
	if len(equal) > 0 {
		w.text += fmt.Sprintf(" They are equal in %s.", Listing(equal))
	}
	if w.passedDirect(of.Criteria) {
		w.text += " Direct encounters did not count: not all bots that were still tied have met equally often."
	}
	if w.Paired != nil {
		w.text += " " + pairedSentence(*w.Paired)
	}
	return w
}

// passedDirect reports whether direct encounters, which come before what decided,
// could not be compared.
func (w *Why) passedDirect(criteria []standings.Tiebreak) bool {
	direct := slices.Index(criteria, standings.Direct)
	if direct < 0 || slices.ContainsFunc(w.Comparisons, func(c standings.Comparison) bool { return c.By == standings.Direct }) {
		return false
	}
	return w.Tied || slices.Index(criteria, w.Comparisons[len(w.Comparisons)-1].By) > direct
}

// Print prints the sentences.
func (w *Why) Print(p *Printer) { p.Printf("%s\n", p.Wrap(w.text)) }

// criterionNames are the figures that are not called what users type.
var criterionNames = map[standings.Tiebreak]string{
	standings.ByRounds: "rounds", standings.ByRating: "Elo", standings.Direct: "direct encounters (match points)", standings.Buchholz: "Buchholz",
	standings.BuchholzCut1: "Buchholz cut 1", standings.SonnebornBerger: "Sonneborn-Berger", standings.MatchPoints: "match points", standings.Points: "score",
	standings.Failures: "failed matches, of which fewer are better",
}

// figures says what a figure is for each of two bots: once, if it is the same.
func figures(c standings.Comparison, above, below *standings.Row) string {
	name, known := criterionNames[c.By]
	if !known {
		name = string(c.By)
	}
	if c.By.PerMatch() && above.Played != below.Played {
		mean := func(value float64, r *standings.Row) string {
			return fmt.Sprintf("%s in %s", Number(value), Plural(r.Played, "match"))
		}
		return fmt.Sprintf("%s per match (%s to %s)", name, mean(c.First, above), mean(c.Second, below))
	}
	if c.First == c.Second {
		return fmt.Sprintf("%s (%s)", name, Number(c.First))
	}
	return fmt.Sprintf("%s (%s to %s)", name, Number(c.First), Number(c.Second))
}
