package standings

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/stat/distuv"

	"umpire/protocols"
)

// maxDense is the most bots whose Elo ratings are computed from the whole matrix
// of their pairs: that takes time cubic in their number.
const maxDense = 500

// setMeans sets the rows' mean points per match.
func (s *Standings) setMeans(bots []entry) {
	for i := range s.Rows {
		e := &bots[s.Rows[i].n]
		if s.Rows[i].Mean = e.obs.mean(); e.alone() {
			s.Rows[i].Mean = e.perCase().mean()
		}
	}
}

// rateTwo sets the rows' ratings in games of two seats, unless too many pairs have met.
func (s *Standings) rateTwo(pairs map[[2]int]*headToHead, bots []entry, o *Ordering) {
	switch {
	case len(bots) <= maxDense:
		s.setRatings(elo(len(bots), pairs), o)
	case len(pairs) <= maxSparse:
		s.show(sparseElo(bots, pairs))
	default:
		s.Unrated = true
	}
}

// setRatings sets the ratings, and how certain the ranks by them are.
func (s *Standings) setRatings(e estimate, o *Ordering) {
	s.show(e.ratings())
	if !o.NoCertainty {
		s.certain(e)
	}
}

// show sets the ratings of the rows that have played.
func (s *Standings) show(ratings []*Rating) {
	for i := range s.Rows {
		if row := &s.Rows[i]; row.Played > 0 {
			row.Rating = ratings[row.n]
		}
	}
}

// mean returns the mean score per match with its 95 % interval. The matches of
// one observation are not independent of each other, so the interval comes from
// the observations (a ratio estimate over clusters).
func (s *spread) mean() *Rating {
	if s == nil || s.n == 0 {
		return nil
	}
	m := s.x.Over(s.n)
	if s.count < 2 {
		return &Rating{Value: round(m, 1000)}
	}
	k := float64(s.count)
	half := student(s.count-1) * math.Sqrt(s.squares()*k/(k-1)) / float64(s.n)
	return newRating(m, half, 1000)
}

// squares is the sum of the squares of what the observations' scores differ from
// those at the mean score, X - N·x/n: as xx - 2·nx·x/n + nn·(x/n)², without rounding,
// so that it is 0 where nothing differs.
func (s *spread) squares() float64 {
	n, x := big.NewInt(s.n), s.x.Micros()
	product := func(a ...*big.Int) *big.Int {
		p := big.NewInt(1)
		for _, factor := range a {
			p.Mul(p, factor)
		}
		return p
	}
	xx := s.xx.big()
	if s.more != nil {
		xx.Add(xx, s.more)
	}
	sum := product(xx, n, n)
	sum.Sub(sum, product(big.NewInt(2), s.nx.Micros(), x, n))
	sum.Add(sum, product(big.NewInt(s.nn), x, x))
	return protocols.Quotient(sum, s.n*s.n) / 1e6
}

// negated is s with the signs of all that was added turned.
func (s *spread) negated() *spread {
	if s == nil {
		return nil
	}
	n := *s
	n.x, n.nx = protocols.Score{}.Minus(s.x), protocols.Score{}.Minus(s.nx)
	return &n
}

// newRating returns value ± half, rounded to multiples of 1/to.
func newRating(value, half, to float64) *Rating {
	low, high := round(value-half, to), round(value+half, to)
	return &Rating{round(value, to), &low, &high}
}

// round returns no negative zero, which would be printed as -0.
func round(x, to float64) float64 { return math.Round(x*to)/to + 0 }

// student returns the 97.5 % point of Student's t distribution.
func student(freedom int64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
}

// negated turns the sign of one end of an interval.
func negated(end *float64) *float64 {
	if end == nil {
		return nil
	}
	other := 0 - *end
	return &other
}

// eloMean is the mean rating of a field.
const eloMean = 1500

// elo rates bots by the Bradley-Terry model: the first of a pair scores
// 1/(1+10^(-d/400)) of the points, d being the difference of their ratings. The
// ratings are the most likely ones, with the observed information. Mirrored
// matches are one observation. Every bot is also given one drawn observation
// against a player of mean strength, so that a bot that wins or loses
// everything, or has met only part of the field, also has a rating.
func elo(bots int, pairs map[[2]int]*headToHead) estimate {
	m := newBradleyTerry(bots, pairs)
	for range 100 {
		if m.step() < 1e-10 {
			break
		}
	}
	m.inform()
	return estimate{m.strength, invert(m.info)}
}

// bradleyTerry is the state of the estimation.
type bradleyTerry struct {
	n, won   [][]float64 // observations of a pair, and the points of the first
	strength []float64
	info     [][]float64 // minus the second derivatives of the log likelihood
	slope    []float64
}

func newBradleyTerry(bots int, pairs map[[2]int]*headToHead) *bradleyTerry {
	m := &bradleyTerry{
		n: square(bots), won: square(bots), info: square(bots),
		strength: make([]float64, bots), slope: make([]float64, bots),
	}
	for key, d := range pairs {
		a, b := key[0], key[1]
		points := float64(d.quarters) / 4
		m.n[a][b], m.n[b][a] = float64(d.observations), float64(d.observations)
		m.won[a][b], m.won[b][a] = points, float64(d.observations)-points
	}
	return m
}

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	cells := make([]float64, n*n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n]
	}
	return rows
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// inform computes slope and info at the current strengths.
func (m *bradleyTerry) inform() {
	for i := range m.strength {
		// The drawn observation against the mean.
		p := logistic(m.strength[i])
		m.slope[i], m.info[i][i] = 0.5-p, p*(1-p)
		for j, n := range m.n[i] {
			if j == i {
				continue
			}
			m.info[i][j] = 0
			if n > 0 {
				p := logistic(m.strength[i] - m.strength[j])
				m.slope[i] += m.won[i][j] - n*p
				m.info[i][i] += n * p * (1 - p)
				m.info[i][j] = -n * p * (1 - p)
			}
		}
	}
}

// step takes one step of Newton's method, shortened if too long, and returns
// the full length.
func (m *bradleyTerry) step() float64 {
	m.inform()
	return advance(m.strength, solve(m.info, m.slope))
}

// advance adds a step to strengths, shortened if too long, and returns its full
// length.
func advance(strength, by []float64) (far float64) {
	for _, d := range by {
		far = max(far, math.Abs(d))
	}
	shrink := 1 / max(1, far)
	for i, d := range by {
		strength[i] += d * shrink
	}
	return far
}

// cholesky factors a positive definite matrix.
func cholesky(a [][]float64) [][]float64 {
	l := square(len(a))
	for i := range a {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(sum)
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return l
}

func solve(a [][]float64, b []float64) []float64 { return solveFactored(cholesky(a), b) }

func solveFactored(l [][]float64, b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range b {
		x[i] = b[i]
		for k := range i {
			x[i] -= l[i][k] * x[k]
		}
		x[i] /= l[i][i]
	}
	for i := len(b) - 1; i >= 0; i-- {
		for k := i + 1; k < len(b); k++ {
			x[i] -= l[k][i] * x[k]
		}
		x[i] /= l[i][i]
	}
	return x
}

func invert(a [][]float64) [][]float64 {
	l, inverse := cholesky(a), square(len(a))
	unit := make([]float64, len(a))
	for i := range a {
		unit[i] = 1
		copy(inverse[i], solveFactored(l, unit))
		unit[i] = 0
	}
	return inverse
}
