package standings

import (
	"cmp"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/strength"
)

// Bye stands for the opponent of a bot without one in a round.
const Bye = -1

// Meeting is the result of a pair in a round: sums over its matches, A's first.
// With a bye they are 0.
type Meeting struct {
	strength.Pair
	Played int    // matches
	Wins   [2]int // in halves: a win 2, a tie 1
	Scores [2]protocols.Score
	Fails  [2]int // matches with a verdict that is not ok
}

// Result returns A's result in halves: 2 for a win, 1 for a tie. It follows the
// game's own rule. A bye is a win.
func (e Meeting) Result(rank protocols.Rank) int {
	if e.B == Bye {
		return 2
	}
	order := e.Scores[0].Compare(e.Scores[1])
	if rank == protocols.ByWins {
		order = cmp.Or(cmp.Compare(e.Wins[0], e.Wins[1]), order)
	} else {
		order = cmp.Or(order, cmp.Compare(e.Wins[0], e.Wins[1]))
	}
	return 1 + order
}

// Winner returns who advances in a knockout: the bot with the better result; of
// equals, the one that failed in fewer matches; then the one given first.
func (e Meeting) Winner(rank protocols.Rank) int {
	order := e.Result(rank) - 1
	if e.B != Bye {
		order = cmp.Or(order, cmp.Compare(e.Fails[1], e.Fails[0]), cmp.Compare(e.B, e.A))
	}
	if order > 0 {
		return e.A
	}
	return e.B
}

// Add counts a match of the pair; first is the seat, from 0, of A.
func (e *Meeting) Add(b *record.Summary, first int) {
	e.Played++
	for i, at := range []int{first, 1 - first} {
		e.Wins[i] += b.Halves(at, 1-at)
		e.Scores[i] = e.Scores[i].Plus(b.Seats[at].Score)
		if b.Seats[at].Verdict != "ok" {
			e.Fails[i]++
		}
	}
}
