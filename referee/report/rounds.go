package report

import (
	"fmt"

	"umpire/referee/standings"
)

// Encounter is the result of a pair in a round of a Swiss tournament or
// knockout.
type Encounter struct {
	Bots   []string  `json:"bots"`  // a single bot has a bye
	Wins   []float64 `json:"wins"`  // match points
	Scores []int     `json:"score"` // sums
	Result float64   `json:"result"`
	Winner string    `json:"winner,omitempty"` // the bot that advances in a knockout
}

// Rounds returns the encounters of each round, as tables.
func Rounds(rounds [][]Encounter) (tables []Table) {
	for n, round := range rounds {
		t := Table{
			Title:  fmt.Sprintf("Round %d", n+1),
			Header: []string{"bot", "opponent", "match points", "points", "result"}, Right: []bool{false, false, true, true, false},
		}
		for _, e := range round {
			if len(e.Bots) == 1 {
				t.Add(e.Bots[0], "-", "", "", "bye")
				continue
			}
			result := map[float64]string{0: e.Bots[1], 0.5: "tie", 1: e.Bots[0]}[e.Result]
			if e.Winner != "" && e.Result == 0.5 {
				result = "tie, " + e.Winner + " goes on"
			}
			t.Add(e.Bots[0], e.Bots[1], fmt.Sprintf("%.1f:%.1f", e.Wins[0], e.Wins[1]), fmt.Sprintf("%d:%d", e.Scores[0], e.Scores[1]), result)
		}
		tables = append(tables, t)
	}
	return tables
}

// SwissLead returns the columns that a Swiss tournament is ordered by first.
func SwissLead() []Column { return []Column{lead("rounds won", 0, 2), lead("opponents'", 1, 2)} }

// KnockoutLead returns the column that a knockout is ordered by first.
func KnockoutLead() []Column { return []Column{lead("survived", 0, 1)} }

// lead returns the column of the i-th figure that is compared first, which is
// counted in units of 1/parts.
func lead(name string, i, parts int) Column {
	return Column{name, false, func(r standings.Row) string {
		if i >= len(r.Tiebreak) {
			return ""
		}
		return Number(float64(r.Tiebreak[i]) / float64(parts))
	}}
}
