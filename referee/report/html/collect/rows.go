package collect

import "umpire/referee/standings"

// Rows are the rows of bots in the standings, from 0, by name and digest.
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
func (r Rows) Of(name, digest string) int {
	if row, ok := r[standings.Bot{Name: name, Digest: digest}]; ok {
		return row
	}
	return -1
}
