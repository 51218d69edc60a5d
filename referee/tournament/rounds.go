package tournament

import (
	"cmp"
	"slices"

	"umpire/protocols"
)

// Meeting is the result of a pair in a round: sums over its matches, A's first.
// With a bye they are 0.
type Meeting struct {
	Pair
	Wins   [2]int // in halves: a win 2, a tie 1
	Scores [2]int
	Fails  [2]int // matches with a verdict that is not ok
}

// Result returns A's result in halves: 2 for a win, 1 for a tie. It follows the
// game's own rule. A bye is a win.
func (e Meeting) Result(rank protocols.Rank) int {
	if e.B == Bye {
		return 2
	}
	order := cmp.Compare(e.Scores[0], e.Scores[1])
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

// swiss is a bot's standing in a Swiss tournament.
type swiss struct {
	points    int // in halves: an encounter won 2, tied 1, a bye 2
	opponents []int
	bye       bool
}

func swissScores(bots int, rank protocols.Rank, done [][]Meeting) []swiss {
	score := make([]swiss, bots)
	for _, round := range done {
		for _, e := range round {
			a := &score[e.A]
			result := e.Result(rank)
			a.points += result
			if e.B == Bye {
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
func SwissOrder(bots int, rank protocols.Rank, done [][]Meeting) [][]int {
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
func swissRound(bots, rounds int, rank protocols.Rank, done [][]Meeting) []Pair {
	if len(done) >= rounds {
		return nil
	}
	score := swissScores(bots, rank, done)
	line := make([]int, bots)
	for i := range line {
		line[i] = i
	}
	slices.SortStableFunc(line, func(a, b int) int { return cmp.Compare(score[b].points, score[a].points) })
	var bye []Pair
	if bots%2 == 1 {
		i := bots - 1
		for i > 0 && score[line[i]].bye {
			i--
		}
		if score[line[i]].bye { // all have had one
			i = bots - 1
		}
		bye = []Pair{{line[i], Bye}}
		line = slices.Delete(line, i, i+1)
	}
	if len(done) == 0 {
		return append(folded(line), bye...)
	}
	for most := 0; ; most++ {
		m := &matching{score: score, most: most, budget: 100_000}
		if m.pair(line) {
			return append(m.pairs, bye...)
		}
	}
}

func folded(line []int) (pairs []Pair) {
	half := len(line) / 2
	for i := range half {
		pairs = append(pairs, Pair{line[i], line[i+half]})
	}
	return pairs
}

// matching pairs a line so that no two have met more than most times before. It
// gives up after a bounded number of tries.
type matching struct {
	score  []swiss
	most   int
	budget int
	pairs  []Pair
}

func (m *matching) pair(line []int) bool {
	if len(line) == 0 {
		return true
	}
	for i := 1; i < len(line); i++ {
		if m.budget--; m.budget < 0 {
			return false
		}
		if m.met(line[0], line[i]) > m.most {
			continue
		}
		m.pairs = append(m.pairs, Pair{line[0], line[i]})
		if m.pair(slices.Delete(slices.Clone(line[1:]), i-1, i)) {
			return true
		}
		m.pairs = m.pairs[:len(m.pairs)-1]
	}
	return false
}

func (m *matching) met(a, b int) (n int) {
	for _, o := range m.score[a].opponents {
		if o == b {
			n++
		}
	}
	return n
}

// knockoutRound pairs the next round of a knockout. The bots are seeded in the
// order given: the first and the second can only meet in the final, and if
// their number is not a power of two, the first ones have a bye in the first
// round.
func knockoutRound(bots int, rank protocols.Rank, done [][]Meeting) []Pair {
	var in []int // those still in, neighbours meeting
	if len(done) == 0 {
		in = bracket(bots)
	} else {
		for _, e := range done[len(done)-1] {
			in = append(in, e.Winner(rank))
		}
	}
	if len(in) < 2 {
		return nil
	}
	var pairs []Pair
	for i := 0; i < len(in); i += 2 {
		pairs = append(pairs, Pair{in[i], in[i+1]})
	}
	return pairs
}

// bracket lines up the first round; Bye marks a free place, always second in
// its pair.
func bracket(bots int) []int {
	line := []int{0}
	for len(line) < bots {
		size := 2 * len(line)
		next := make([]int, 0, size)
		for i, n := range line {
			a, b := n, size-1-n
			if i%2 == 1 && len(line) > 1 {
				a, b = b, a
			}
			next = append(next, a, b)
		}
		line = next
	}
	for i, n := range line {
		if n >= bots {
			line[i] = Bye
		}
	}
	for i := 0; i+1 < len(line); i += 2 {
		if line[i] == Bye {
			line[i], line[i+1] = line[i+1], line[i]
		}
	}
	return line
}

// KnockoutOrder returns, for each bot, what orders the standings of a knockout
// before the game's own rule: the number of rounds it survived.
func KnockoutOrder(bots int, rank protocols.Rank, done [][]Meeting) [][]int {
	order := make([][]int, bots)
	for i := range order {
		order[i] = []int{0}
	}
	for _, round := range done {
		for _, e := range round {
			order[e.Winner(rank)][0]++
		}
	}
	return order
}
