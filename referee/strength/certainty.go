package strength

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Certainty says how sure a bot's place in the field is, by the ratings.
type Certainty struct {
	// Ranks are the first and the last rank of its 95 % interval, by rating.
	Ranks [2]int `json:"ranks"`
	// Best is the probability that it is the strongest of all, from 0 to 1.
	Best float64 `json:"best"`
	// Next is the probability of so great a difference of ratings to the next bot in the
	// standings, in either direction, if both were equally strong; nil for the last.
	Next *float64 `json:"p_next,omitempty"`
}

// Estimate holds the bots' strengths, in natural logarithms of odds, and their
// covariance.
type Estimate struct {
	Strength []float64
	Cov      [][]float64
}

// Ratings returns the strengths in Elo, with a mean of eloMean. The intervals are those of
// the differences from it.
func (e Estimate) Ratings() []*Rating {
	bots := len(e.Strength)
	total := 0.0 // of all covariances
	row := make([]float64, bots)
	for i := range bots {
		for _, c := range e.Cov[i] {
			row[i] += c / float64(bots)
		}
		total += row[i] / float64(bots)
	}
	variance := make([]float64, bots)
	for i := range variance {
		variance[i] = e.Cov[i][i] - 2*row[i] + total
	}
	return ratings(e.Strength, variance)
}

// Bounds on what is drawn for the ranks.
const (
	maxCertain = 100 // bots
	draws      = 4_000
)

// Certainties returns how certain the places of bots are, which stand in an order: the ranks
// and who is the best are counted over draws from the normal distribution of the strengths,
// which are always the same. It returns nil for one bot, and for more than a hundred.
func (e Estimate) Certainties(order []int) []*Certainty {
	n := len(order)
	if n < 2 || n > maxCertain {
		return nil
	}
	cov := square(n)
	for i, a := range order {
		for j, b := range order {
			cov[i][j] = e.Cov[a][b]
		}
	}
	list := make([]*Certainty, n)
	for i, ranks := range e.drawRanks(order, cholesky(cov)) {
		slices.Sort(ranks)
		list[i] = &Certainty{Ranks: [2]int{ranks[draws/40], ranks[draws-1-draws/40]}}
		best, _ := slices.BinarySearch(ranks, 2)
		list[i].Best = float64(best) / draws
		if i+1 < n {
			deviation := math.Sqrt(cov[i][i] + cov[i+1][i+1] - 2*cov[i][i+1])
			p := TwoDigits(2 * normalCDF(-math.Abs(e.Strength[order[i]]-e.Strength[order[i+1]])/deviation))
			list[i].Next = &p
		}
	}
	return list
}

// drawRanks returns the ranks of each of the bots in the draws.
func (e Estimate) drawRanks(bots []int, factor [][]float64) [][]int {
	rng := rand.New(rand.NewPCG(1, 2))
	n := len(bots)
	ranks := make([][]int, n)
	normal, drawn, order := make([]float64, n), make([]float64, n), make([]int, n)
	for range draws {
		for i := range normal {
			normal[i] = rng.NormFloat64()
		}
		for i, bot := range bots {
			order[i], drawn[i] = i, e.Strength[bot]
			for k, l := range factor[i][:i+1] {
				drawn[i] += l * normal[k]
			}
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(drawn[b], drawn[a]) })
		for rank, i := range order {
			ranks[i] = append(ranks[i], rank+1)
		}
	}
	return ranks
}
