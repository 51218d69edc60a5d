package tournament

import (
	"cmp"
	"slices"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/standings"
)

// bots returns the bots of the run, in the order given.
func (p *Past) bots() (list []standings.Bot) {
	for _, b := range p.Info.Bots {
		list = append(list, standings.Bot{Name: b.Name, Digest: b.Digest})
	}
	return list
}

// matches returns how many matches an encounter of two bots takes.
func (p *Past) matches() int {
	plays := len(p.Info.Cases)
	if n := p.Config.CasesPerPair; n != nil {
		plays = *n
	}
	return 2 * plays
}

// Knockout returns what a run is played with, if it is a knockout.
func (p *Past) Knockout() (k standings.Knockout, ok bool) {
	k = standings.Knockout{Bots: p.bots(), Matches: p.matches()}
	return k, p.Info.Format == Knockout && len(k.Bots) > 1 && k.Matches > 0
}

// RecordedSwiss finds the rounds of a Swiss tournament in its records.
type RecordedSwiss struct {
	Bots    []standings.Bot // in the order given
	Matches int             // of an encounter

	plan   Plan
	number map[standings.Bot]int
	played map[standings.Pair][]recordedMatch // by pair, the smaller number first
}

// recordedMatch is a match of a pair, as a meeting of its own.
type recordedMatch struct {
	repetition int
	standings.Meeting
}

// Swiss returns what finds the rounds of the run in its records; nil if it is
// not a Swiss tournament.
func (p *Past) Swiss() *RecordedSwiss {
	s := &RecordedSwiss{
		Bots: p.bots(), Matches: p.matches(), number: make(map[standings.Bot]int), played: make(map[standings.Pair][]recordedMatch),
	}
	if p.Info.Format != Swiss || len(s.Bots) < 2 || s.Matches < 1 {
		return nil
	}
	s.plan = Plan{Format: Swiss, Bots: len(s.Bots), Seats: 2}
	if n := p.Config.Rounds; n != nil {
		s.plan.Rounds = *n
	}
	s.plan.Tiebreaks = p.Tiebreaks()
	for i, b := range s.Bots {
		s.number[b] = i
	}
	return s
}

// Tiebreaks returns those that the run was played with; nil: the usual ones.
func (p *Past) Tiebreaks() []standings.Tiebreak {
	if p.Config.Tiebreaks == "" {
		return nil
	}
	list, err := standings.ParseTiebreaks(p.Config.Tiebreaks)
	if err != nil { // checked when the run began
		return nil
	}
	return list
}

// Add adds a match that counts. Matches of other bots have no effect.
func (s *RecordedSwiss) Add(b *record.Summary) {
	if len(b.Seats) != 2 {
		return
	}
	first, ok1 := s.number[standings.Bot{Name: b.Seats[0].Bot, Digest: b.Seats[0].Digest}]
	second, ok2 := s.number[standings.Bot{Name: b.Seats[1].Bot, Digest: b.Seats[1].Digest}]
	if !ok1 || !ok2 || first == second {
		return
	}
	m := recordedMatch{repetition: b.Repetition}
	m.Pair = standings.Pair{A: min(first, second), B: max(first, second)}
	if m.A == first {
		m.Add(b, 0)
	} else {
		m.Add(b, 1)
	}
	s.played[m.Pair] = append(s.played[m.Pair], m)
}

// Rounds returns the results of the rounds that are complete, and of the one
// that is being played, if there is one.
func (s *RecordedSwiss) Rounds(rank protocols.Rank) (done [][]standings.Meeting, running []standings.Meeting) {
	for _, list := range s.played { // a pair that meets again plays later repetitions
		slices.SortStableFunc(list, func(a, b recordedMatch) int { return cmp.Compare(a.repetition, b.repetition) })
	}
	s.plan.Rank = rank
	for {
		round, ok := s.plan.Next(done)
		if !ok {
			return done, nil
		}
		before, complete := meetings(done), true
		var results []standings.Meeting
		for _, pair := range round.Pairs {
			e := s.meeting(pair, before[inOrder(pair)])
			complete = complete && (pair.B == standings.Bye || e.Played == s.Matches)
			results = append(results, e)
		}
		if !complete {
			return done, results
		}
		done = append(done, results)
	}
}

// meeting returns the result of a pair that has met so many times before.
func (s *RecordedSwiss) meeting(pair standings.Pair, before int) standings.Meeting {
	e := standings.Meeting{Pair: pair}
	a, b := 0, 1
	if pair.A > pair.B {
		a, b = 1, 0
	}
	list := s.played[inOrder(pair)]
	from := min(before*s.Matches, len(list))
	for _, m := range list[from:min(from+s.Matches, len(list))] {
		e.Played++
		for i, of := range []int{a, b} {
			e.Wins[i] += m.Wins[of]
			e.Scores[i] += m.Scores[of]
			e.Fails[i] += m.Fails[of]
		}
	}
	return e
}

// Ordering returns how the standings are ordered after these rounds.
func (s *RecordedSwiss) Ordering(rank protocols.Rank, done [][]standings.Meeting) *standings.Ordering {
	return swissOrdering(s.Bots, rank, done, s.plan.Tiebreaks)
}
