package tournament

import (
	"errors"

	"umpire/referee/record"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// testPairs is how many mirrored pairs a sequential test may take, unless the
// configuration says how many cases a pair of bots plays.
const testPairs = 20_000

// Sequential is a tournament of two bots that ends when a sequential test has decided
// whether the second is the stronger one. Pairs count in the order of the schedule,
// each when all before it have ended, so that the decision depends neither on how many
// matches are played at a time nor on interruptions.
type Sequential struct {
	strength.TestState

	tally   *standings.Tally
	waiting map[int]*record.Summary // matches that ended before others of the schedule
	next    int                     // the first match that does not count yet
	matches int                     // of the schedule
	pass    int                     // matches of one repetition of all cases
	before  int                     // pairs that counted when the last pass ended
	again   int                     // pairs of passes since, in which all was the same again
}

// alikeDeals is how many pairs are the same again in a game whose judge draws before the bots
// have no more to show: another deal may differ.
const alikeDeals = 20

// errDecided ends the round of a sequential test.
var errDecided = errors.New("the sequential test has decided")

// newSequential begins the test of a plan; nil if it has none.
func newSequential(p Plan) *Sequential {
	if p.SPRT == nil {
		return nil
	}
	s := &Sequential{TestState: strength.TestState{Test: *p.SPRT}, tally: standings.NewTally(p.Rank), waiting: make(map[int]*record.Summary), matches: 2 * len(p.Plays)}
	for _, play := range p.Plays {
		if play.Repetition == 1 {
			s.pass += 2
		}
	}
	return s
}

// add counts the n-th match of the schedule, from 0. One that umpire failed to play is
// waited for.
func (s *Sequential) add(n int, b *record.Summary) {
	if s == nil || b.Failed || n < s.next || s.decided() {
		return
	}
	s.waiting[n] = b.Clone()
	for !s.decided() && s.waiting[s.next] != nil {
		s.tally.Add(s.waiting[s.next])
		delete(s.waiting, s.next)
		if s.next++; s.next%2 == 0 {
			s.decide()
		}
	}
}

// Follow counts a recorded match in the sequential test, if there is one.
func (c *Run) Follow(b *record.Summary) {
	if c.Sequential == nil {
		return
	}
	if n, ok := c.schedule().number[matchOf(b)]; ok {
		c.Sequential.add(n, b)
	}
}

// decide looks at the pairs after one more.
func (s *Sequential) decide() {
	s.Pairs, s.Cases = s.tally.PairsOf(1, 0), s.tally.CasesOf(1, 0)
	llr := s.Test.LLR(s.Pairs)
	s.Path, s.Decision = append(s.Path, llr), s.Test.Decide(llr)
	if s.Decision != strength.NotDecided {
		return
	}
	if s.next%s.pass == 0 {
		if s.again += s.pass / 2; s.Pairs.Pairs() != s.before {
			s.before, s.again = s.Pairs.Pairs(), 0
		}
		s.Repeats = s.again > 0 && (!s.tally.Draws || s.again >= alikeDeals)
	}
	if s.Repeats || s.next == s.matches {
		s.Decision = strength.Undecided
	}
}

// decided reports whether the test, if there is one, has come to its end.
func (s *Sequential) decided() bool { return s != nil && s.Decision != strength.NotDecided }
