package collect

import (
	"fmt"
	"math"

	"umpire/referee/record"
	"umpire/referee/report/html/page"
	"umpire/referee/standings"
)

// Highlights are the matches most worth looking at; nil where there is none.
type Highlights struct{ Closest, Upset *Highlight }

// Highlight is a match worth looking at.
type Highlight struct {
	Winner, Loser, Result, Link string
	by                          float64
}

// add notes a match that was closer, or a greater upset, than all before it. Matches with
// a failure or without a sole winner are neither.
func (h *Highlights) add(table []standings.Row, b *record.Summary, rows []int, link string) {
	winner, second := -1, -1
	for i, s := range b.Seats {
		switch {
		case s.Verdict != "ok" || rows[i] < 0:
			return
		case s.Place == 1 && winner >= 0:
			return
		case s.Place == 1:
			winner = i
		case second < 0 || s.Place < b.Seats[second].Place:
			second = i
		}
	}
	if winner < 0 || second < 0 || rows[winner] == rows[second] {
		return
	}
	first, other := &table[rows[winner]], &table[rows[second]]
	match := func(by float64) *Highlight {
		result := fmt.Sprintf("%v : %v", b.Seats[winner].Score, b.Seats[second].Score)
		return &Highlight{page.SafeLine(first.Bot), page.SafeLine(other.Bot), result, link, by}
	}
	margin := math.Abs(b.Seats[winner].Score.Minus(b.Seats[second].Score).Float())
	if margin > 0 && (h.Closest == nil || margin < h.Closest.by) {
		h.Closest = match(margin)
	}
	if first.Rating == nil || other.Rating == nil {
		return
	}
	if gap := other.Rating.Value - first.Rating.Value; gap > 0 && (h.Upset == nil || gap > h.Upset.by) {
		h.Upset = match(gap)
	}
}
