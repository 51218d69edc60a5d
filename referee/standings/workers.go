package standings

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"umpire/referee/record"
	"umpire/referee/strength"
)

// Level counts the matches that were played at a level of isolation.
type Level struct {
	Isolation string `json:"isolation"`
	Matches   int    `json:"matches"`
}

// Worker counts the matches that a worker played.
type Worker struct {
	Worker  string `json:"worker"`
	Matches int    `json:"matches"`
}

// WorkerEffect says that a worker changes results, by more than chance explains:
// those of a bot differ most from its results elsewhere; see workerEffects.
type WorkerEffect struct {
	Worker string `json:"worker"`
	// Other is the only other worker that it was compared with: which of the two
	// is the odd one can't be told. "" if there are several.
	Other string `json:"other,omitempty"`
	Bot   string `json:"bot"`
	// Here and Elsewhere are the bot's shares of the match points, from 0 to 1,
	// on the worker and, against the same opponents, on others.
	Here         float64 `json:"here"`
	Elsewhere    float64 `json:"elsewhere"`
	Observations int     `json:"observations"` // on the worker; mirrored matches count as one
	// P is the probability of finding such a difference by chance, with any
	// worker and bot.
	P float64 `json:"p"`
}

// places counts matches by the level and the worker they were played at.
type places struct {
	levels  map[string]int
	number  map[string]int32 // of a worker, from 1
	workers []Worker         // in the order of their numbers
	samples []sample         // of the observations that are complete
}

// add counts a match, and returns the number of its worker; 0 if umpire played
// it itself.
func (p *places) add(b *record.Summary) int32 {
	if b.Isolation != "" {
		p.levels[b.Isolation]++
	}
	if b.Worker == "" {
		return 0
	}
	n, ok := p.number[b.Worker]
	if !ok {
		p.workers = append(p.workers, Worker{Worker: b.Worker})
		n = int32(len(p.workers))
		p.number[b.Worker] = n
	}
	p.workers[n-1].Matches++
	return n
}

// Levels lists the levels of isolation at which the matches were played, the
// most frequent first.
func (t *Tally) Levels() (list []Level) {
	for name, n := range t.where.levels {
		list = append(list, Level{name, n})
	}
	slices.SortFunc(list, func(a, b Level) int {
		return cmp.Or(cmp.Compare(b.Matches, a.Matches), cmp.Compare(a.Isolation, b.Isolation))
	})
	return list
}

// sample is one bot's side of an observation on one worker.
type sample struct {
	bots   [2]int32 // the bot, and its opponent; of several, a hash of them
	worker int32
	where  uint64 // the case: record.Summary.PairingKey
	share  int32  // the bot's share of the match points, 0 to fullShare
}

// fullShare is the share of a bot that has won all the matches. It makes shares
// integers for up to eight matches, and for all orders of four seats.
const fullShare = 2 * scale

// several is the worker of an observation that was made on more than one.
const several = -1

// playedOn adds a match to an observation: the worker that played it, and the
// points that the bots won, in halves. seat are the bots by seat.
func (o *observation) playedOn(worker int32, b *record.Summary, seat []int) {
	switch {
	case o.matches == 1:
		o.worker, o.where = worker, b.PairingKey
	case o.worker != worker:
		o.worker = several
	}
	if o.worker <= 0 {
		return
	}
	if o.won == nil {
		o.won = make([]int32, len(o.bots))
	}
	for i, n := range seat {
		at := slices.Index(o.bots, n)
		for j := range seat {
			if i != j {
				o.won[at] += int32(b.Halves(i, j))
			}
		}
	}
}

// samples adds what an observation says to a list. Of two bots, the second has
// what the first has not.
func (o *observation) samples(list []sample) []sample {
	if o.worker <= 0 || len(o.bots) < 2 {
		return list
	}
	most := int32(2 * o.matches * (len(o.bots) - 1))
	if len(o.bots) == 2 {
		return append(list, sample{[2]int32{int32(o.bots[0]), int32(o.bots[1])}, o.worker, o.where, o.won[0] * fullShare / most})
	}
	opponents := int32(0)
	for _, n := range o.bots {
		opponents = opponents*31 + int32(n) + 1
	}
	for i, n := range o.bots {
		list = append(list, sample{[2]int32{int32(n), min(-1, -opponents, opponents)}, o.worker, o.where, o.won[i] * fullShare / most})
	}
	return list
}

// What must be there to compare a bot's results on a worker with those
// elsewhere, and what is a finding.
const (
	minSamples  = 20 // on either side
	significant = 0.01
)

// contrast is the difference between a bot's results on a worker and what they
// would be by chance, as sums over its opponents.
type contrast struct {
	here, others     float64 // samples
	excess, variance float64 // of the sum of shares here
	sum, expected    float64 // of shares here; and what the means elsewhere give for as many
}

// workerEffects finds the workers that change results, each with the bot that
// shows it best. For each worker and bot, the shares of points in its pairs, on
// the cases that both the worker and others have played, are compared with those
// of the same pairs elsewhere: if the worker makes no difference, it has got a
// random sample of each pair's observations, whose mean and variance are known
// (the test of Mantel and Haenszel, each pair a stratum). The probabilities are
// corrected for the number of comparisons (Bonferroni). The others are compared
// without a worker that was found, since they would differ from it.
func (p *places) workerEffects(list []sample, name func(bot int) string) (effects []WorkerEffect) {
	for {
		worker, e, ok := p.strongestEffect(list, name)
		if !ok {
			return effects
		}
		e.Other = p.onlyOther(list, worker)
		effects = append(effects, e)
		list = slices.DeleteFunc(list, func(s sample) bool { return s.worker == worker })
	}
}

// strongestEffect finds the worker and bot whose results differ most from those
// elsewhere; ok is false if chance explains that.
func (p *places) strongestEffect(list []sample, name func(bot int) string) (worker int32, e WorkerEffect, ok bool) {
	contrasts := p.contrasts(list)
	maps.DeleteFunc(contrasts, func(_ [2]int32, c contrast) bool {
		return c.here < minSamples || c.others < minSamples || c.variance == 0
	})
	for key, c := range contrasts {
		chance := min(1, c.chance()*float64(len(contrasts)))
		if chance >= significant {
			continue
		}
		const digits = 1e4 // so that the order of sums does not show
		found := WorkerEffect{
			Worker: p.workers[key[0]-1].Worker, Bot: name(int(key[1])), Observations: int(c.here), P: strength.TwoDigits(chance),
			Here: strength.Round(c.sum/c.here/fullShare, digits), Elsewhere: strength.Round(c.expected/c.here/fullShare, digits),
		}
		if !ok || cmp.Or(cmp.Compare(found.P, e.P), cmp.Compare(found.Worker, e.Worker), cmp.Compare(found.Bot, e.Bot)) < 0 {
			worker, e, ok = key[0], found, true
		}
	}
	return worker, e, ok
}

// onlyOther returns the name of the only other worker in a list; "" if there
// are several.
func (p *places) onlyOther(list []sample, worker int32) string {
	others := make(map[int32]bool)
	for _, s := range list {
		others[s.worker] = true
	}
	delete(others, worker)
	for other := range others {
		if len(others) == 1 {
			return p.workers[other-1].Worker
		}
	}
	return ""
}

// chance is the probability of a difference that is as large, by chance.
func (c contrast) chance() float64 {
	const step = fullShare / 8 // half of the least difference of a sum
	return math.Erfc(max(0, math.Abs(c.excess)-step) / math.Sqrt(2*c.variance))
}

// contrasts compares each worker with the others, by worker and bot.
func (p *places) contrasts(list []sample) map[[2]int32]contrast {
	shared := sharedCases(list)
	slices.SortFunc(list, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.bots[0], b.bots[0]), cmp.Compare(a.bots[1], b.bots[1]), cmp.Compare(a.worker, b.worker), cmp.Compare(a.where, b.where))
	})
	all := make(map[[2]int32]contrast)
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].bots == list[0].bots {
			n++
		}
		stratum := list[:n]
		list = list[n:]
		for i, s := range stratum {
			if i > 0 && s.worker == stratum[i-1].worker {
				continue
			}
			d, ok := compare(stratum, s.worker, shared)
			if !ok {
				continue
			}
			bot, opponent := [2]int32{s.worker, s.bots[0]}, [2]int32{s.worker, s.bots[1]}
			all[bot] = all[bot].plus(d)
			if s.bots[1] >= 0 {
				all[opponent] = all[opponent].plus(d.reversed())
			}
		}
	}
	return all
}

// plus returns the contrast over the opponents of both.
func (c contrast) plus(d contrast) contrast {
	return contrast{c.here + d.here, c.others + d.others, c.excess + d.excess, c.variance + d.variance, c.sum + d.sum, c.expected + d.expected}
}

// reversed returns the contrast of the opponent.
func (c contrast) reversed() contrast {
	c.excess, c.sum, c.expected = -c.excess, c.here*fullShare-c.sum, c.here*fullShare-c.expected
	return c
}

// onCase is a worker on a case.
type onCase struct {
	where  uint64
	worker int32
}

// sharedCases returns which workers have played a case that others have played
// as well. A worker that came late has played other cases than the others.
func sharedCases(list []sample) map[onCase]bool {
	total, own := make(map[uint64]int), make(map[onCase]int)
	for _, s := range list {
		total[s.where]++
		own[onCase{s.where, s.worker}]++
	}
	shared := make(map[onCase]bool)
	for at, n := range own {
		shared[at] = n < total[at.where]
	}
	return shared
}

// compare compares a worker with the others within a stratum, on the cases that
// it shares with them; ok is false if there is nothing to compare.
func compare(stratum []sample, worker int32, shared map[onCase]bool) (c contrast, ok bool) {
	var sum, squares, n float64
	for _, s := range stratum {
		if !shared[onCase{s.where, worker}] {
			continue
		}
		share := float64(s.share)
		n++
		sum += share
		squares += share * share
		if s.worker == worker {
			c.here++
			c.sum += share
		}
	}
	c.others = n - c.here
	if c.here == 0 || c.others == 0 {
		return c, false
	}
	c.excess = c.sum - c.here*sum/n
	c.variance = c.here * c.others / n * max(0, squares-sum*sum/n) / (n - 1)
	c.expected = c.here * (sum - c.sum) / c.others
	return c, true
}

// addPlaces adds where the matches were played, and what that changed.
func (s *Standings) addPlaces(t *Tally, names []string) {
	s.Workers = slices.SortedFunc(slices.Values(t.where.workers), func(a, b Worker) int { return cmp.Compare(a.Worker, b.Worker) })
	if len(t.where.levels) > 1 {
		s.Isolation = t.Levels()
	}
	if len(s.Workers) < 2 {
		return
	}
	list := slices.Clone(t.where.samples)
	for _, o := range t.open {
		list = o.samples(list)
	}
	s.WorkerEffects = t.where.workerEffects(list, func(bot int) string { return names[bot] })
}
