package tournament

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"umpire/protocols"
	"umpire/referee/settings"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Format is how bots are matched.
type Format string

// The formats.
const (
	RoundRobin Format = "round-robin" // everyone against everyone
	Gauntlet   Format = "gauntlet"    // the first bots against each of the others
	Swiss      Format = "swiss"       // in rounds, each against one with a similar standing
	Knockout   Format = "knockout"    // the loser of a meeting is out
)

// Formats lists the names of all formats.
var Formats = []string{string(RoundRobin), string(Gauntlet), string(Swiss), string(Knockout)}

// CaseRepetition is one case in one repetition, as every pair or table plays it.
type CaseRepetition struct {
	Case       int // index in the case set
	Repetition int // from 1
}

// Plays chooses what every pair or table plays of the cases with these texts: n
// of them, drawn by seed and in the set's order; all, if n is 0. If n exceeds
// the number of cases, cases are played again. Cases of equal text are
// repetitions of each other, since the matches on them would be the same.
func Plays(texts []string, n int, seed uint64) []CaseRepetition {
	n = cmp.Or(n, len(texts))
	more := n % max(1, len(texts))
	chosen := make([]int, 0, n)
	for i := range n - more {
		chosen = append(chosen, i%len(texts))
	}
	if more > 0 {
		drawn := rand.New(rand.NewPCG(seed, 0x7061697273)).Perm(len(texts))[:more]
		slices.Sort(drawn)
		chosen = append(chosen, drawn...)
	}
	plays := make([]CaseRepetition, len(chosen))
	times := make(map[string]int)
	for i, c := range chosen {
		times[texts[c]]++
		plays[i] = CaseRepetition{c, times[texts[c]]}
	}
	return plays
}

// Plan is the input of a schedule. In a plan, bots and cases are numbered from
// 0.
type Plan struct {
	Format      Format
	Bots        int              // how many
	Seats       int              // seats of a match
	Seating     Seating          // RoundRobin of more than two seats
	Challengers int              // Gauntlet: how many bots, the first ones, meet the others
	Rounds      int              // Swiss: how many; 0: as many as a knockout has
	Plays       []CaseRepetition // plays of every pair or table
	Rank        protocols.Rank
	Tiebreaks   []standings.Tiebreak // nil: the usual ones
	// SPRT ends a tournament of two bots when it has decided; nil: all is played.
	SPRT *strength.SPRT
	// Until is the goal of a round robin of two seats that goes on where the order is
	// least certain; nil: all is played.
	Until *strength.Until
	// Unpaired marks bots that can't play: a tournament whose later matches depend on earlier
	// ones pairs the others alone. Nil: all are paired.
	Unpaired []bool
}

// paired lists the bots that a tournament in rounds pairs.
func (p Plan) paired() (list []int) {
	for i := range p.Bots {
		if len(p.Unpaired) == 0 || !p.Unpaired[i] {
			list = append(list, i)
		}
	}
	return list
}

// MaxBots is the most bots of a tournament with more than two seats: up to this
// number, small balanced schedules are found in a second.
const MaxBots = 100

// MaxMatches is the most matches of a tournament: standings add up so many
// without overflow, and keep some 100 bytes of each in memory.
const MaxMatches = 10_000_000

// Check returns an error if the plan is invalid.
func (p Plan) Check() error {
	switch {
	case !slices.Contains(Formats, string(p.Format)):
		return fmt.Errorf("found format %q, expected %s", p.Format, settings.Or(Formats))
	case p.Bots < 2:
		return fmt.Errorf("a tournament takes 2 bots or more, found %d", p.Bots)
	case p.Bots < p.Seats:
		return fmt.Errorf("found %d bots for %d seats, expected as many bots as seats or more", p.Bots, p.Seats)
	case p.Seats != 2 && (p.Format == Swiss || p.Format == Knockout):
		return fmt.Errorf("found %d seats, a %s tournament is for two: --seats 2", p.Seats, p.Format)
	case p.Format == Gauntlet && (p.Challengers < 1 || p.Bots-p.Challengers < p.Seats-1):
		return fmt.Errorf("--challengers: found %d, expected at least 1, and at least %d other bots", p.Challengers, p.Seats-1)
	case p.Seats > 2 && p.Bots > MaxBots:
		return fmt.Errorf("found %d bots for matches of %d seats, expected at most %d", p.Bots, p.Seats, MaxBots)
	case p.Format != Swiss && (slices.Contains(p.Tiebreaks, standings.Buchholz) || slices.Contains(p.Tiebreaks, standings.BuchholzCut1)):
		return fmt.Errorf("--tiebreaks: found buchholz in a %s tournament, expected it in a swiss one", p.Format)
	case p.Until != nil && p.SPRT != nil:
		return fmt.Errorf("--until, --sprt: found both, expected one of them")
	case p.SPRT != nil && (p.Bots != 2 || p.Seats != 2 || p.InRounds()):
		return fmt.Errorf("--sprt: found a %s tournament of %d bots with %d seats, expected two bots that meet in matches of two seats", p.Format, p.Bots, p.Seats)
	case p.Until != nil && (p.Format != RoundRobin || p.Seats != 2):
		return fmt.Errorf("--until: found a %s tournament with %d seats, expected a round-robin of matches of two seats", p.Format, p.Seats)
	case p.Until != nil && p.Bots > MaxBots:
		return fmt.Errorf("--until: found %d bots, expected at most %d", p.Bots, MaxBots)
	case p.Rounds < 0:
		return fmt.Errorf("found %d rounds, expected 1 or more", p.Rounds)
	}
	if n := p.matches(); n > MaxMatches {
		return fmt.Errorf("%d bots on %d cases: a %s tournament takes %.0f matches, expected at most %d: fewer cases for a pair (--cases-per-pair), fewer bots, or in games for two another format (swiss, knockout)",
			p.Bots, len(p.Plays), p.Format, n, MaxMatches)
	}
	return nil
}

// matches returns how many matches the tournament takes; with more than two
// seats, how many it takes at least. There may be more than an int counts.
func (p Plan) matches() float64 {
	bots := float64(p.Bots)
	tables := bots // each bot sits in every seat
	switch {
	case p.Format == Swiss:
		tables = float64(p.swissRounds()) * float64(len(p.paired())/2) * 2
	case p.Format == Knockout:
		tables = float64(max(0, len(p.paired())-1)) * 2
	case p.Format == Gauntlet:
		tables = float64(p.Challengers) * (bots - float64(p.Challengers)) * 2
	case p.Seats == 2:
		tables = bots * (bots - 1)
	}
	return tables * float64(len(p.Plays))
}

// Total returns how many matches a valid plan takes; of one that goes on where the order
// is least certain, how many at least.
func (p Plan) Total() int {
	if p.Until != nil {
		bots := len(p.paired())
		return bots * (bots - 1)
	}
	if p.InRounds() {
		return int(p.matches())
	}
	round, _ := p.Next(nil)
	return round.Len
}

// InRounds reports whether later matches depend on the results of earlier ones.
func (p Plan) InRounds() bool {
	return p.Format == Swiss || p.Format == Knockout || p.Until != nil
}

// ScheduledMatch is a match to be played.
type ScheduledMatch struct {
	CaseRepetition
	Bots []int // seat 1 first
}

// Round is a part of a tournament that depends on the results of the parts
// before it.
type Round struct {
	// Pairs lists the encounters of a Swiss or knockout round, in order. B is
	// -1 where A has a bye.
	Pairs []strength.Pair
	// Matches yields all matches of the round, Len of them; those of one
	// encounter come one after another. Byes are left out.
	Matches iter.Seq[ScheduledMatch]
	Len     int
}

// Next returns the round that follows those in done, which hold the results of
// their encounters; ok is false when the tournament is over. It depends on
// nothing else.
func (p Plan) Next(done [][]standings.Meeting) (r Round, ok bool) {
	var pairs []strength.Pair
	switch p.Format {
	case Swiss:
		pairs = p.swissRound(done)
	case Knockout:
		pairs = p.knockoutRound(done)
	default:
		if len(done) > 0 {
			return Round{}, false
		}
		tables, n := p.tables()
		return p.round(tables, n), true
	}
	return p.encounters(pairs, done), len(pairs) > 0
}

// swissRounds returns the number of rounds: by default, just enough that only
// one bot can win all its encounters.
func (p Plan) swissRounds() int {
	if p.Rounds > 0 {
		return p.Rounds
	}
	n := 1
	for 1<<n < len(p.paired()) {
		n++
	}
	return n
}

// FixedRounds returns the number of rounds of a Swiss tournament; 0 for other formats.
func (p Plan) FixedRounds() int {
	if p.Format != Swiss {
		return 0
	}
	return p.swissRounds()
}

// tables yields the seatings of a round robin or gauntlet on one case, and
// returns how many they are.
func (p Plan) tables() (tables iter.Seq[[]int], n int) {
	if p.Format != Gauntlet {
		return Tables(p.Bots, p.Seats)
	}
	all, n := Tables(p.Bots-p.Challengers, p.Seats-1)
	return func(yield func([]int) bool) {
		for challenger := range p.Challengers {
			for others := range all {
				for i := range others {
					others[i] += p.Challengers
				}
				for seat := range p.Seats {
					if !yield(slices.Insert(slices.Clone(others), seat, challenger)) {
						return
					}
				}
			}
		}
	}, n * p.Challengers * p.Seats
}

// orders are the orders of turns, from case to case; nil: that of the tables.
func (p Plan) orders() [][]int {
	if p.Format != RoundRobin || p.Seats < 3 || p.Seating == Rotations {
		return nil
	}
	return arrangements(p.Seats)
}

// round has every table play every case, case by case, so that a tournament
// that is interrupted has treated all alike.
func (p Plan) round(tables iter.Seq[[]int], n int) Round {
	orders := p.orders()
	return Round{Len: n * len(p.Plays), Matches: func(yield func(ScheduledMatch) bool) {
		for i, play := range p.Plays {
			for table := range tables {
				if orders != nil {
					table = seated(table, orders[i%len(orders)])
				}
				if !yield(ScheduledMatch{play, table}) {
					return
				}
			}
		}
	}}
}

// encounters has every pair play every case in both orders. When a pair meets
// again, it repeats the cases.
func (p Plan) encounters(pairs []strength.Pair, done [][]standings.Meeting) Round {
	most := 0
	for _, play := range p.Plays {
		most = max(most, play.Repetition)
	}
	before := meetings(done)
	var matches []ScheduledMatch
	for _, pair := range pairs {
		if pair.B == standings.Bye {
			continue
		}
		met := before[inOrder(pair)]
		for _, play := range p.Plays {
			play.Repetition += met * most
			matches = append(matches, ScheduledMatch{play, []int{pair.A, pair.B}}, ScheduledMatch{play, []int{pair.B, pair.A}})
		}
	}
	return Round{Pairs: pairs, Matches: slices.Values(matches), Len: len(matches)}
}

// meetings counts how many times bots have met, by pairs that are in order.
func meetings(done [][]standings.Meeting) map[strength.Pair]int {
	n := make(map[strength.Pair]int)
	for _, round := range done {
		for _, e := range round {
			n[inOrder(e.Pair)]++
		}
	}
	return n
}

// inOrder returns a pair with the smaller number first.
func inOrder(p strength.Pair) strength.Pair {
	return strength.Pair{A: min(p.A, p.B), B: max(p.A, p.B)}
}
