package standings

import (
	"maps"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/strength"
)

// Contestants of a scoring do not meet: each plays the cases alone, or against
// the house. Cases differ in worth far more than bots, so that the intervals of
// two means say little about which bot is better; their differences case by case
// do. All matches on a case are one observation.

// trial is what a contestant reached in one seat on one case, alone or against
// the same bots of the house.
type trial struct {
	where   uint64 // record.Summary.Deal
	matches int64
	points  protocols.Score
	halves  int64 // its match points, in halves
}

// plus returns the trial with a match of the contestant in a seat, from 0.
func (one trial) plus(b *record.Summary, own int) trial {
	return trial{b.Deal(), one.matches + 1, one.points.Plus(b.Seats[own].Score), one.halves + HalvesOf(b.Seats, own)}
}

// addTrial counts the match of a single contestant.
func (t *Tally) addTrial(b *record.Summary) {
	own := -1
	key := b.Deal()
	for i, s := range b.Seats {
		switch {
		case s.House:
			key = mix(key, uint64(t.seat[i])+1)
		case own >= 0:
			return
		default:
			own = i
			key = mix(key, 0)
		}
	}
	if own < 0 {
		return
	}
	t.alone++
	e := &t.bots[t.seat[own]]
	if e.trials == nil {
		e.trials = make(map[uint64]trial)
	}
	e.trials[key] = e.trials[key].plus(b, own)
}

// alone reports whether a bot has played all its matches without another
// contestant.
func (e *entry) alone() bool {
	n := int64(0)
	for _, one := range e.trials {
		n += one.matches
	}
	return n > 0 && n == int64(e.played)
}

// perCase returns the sums for the mean score of a bot that has played alone.
func (e *entry) perCase() *spread {
	s := &spread{}
	cases := make(map[uint64]trial)
	for _, one := range e.trials {
		c := cases[one.where]
		cases[one.where] = trial{matches: c.matches + one.matches, points: c.points.Plus(one.points)}
	}
	for _, c := range cases {
		s.add(c.matches, c.points)
	}
	return s
}

// Paired compares two bots of a scoring case by case, over the cases that both
// have played. Rating is the mean difference, of the first to the second, with
// its 95 % interval, which is nil where all differences are equal: they say nothing
// about how far others may lie.
type Paired struct {
	Bot    string   `json:"bot"`
	To     string   `json:"to"`
	By     Tiebreak `json:"by"`    // what is compared, per match
	Cases  int      `json:"cases"` // that both have played
	Better int      `json:"better"`
	Worse  int      `json:"worse"`
	// P is the probability of so uneven numbers of better and worse cases if either
	// were as likely (the sign test).
	P float64 `json:"p"`
	// Superior is the likelihood, from 0 to 1, that the first is better on cases like
	// these, by Student's t; 0 where the differences say nothing about others.
	Superior float64 `json:"los,omitempty"`
	strength.Rating
}

// NewPaired compares by the differences on the cases, which it sorts; nil if
// there are none, or if they are too large to be squared.
func NewPaired(bot, to string, by Tiebreak, differences []float64) *Paired {
	const most = 1e140
	slices.Sort(differences) // so that the sum does not depend on their order
	if n := len(differences); n == 0 || !(differences[0] > -most && differences[n-1] < most) {
		return nil
	}
	p := &Paired{Bot: bot, To: to, By: by, Cases: len(differences)}
	n, sum, squares := float64(len(differences)), 0.0, 0.0
	for _, d := range differences {
		sum += d
		switch {
		case d > 0:
			p.Better++
		case d < 0:
			p.Worse++
		}
	}
	p.P = strength.TwoDigits(signTest(p.Better, p.Worse))
	mean := sum / n
	for _, d := range differences {
		squares += (d - mean) * (d - mean)
	}
	const digits = 1e6
	if p.Value = strength.Round(mean, digits); differences[0] < differences[len(differences)-1] {
		deviation := math.Sqrt(squares / (n - 1) / n)
		p.Rating = *strength.NewRating(mean, strength.Student(int64(n)-1)*deviation, digits)
		p.Superior = strength.Round(strength.StudentCDF(n-1, mean/deviation), digits)
	}
	return p
}

// signTest returns the probability that of so many throws of a coin at least as
// many fall on one side, whichever it is, as the greater of two numbers.
func signTest(a, b int) float64 {
	return min(1, 2*strength.CoinCDF(a+b, min(a, b)))
}

// pair compares the bots of a scoring with the first one: with it, as one
// comparison fits all, and can be drawn on one axis; Standings.Paired has the
// others.
func (s *Standings) pair(t *Tally) {
	if t.alone == 0 || t.alone < t.Matches {
		return
	}
	s.pairedBy = rule(t.Rank)[0]
	rows := s.Ranked()
	for i := 1; i < len(rows); i++ {
		if rows[i].Broken == "" {
			rows[i].ToFirst = s.Paired(&rows[i], &rows[0])
		}
	}
}

// Paired compares two bots of a scoring case by case, in the same seats and
// against the same opponents: by match points if these rank the game's bots,
// otherwise by scores. It is nil if there is nothing to compare, or if not all
// matches are those of a scoring.
func (s *Standings) Paired(a, b *Row) *Paired {
	if s.pairedBy == "" {
		return nil
	}
	return NewPaired(a.Bot, b.Bot, s.pairedBy, slices.Collect(maps.Values(differences(a.trials, b.trials, s.pairedBy))))
}

// differences compares what two bots have reached in the same seats against the same
// others, per match: the mean of each case that both have played.
func differences(a, b map[uint64]trial, by Tiebreak) map[uint64]float64 {
	worth := func(one trial) float64 {
		if by == MatchPoints {
			return float64(one.halves) / 2 / float64(one.matches)
		}
		return one.points.Over(one.matches)
	}
	cases := make(map[uint64][]float64)
	for key, one := range a {
		if other, both := b[key]; both {
			cases[one.where] = append(cases[one.where], worth(one)-worth(other))
		}
	}
	means := make(map[uint64]float64)
	for where, list := range cases {
		slices.Sort(list) // so that the sum does not depend on their order
		sum := 0.0
		for _, d := range list {
			sum += d
		}
		means[where] = sum / float64(len(list))
	}
	return means
}
