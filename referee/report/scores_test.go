package report_test

import (
	"bytes"
	"strings"
	"testing"

	"umpire/referee/report"
	"umpire/referee/scoring"
)

// TestNarrowScores: where there is no room for all groups, those worth most stay,
// and of those worth as much the first.
func TestNarrowScores(t *testing.T) {
	formula, err := scoring.Compile("P")
	if err != nil {
		t.Fatal(err)
	}
	v := report.Scores{Formula: formula, Of: scoring.Scores{Points: 100}}
	broken := scoring.Score{Rank: 1, Bot: "broken"}
	for _, g := range []scoring.Group{{Name: "one", Points: 2}, {Name: "two", Points: 2}, {Name: "three", Points: 10}, {Name: "four", Points: 40}, {Name: "five", Points: 46}} {
		v.Of.Groups = append(v.Of.Groups, g)
		broken.Groups = append(broken.Groups, scoring.GroupScore{Name: g.Name, Tally: scoring.Tally{Verdicts: map[string]int{"compile": 3}}})
	}
	v.Of.Submissions = []scoring.Score{broken}
	for room, want := range map[int]string{
		0:   "one two three four five total",
		115: "one three four five total",
		95:  "three four five total",
		70:  "four five total",
		45:  "five total",
	} {
		var out bytes.Buffer
		if err := v.Export().Page.Tables[0].Write(&out, room, nil); err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(out.String(), "\n")
		var shown []string
		for _, word := range strings.Fields(head)[2:] {
			if !strings.HasPrefix(word, "(") {
				shown = append(shown, word)
			}
		}
		if got := strings.Join(shown, " "); got != want {
			t.Errorf("in %d columns found %s, expected %s:\n%s", room, got, want, out.String())
		}
	}
}
