package tournament

import (
	"cmp"
	"slices"

	"umpire/protocols"
	"umpire/referee/standings"
)

// swiss is a bot's standing in a Swiss tournament.
type swiss struct {
	points    int // in halves: an encounter won 2, tied 1, a bye 2
	opponents []int
	bye       bool
}

func swissScores(bots int, rank protocols.Rank, done [][]standings.Meeting) []swiss {
	score := make([]swiss, bots)
	for _, round := range done {
		for _, e := range round {
			a := &score[e.A]
			result := e.Result(rank)
			a.points += result
			if e.B == standings.Bye {
				a.bye = true
				continue
			}
			b := &score[e.B]
			b.points += 2 - result
			a.opponents, b.opponents = append(a.opponents, e.B), append(b.opponents, e.A)
		}
	}
	return score
}

// SwissOrder returns, for each bot, what orders the standings of a Swiss
// tournament before the game's own rule: its points in halves (an encounter won
// 2, tied 1, a bye 2), then the sum of its opponents' points (Buchholz).
func SwissOrder(bots int, rank protocols.Rank, done [][]standings.Meeting) [][]int {
	score := swissScores(bots, rank, done)
	order := make([][]int, bots)
	for i, s := range score {
		buchholz := 0
		for _, o := range s.opponents {
			buchholz += score[o].points
		}
		order[i] = []int{s.points, buchholz}
	}
	return order
}

// swissRound pairs the next round. In the first round, the upper half of the
// bots, in the order given, meets the lower half. Later, they are lined up by
// points, then in the order given, and from the top each meets the next below
// that it has not met, such that all find an opponent; only if that is
// impossible do bots meet again, beginning with those that have met least. With
// an odd number, the last bot that has had no bye gets one.
func swissRound(bots, rounds int, rank protocols.Rank, done [][]standings.Meeting) []standings.Pair {
	if len(done) >= rounds {
		return nil
	}
	score := swissScores(bots, rank, done)
	line := make([]int, bots)
	for i := range line {
		line[i] = i
	}
	slices.SortStableFunc(line, func(a, b int) int { return cmp.Compare(score[b].points, score[a].points) })
	var bye []standings.Pair
	if bots%2 == 1 {
		i := bots - 1
		for i > 0 && score[line[i]].bye {
			i--
		}
		if score[line[i]].bye { // all have had one
			i = bots - 1
		}
		bye = []standings.Pair{{A: line[i], B: standings.Bye}}
		line = slices.Delete(line, i, i+1)
	}
	if len(done) == 0 {
		return append(folded(line), bye...)
	}
	for most := 0; ; most++ {
		p := &pairing{line: line, score: score, most: most}
		if p.pair() {
			return append(p.pairs, bye...)
		}
	}
}

func folded(line []int) (pairs []standings.Pair) {
	half := len(line) / 2
	for i := range half {
		pairs = append(pairs, standings.Pair{A: line[i], B: line[i+half]})
	}
	return pairs
}

// knockoutRound pairs the next round of a knockout.
func knockoutRound(bots int, rank protocols.Rank, done [][]standings.Meeting) []standings.Pair {
	if len(done) == 0 {
		return standings.FirstRound(bots)
	}
	return standings.NextRound(done[len(done)-1], rank)
}
