package collect

import "umpire/referee/standings"

// Rows are the rows of bots in the standings, from 0.
type Rows map[standings.Bot]int

// RowsOf returns the rows of standings.
func RowsOf(of *standings.Standings) Rows {
	rows := make(Rows, len(of.Rows))
	for i, row := range of.Rows {
		rows[row.Key()] = i
	}
	return rows
}

// Of is the row of a bot; -1 for one that has none, having taken part only in matches that
// umpire failed to play.
func (r Rows) Of(bot standings.Bot) int {
	if row, ok := r[bot]; ok {
		return row
	}
	return -1
}
