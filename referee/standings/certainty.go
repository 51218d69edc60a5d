package standings

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
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

// estimate holds the bots' strengths, in natural logarithms of odds, and their
// covariance.
type estimate struct {
	strength []float64
	cov      [][]float64
}

// ratings returns the strengths in Elo, with a mean of eloMean. The intervals are those of
// the differences from it.
func (e estimate) ratings() []*Rating {
	bots := len(e.strength)
	mean, total := 0.0, 0.0 // of the strengths; of all covariances
	row := make([]float64, bots)
	for i := range bots {
		mean += e.strength[i] / float64(bots)
		for _, c := range e.cov[i] {
			row[i] += c / float64(bots)
		}
		total += row[i] / float64(bots)
	}
	const scale = 400 / math.Ln10
	ratings := make([]*Rating, bots)
	for i := range ratings {
		value := eloMean + scale*(e.strength[i]-mean)
		half := 1.96 * scale * math.Sqrt(max(0, e.cov[i][i]-2*row[i]+total))
		ratings[i] = newRating(value, half, 10)
	}
	return ratings
}

// Bounds on what is drawn for the ranks.
const (
	maxCertain = 100 // bots
	draws      = 4_000
)

// certain sets the rows' certainty: the ranks and who is the best are counted over draws
// from the normal distribution of the strengths, which are always the same.
func (s *Standings) certain(e estimate) {
	var rows []*Row
	for i := range s.Ranked() {
		if row := &s.Rows[i]; row.Played > 0 {
			rows = append(rows, row)
		}
	}
	n := len(rows)
	if n < 2 || n > maxCertain {
		return
	}
	cov := square(n)
	for i, a := range rows {
		for j, b := range rows {
			cov[i][j] = e.cov[a.n][b.n]
		}
	}
	ranks := drawRanks(rows, e, cholesky(cov))
	for i, row := range rows {
		slices.Sort(ranks[i])
		row.Certainty = &Certainty{Ranks: [2]int{ranks[i][draws/40], ranks[i][draws-1-draws/40]}}
		best, _ := slices.BinarySearch(ranks[i], 2)
		row.Certainty.Best = float64(best) / draws
		if i+1 < n {
			next := rows[i+1]
			deviation := math.Sqrt(cov[i][i] + cov[i+1][i+1] - 2*cov[i][i+1])
			p := twoDigits(2 * distuv.UnitNormal.CDF(-math.Abs(e.strength[row.n]-e.strength[next.n])/deviation))
			row.Certainty.Next = &p
		}
	}
}

// drawRanks returns the ranks of each row in the draws.
func drawRanks(rows []*Row, e estimate, factor [][]float64) [][]int {
	rng := rand.New(rand.NewPCG(1, 2))
	n := len(rows)
	ranks := make([][]int, n)
	normal, drawn, order := make([]float64, n), make([]float64, n), make([]int, n)
	for range draws {
		for i := range normal {
			normal[i] = rng.NormFloat64()
		}
		for i, row := range rows {
			order[i], drawn[i] = i, e.strength[row.n]
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
