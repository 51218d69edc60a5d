package report

import (
	"testing"

	"umpire/referee/standings"
)

// TestRankLabel: the labels of a crosstable are the ranks, and all different.
func TestRankLabel(t *testing.T) {
	rows := []standings.Row{{Rank: 1}}
	for range 30 {
		rows = append(rows, standings.Row{Rank: 2, Tied: true})
	}
	rows = append(rows, standings.Row{Rank: 32})
	for i, want := range map[int]string{0: "1", 1: "2a", 26: "2z", 27: "2aa", 30: "2ad", 31: "32"} {
		if got := RankLabel(rows, i); got != want {
			t.Errorf("row %d: found %q, expected %q", i, got, want)
		}
	}
}
