package report

import (
	"fmt"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

// widestCrosstable is the most bots that a crosstable is shown for: larger ones
// are illegible.
const widestCrosstable = 24

func (v Standings) crosstable() Table {
	rows := v.Of.Rows
	t := Table{Title: "Crosstable (won-drawn-lost)", Header: []string{"", "bot"}, Right: []bool{true, false}}
	place := make(map[string]int)
	for i, r := range rows {
		t.addColumn(RankLabel(rows, i), true, i)
		place[r.Bot] = i
		cells := make([]string, 2+len(rows))
		cells[0], cells[1], cells[2+i] = RankLabel(rows, i), r.Bot, "·"
		t.Rows = append(t.Rows, cells)
	}
	shades := make(map[[2]int]Colour)
	for _, p := range v.Of.Pairs {
		i, j := place[p.Bot], place[p.Opponent]
		t.Rows[i][2+j], shades[[2]int{i, 2 + j}] = fmt.Sprintf("%d-%d-%d", p.Won, p.Drawn, p.Lost), heat(p)
		p = p.Back()
		t.Rows[j][2+i], shades[[2]int{j, 2 + i}] = fmt.Sprintf("%d-%d-%d", p.Won, p.Drawn, p.Lost), heat(p)
	}
	t.Shade = func(row, column int) Colour { return shades[[2]int{row, column}] }
	return t
}

// heat is the colour of a result, of 256 that terminals have: from orange, all lost, to
// blue, all won, with black letters on them.
func heat(p standings.HeadToHead) Colour {
	const on = "38;5;16;48;5;"
	steps := []Colour{on + "216", on + "223", "", on + "153", on + "117"}
	return steps[int(4*(float64(p.Won)+float64(p.Drawn)/2)/float64(max(1, p.Played))+0.5)]
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

// pairTable has the mirrored pairs of every two bots, for programs.
func (v Standings) pairTable() *Table {
	t := Table{Header: []string{
		"bot", "opponent", "played", "won", "drawn", "lost", "points", "against", "pairs", "ptnml_0", "ptnml_1", "ptnml_2", "ptnml_3", "ptnml_4", "elo", "elo_low", "elo_high", "los",
	}}
	for _, p := range v.Of.Pairs {
		e, los := strength.NewElo(p.Ptnml), ""
		if v.Until != nil {
			e = strength.NewAnytimeElo(p.Ptnml, len(v.Until.Order))
		} else if superior, ok := v.Superior(p); ok {
			los = exact(superior)
		}
		t.Add(p.Bot, p.Opponent, p.Played, p.Won, p.Drawn, p.Lost, p.Points, p.Against, e.Pairs,
			p.Ptnml[0], p.Ptnml[1], p.Ptnml[2], p.Ptnml[3], p.Ptnml[4], exactEnd(e.Value), exactEnd(e.Low), exactEnd(e.High), los)
	}
	return &t
}

// Superior is how likely the first bot of a pair is the stronger one by their mirrored
// matches; ok is false if that is not known.
func (v Standings) Superior(p standings.HeadToHead) (likelihood float64, ok bool) {
	e := strength.NewElo(p.Ptnml)
	return e.Superior, v.Until == nil && e.Pairs > 1
}
