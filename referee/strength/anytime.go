package strength

import "math"

// Bounds that hold at any number of looks: whoever looks at results after each pair and
// stops when he likes what he sees is wrong more often than an interval says that was
// made for one look. The bounds here are those of a bettor against each share of the
// points that a bot may be worth. His capital grows without end unless the share is the
// true one, against which it exceeds 1/alpha at any time with a probability of alpha at
// most (Ville's inequality; Waudby-Smith and Ramdas, Estimating means of bounded random
// variables by betting, 2024). He divides it among fixed stakes from the beginning, so
// that it depends on the counts of the results alone (Orabona and Jun, Tight
// concentrations and confidence sequences from the regret of universal portfolio, 2023).

// stakes are the parts of his capital that the bettor bets on each pair. They go from
// one that is best for differences of a few Elo up to all of it, evenly in logarithms.
var stakes = func() (list [24]float64) {
	for i := range list {
		list[i] = math.Pow(10, -2+2*float64(i)/float64(len(list)-1))
	}
	return list
}()

// capital is the logarithm of what bets have made of 1 that the first bot is worth more
// than a share of the points, which is between 0 and 1.
func (p Pentanomial) capital(than float64) float64 {
	var logs [len(stakes)]float64
	most := math.Inf(-1)
	for i, stake := range stakes {
		for result, count := range p {
			if count > 0 {
				logs[i] += float64(count) * math.Log1p(stake*(share(result)/than-1))
			}
		}
		most = max(most, logs[i])
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum/float64(len(logs)))
}

// leans reports whether the first bot is worth more than half of the points, 1, or
// less, -1; 0 if neither is certain. Over all times at which it may be called it is wrong
// with a probability of alpha at most, and of half of it on either side.
func (p Pentanomial) leans(alpha float64) int {
	enough := math.Log(2 / alpha)
	switch {
	case p.capital(0.5) >= enough:
		return 1
	case p.Swapped().capital(0.5) >= enough:
		return -1
	}
	return 0
}

// anytime returns bounds of the first bot's share of the points that hold at all times
// with a probability of 1 - alpha.
func (p Pentanomial) anytime(alpha float64) (low, high float64) {
	return p.atLeast(alpha / 2), 1 - p.Swapped().atLeast(alpha/2)
}

// atLeast is the lower bound of the share.
func (p Pentanomial) atLeast(alpha float64) float64 {
	enough := math.Log(1 / alpha)
	return bisect(0, p.Mean(), 50, func(share float64) bool { return p.capital(share) >= enough }) // it falls as the share rises
}
