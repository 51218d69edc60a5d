package standings

import (
	"slices"

	"umpire/protocols"
	"umpire/referee/strength"
)

// FirstRound pairs the first round of a knockout. The bots are seeded in the
// order given: the first and the second can only meet in the final, and if
// their number is not a power of two, the first ones have a bye. Neighbouring
// pairs meet in the next round.
func FirstRound(bots int) []strength.Pair {
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
	pairs := inPairs(line)
	for i, p := range pairs {
		if p.A == Bye {
			pairs[i] = strength.Pair{A: p.B, B: p.A}
		}
	}
	return pairs
}

// NextRound pairs the winners of a round; nil after the final.
func NextRound(round []Meeting, rank protocols.Rank) []strength.Pair {
	if len(round) < 2 {
		return nil
	}
	var in []int
	for _, e := range round {
		in = append(in, e.Winner(rank))
	}
	return inPairs(in)
}

// inPairs pairs neighbours; a single bot has no opponent.
func inPairs(line []int) (pairs []strength.Pair) {
	for two := range slices.Chunk(line, 2) {
		if len(two) == 2 {
			pairs = append(pairs, strength.Pair{A: two[0], B: two[1]})
		}
	}
	return pairs
}

// Knockout names the bots of a knockout and the length of its encounters.
type Knockout struct {
	Bots    []Bot // in the order of their seeds
	Matches int   // number of matches of an encounter
}

// Open stands for a bot that is not yet known: an encounter on which it depends
// has not been decided.
const Open = -2

// Bracket is a knockout as far as it has been played. Bots are numbered by
// their seeds, from 0.
type Bracket struct {
	Knockout
	// Rounds are all rounds, the first one first and the final last. The winners
	// of encounters 2i and 2i+1 of a round meet in encounter i of the next.
	Rounds [][]Meeting
	Rank   protocols.Rank
}

// Bracket returns a knockout as far as the matches decide it. Matches between
// bots that do not meet in it have no effect.
func (t *Tally) Bracket(k Knockout) Bracket {
	b := Bracket{Knockout: k, Rank: t.Rank}
	for pairs := FirstRound(len(k.Bots)); len(pairs) > 0; {
		var round []Meeting
		var next []int
		for _, p := range pairs {
			e := t.meeting(k.Bots, p)
			round, next = append(round, e), append(next, b.WinnerOf(e))
		}
		b.Rounds = append(b.Rounds, round)
		pairs = inPairs(next)
	}
	return b
}

// meeting returns the result of two of the bots so far.
func (t *Tally) meeting(bots []Bot, p strength.Pair) Meeting {
	e := Meeting{Pair: p}
	if p.A < 0 || p.B < 0 {
		return e
	}
	a, isA := t.index[bots[p.A]]
	b, isB := t.index[bots[p.B]]
	if d, met := view(t.pairs, a, b); isA && isB && met {
		e.Played = d.played()
		e.Wins = [2]int{2*d.won + d.drawn + d.neither, 2*d.lost + d.drawn + d.neither}
		e.Scores = [2]protocols.Score{d.points, d.against}
		e.Fails = d.failed
	}
	return e
}

// WinnerOf returns who advances from an encounter, or Open if that has not been
// decided.
func (b Bracket) WinnerOf(e Meeting) int {
	if e.A == Open || e.B == Open || e.B != Bye && e.Played < b.Matches {
		return Open
	}
	return e.Winner(b.Rank)
}

// Winner returns the winner of the final, or Open.
func (b Bracket) Winner() int {
	if len(b.Rounds) == 0 {
		return Open
	}
	return b.WinnerOf(b.Rounds[len(b.Rounds)-1][0])
}

// Name returns a bot's name; "" for Open and Bye.
func (b Bracket) Name(bot int) string {
	if bot < 0 {
		return ""
	}
	return b.Bots[bot].Name
}

// Ordering returns what orders the standings of a knockout before the game's own
// rule: the number of rounds that each bot has survived.
func (b Bracket) Ordering() *Ordering {
	survived := make(map[Bot]RoundFigures)
	for _, bot := range b.Bots {
		survived[bot] = RoundFigures{}
	}
	for _, round := range b.Rounds {
		for _, e := range round {
			if winner := b.WinnerOf(e); winner >= 0 {
				bot := b.Bots[winner]
				survived[bot] = RoundFigures{Reached: survived[bot].Reached + 1}
			}
		}
	}
	return &Ordering{Rounds: survived}
}
