package strength

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// MaxSparse is the most pairs of bots that have met for which Elo ratings are
// computed, which takes some ten seconds then.
const MaxSparse = 2_000_000

// samples is how many samples of the ratings' distribution their intervals are
// made of. Their widths are off by some 3 %.
const samples = 100

// Sparse rates bots as BradleyTerry does, in time and memory that grow with the pairs
// that have met instead of with all there are. The intervals are estimates, which depend
// on how the bots are numbered.
func Sparse(bots int, pairs map[Pair]Met) []*Rating {
	m := newSparse(bots, pairs)
	fit(m.strength, m.inform, func() []float64 { return m.solve(m.slope, 1e-12) })
	return ratings(m.strength, m.variances())
}

// sparse is the state of the estimation by the model of Bradley and Terry, with the
// bots that each has met instead of matrices.
type sparse struct {
	met      [][]opponent
	strength []float64
	diagonal []float64 // of the information; the other elements are -opponent.weight
	slope    []float64
}

// opponent is one that a bot has met.
type opponent struct {
	bot    int
	n, won float64 // observations, and the bot's points in them
	weight float64 // information about the difference of their strengths
}

func newSparse(bots int, pairs map[Pair]Met) *sparse {
	m := &sparse{
		met: make([][]opponent, bots), strength: make([]float64, bots),
		diagonal: make([]float64, bots), slope: make([]float64, bots),
	}
	for p, d := range pairs {
		n, won := float64(d.Observations), float64(d.Quarters)/4
		m.met[p.A] = append(m.met[p.A], opponent{bot: p.B, n: n, won: won})
		m.met[p.B] = append(m.met[p.B], opponent{bot: p.A, n: n, won: n - won})
	}
	for _, list := range m.met {
		slices.SortFunc(list, func(a, b opponent) int { return cmp.Compare(a.bot, b.bot) })
	}
	return m
}

// inform computes slope and information at the current strengths.
func (m *sparse) inform() {
	for i, s := range m.strength {
		p := logistic(s) // the drawn observation against the mean
		m.slope[i], m.diagonal[i] = 0.5-p, p*(1-p)
		for k := range m.met[i] {
			o := &m.met[i][k]
			p := logistic(s - m.strength[o.bot])
			o.weight = o.n * p * (1 - p)
			m.slope[i] += o.won - o.n*p
			m.diagonal[i] += o.weight
		}
	}
}

// times multiplies the information by a vector.
func (m *sparse) times(x, product []float64) {
	for i, list := range m.met {
		product[i] = m.diagonal[i]*x[i] - m.pull(list, x)
	}
}

// pull adds up the strengths of opponents by their weights.
func (*sparse) pull(list []opponent, x []float64) (sum float64) {
	for _, o := range list {
		sum += o.weight * x[o.bot]
	}
	return sum
}

// solve divides a vector by the information, by conjugate gradients, until the
// residue is so small a part of the vector. The drawn observations keep the
// number of steps small, whoever has met.
func (m *sparse) solve(b []float64, to float64) []float64 {
	n := len(b)
	x, r, z, p, ap := make([]float64, n), slices.Clone(b), make([]float64, n), make([]float64, n), make([]float64, n)
	precondition := func() (rz float64) {
		for i := range r {
			z[i] = r[i] / m.diagonal[i]
			rz += r[i] * z[i]
		}
		return rz
	}
	rz := precondition()
	copy(p, z)
	for end, left := rz*to*to, 10*n; rz > end && left > 0; left-- {
		m.times(p, ap)
		pap := 0.0
		for i := range p {
			pap += p[i] * ap[i]
		}
		by := rz / pap
		for i := range x {
			x[i] += by * p[i]
			r[i] -= by * ap[i]
		}
		before := rz
		rz = precondition()
		for i := range p {
			p[i] = z[i] + rz/before*p[i]
		}
	}
	return x
}

// variances returns those of the strengths' differences from their mean. The
// diagonal of the inverse would take the inverse, so they are estimated from
// samples that have the inverse as their covariance. Of each sample only what
// the others' strengths say of a bot's is used; what is left if they are known
// is known exactly (Sidén et al., Efficient covariance approximations for large
// sparse precision matrices, 2018).
func (m *sparse) variances() []float64 {
	n := float64(len(m.strength))
	variance := make([]float64, len(m.strength))
	random := rand.New(rand.NewPCG(1, 2)) // the same for the same matches
	for range samples {
		x := m.solve(m.noise(random), 1e-6)
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		for i, list := range m.met {
			expected := (1-1/n)*m.pull(list, x)/m.diagonal[i] - (sum-x[i])/n
			variance[i] += expected * expected / samples
		}
	}
	for i := range variance {
		variance[i] += (1 - 1/n) * (1 - 1/n) / m.diagonal[i]
	}
	return variance
}

// noise returns a random vector that has the information as its covariance.
func (m *sparse) noise(random *rand.Rand) []float64 {
	b := make([]float64, len(m.strength))
	for i, list := range m.met {
		p := logistic(m.strength[i])
		b[i] += math.Sqrt(p*(1-p)) * random.NormFloat64()
		for _, o := range list {
			if o.bot > i {
				v := math.Sqrt(o.weight) * random.NormFloat64()
				b[i] += v
				b[o.bot] -= v
			}
		}
	}
	return b
}
