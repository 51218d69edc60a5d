package report

import (
	"fmt"
	"math"

	"umpire/protocols"
	"umpire/referee/standings"
)

// Encounter is the result of a pair in a round of a Swiss tournament or
// knockout.
type Encounter struct {
	Bots    []string          `json:"bots"`  // a single bot has a bye; "" is a bot that is not yet known
	Wins    []float64         `json:"wins"`  // match points
	Scores  []protocols.Score `json:"score"` // sums
	Result  float64           `json:"result"`
	Played  int               `json:"played"`           // matches
	Matches int               `json:"matches"`          // how many it takes
	Winner  string            `json:"winner,omitempty"` // the bot that advances in a knockout
	Tie     string            `json:"-"`                // in a knockout: who advances if the two are tied
}

// RoundsJSON is the JSON form of a tournament in rounds. In a knockout, encounters 2i and
// 2i+1 of a round lead to encounter i of the next.
type RoundsJSON struct {
	Rounds [][]Encounter `json:"rounds,omitempty"`
	Winner string        `json:"winner,omitempty"` // of a knockout, once it is decided
}

// Encounters returns the encounters of rounds, each of so many matches.
func Encounters(rounds [][]standings.Meeting, name func(bot int) string, matches int, rank protocols.Rank) (out [][]Encounter) {
	for _, round := range rounds {
		var list []Encounter
		for _, e := range round {
			one := Encounter{Bots: []string{name(e.A)}, Result: float64(e.Result(rank)) / 2}
			if e.B != standings.Bye {
				one.Bots = append(one.Bots, name(e.B))
				one.Wins = []float64{float64(e.Wins[0]) / 2, float64(e.Wins[1]) / 2}
				one.Scores = e.Scores[:]
				one.Played, one.Matches = e.Played, matches
			}
			list = append(list, one)
		}
		out = append(out, list)
	}
	return out
}

// Rounds returns the encounters of each round, as tables.
func Rounds(rounds [][]Encounter) (tables []Table) {
	for n, round := range rounds {
		t := Table{
			Title:  fmt.Sprintf("Round %d", n+1),
			Header: []string{"bot", "opponent", "match points", "score", "result"}, Right: []bool{false, false, true, true, false},
			Spare: []int{0, 0, 1, 2, 0},
		}
		decimals := 0 // of match points, so that those of a round are aligned
		for _, e := range round {
			for _, points := range e.Wins {
				if points != math.Trunc(points) {
					decimals = 1
				}
			}
		}
		for _, e := range round {
			switch {
			case len(e.Bots) == 1:
				t.Add(e.Bots[0], "-", "", "", "bye")
			case e.Bots[0] != "" && e.Bots[1] != "":
				points := fmt.Sprintf("%.*f:%.*f", decimals, e.Wins[0], decimals, e.Wins[1])
				t.Add(e.Bots[0], e.Bots[1], points, fmt.Sprintf("%v:%v", e.Scores[0], e.Scores[1]), e.outcome())
			}
		}
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// outcome says who has won an encounter, as far as that is known.
func (e Encounter) outcome() string {
	switch {
	case e.Played < e.Matches:
		return fmt.Sprintf("%d of %d played", e.Played, e.Matches)
	case e.Winner != "" && e.Result == 0.5:
		return e.Winner + " (tie)"
	}
	return map[float64]string{0: e.Bots[1], 0.5: "tie", 1: e.Bots[0]}[e.Result]
}

// lead returns the column of the i-th figure that is compared first, which is
// counted in units of 1/parts.
func lead(name string, i, parts int) Column {
	return Column{name, func(r standings.Row) string {
		if i >= len(r.Reached) {
			return ""
		}
		return Number(float64(r.Reached[i]) / float64(parts))
	}}
}
