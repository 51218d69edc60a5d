package tournament

import (
	"cmp"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// swiss is a bot's standing in a Swiss tournament.
type swiss struct {
	points    int // in halves: an encounter won 2, tied 1, a bye 2
	opponents []int
	results   []int // against each opponent, in halves
	byes      []int // rounds in which it had no opponent, from 0
	before    []int // points before each of byes
}

func swissScores(bots int, rank protocols.Rank, done [][]standings.Meeting) []swiss {
	score := make([]swiss, bots)
	for i, round := range done {
		for _, e := range round {
			a := &score[e.A]
			result := e.Result(rank)
			if e.B == standings.Bye {
				a.byes, a.before = append(a.byes, i), append(a.before, a.points)
				a.points += result
				continue
			}
			b := &score[e.B]
			a.points += result
			b.points += 2 - result
			a.opponents, b.opponents = append(a.opponents, e.B), append(b.opponents, e.A)
			a.results, b.results = append(a.results, result), append(b.results, 2-result)
		}
	}
	return score
}

// SwissFigures returns, for each bot, what orders the standings of a Swiss
// tournament before the game's own rule. A bye counts as a win against FIDE's
// virtual opponent, which had the bot's points before that round and ties all
// rounds after it (FIDE Handbook C.02, 13.15.2, of 2009).
func SwissFigures(bots int, rank protocols.Rank, done [][]standings.Meeting) []standings.RoundFigures {
	score := swissScores(bots, rank, done)
	figures := make([]standings.RoundFigures, bots)
	for i, s := range score {
		f := &figures[i]
		f.Reached = s.points
		fewest := math.MaxInt
		add := func(points, result int) {
			f.Buchholz += points
			f.SonnebornBerger += points * result
			fewest = min(fewest, points)
		}
		for j, o := range s.opponents {
			add(score[o].points, s.results[j])
		}
		for j, round := range s.byes {
			add(s.before[j]+len(done)-1-round, 2)
		}
		if fewest < math.MaxInt {
			f.BuchholzCut1 = f.Buchholz - fewest
		}
	}
	return figures
}

// swissRound pairs the next round. In the first round, the upper half of the
// bots, in the order given, meets the lower half. Later, they are lined up by
// points, then in the order given, and from the top each meets the next below
// that it has not met, such that all find an opponent; only if that is
// impossible do bots meet again, beginning with those that have met least. With
// an odd number, the last of the bots that have had the fewest byes gets one.
func (p Plan) swissRound(done [][]standings.Meeting) []strength.Pair {
	line := p.paired()
	bots := len(line)
	if len(done) >= p.swissRounds() || bots < 2 {
		return nil
	}
	score := swissScores(p.Bots, p.Rank, done)
	slices.SortStableFunc(line, func(a, b int) int { return cmp.Compare(score[b].points, score[a].points) })
	var bye []strength.Pair
	if bots%2 == 1 {
		i := bots - 1
		for j := i; j >= 0; j-- {
			if len(score[line[j]].byes) < len(score[line[i]].byes) {
				i = j
			}
		}
		bye = []strength.Pair{{A: line[i], B: standings.Bye}}
		line = slices.Delete(line, i, i+1)
	}
	if len(done) == 0 {
		return append(folded(line), bye...)
	}
	for most := 0; ; most++ {
		next := &pairing{line: line, score: score, most: most}
		if next.pair() {
			return append(next.pairs, bye...)
		}
	}
}

func folded(line []int) (pairs []strength.Pair) {
	half := len(line) / 2
	for i := range half {
		pairs = append(pairs, strength.Pair{A: line[i], B: line[i+half]})
	}
	return pairs
}

// knockoutRound pairs the next round of a knockout.
func (p Plan) knockoutRound(done [][]standings.Meeting) []strength.Pair {
	if len(done) > 0 {
		return standings.NextRound(done[len(done)-1], p.Rank)
	}
	bots := p.paired()
	pairs := standings.FirstRound(len(bots))
	for i, pair := range pairs {
		if pairs[i].A = bots[pair.A]; pair.B != standings.Bye {
			pairs[i].B = bots[pair.B]
		}
	}
	return pairs
}
