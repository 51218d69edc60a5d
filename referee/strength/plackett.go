package strength

import (
	"math"

	"gonum.org/v1/gonum/stat/combin"
)

// Finish is how the matches of an observation of more than two seats ended.
type Finish struct {
	Bots   []int
	Places []byte // of the bots, match by match
	Times  int    // observations that ended so
}

// PlackettLuce rates so many bots by the model of that name.
func PlackettLuce(bots int, list []Finish) Estimate { return newPlackettLuce(bots, list).fit() }

// plackettLuce is the state of the estimation of strengths from the places in matches
// of any number of seats: the one in front is drawn with a probability proportional to
// the exponentials of the strengths, the next in the same way from the others, and so
// on (Plackett, The Analysis of Permutations, 1975; Luce, 1959). For two seats that is
// the Bradley-Terry model. Those that share a place are worth the mean of all orders
// in which they could have come; a match in which more than maxTied do says too little,
// and is left out. An observation counts once: its matches share it.
type plackettLuce struct {
	list     []Finish
	strength []float64
	worth    []float64 // exp(strength)
	slope    []float64
	info     [][]float64 // minus the second derivatives of the log likelihood

	order, set []int // for stages
	sorted     []byte
}

// maxTied is the most bots that may share a place: the sets that they are chosen from
// are two to the power of their number.
const maxTied = 8

// manyTied reports whether more than maxTied share a place.
func manyTied(places []byte) bool {
	var times [256]int
	for _, p := range places {
		if times[p]++; times[p] > maxTied {
			return true
		}
	}
	return false
}

// newPlackettLuce takes the observations of so many bots.
func newPlackettLuce(bots int, list []Finish) *plackettLuce {
	return &plackettLuce{list: list, strength: make([]float64, bots), worth: make([]float64, bots), slope: make([]float64, bots), info: square(bots)}
}

// stages calls do with the choices of a match, in which bots have places: one of a set
// was placed before the others of it, with a weight. The set is valid during the call.
func (m *plackettLuce) stages(bots []int, places []byte, do func(set []int, weight float64)) {
	order := append(m.order[:0], bots...)
	sorted := append(m.sorted[:0], places...)
	for i := range order { // few, and mostly in order
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			order[j], order[j-1], sorted[j], sorted[j-1] = order[j-1], order[j], sorted[j-1], sorted[j]
		}
	}
	m.order, m.sorted = order, sorted
	for i, j := 0, 0; i < len(order); i = j {
		for j = i + 1; j < len(order) && sorted[j] == sorted[i]; j++ {
		}
		if j-i > 1 {
			m.chooseTied(order[i:j], order[j:], do)
		} else {
			do(order[i:], 1)
		}
	}
}

// chooseTied calls do with the choices among those that share a place and those behind
// them. Of all orders of k tied, a part of s of them is still to be chosen from in one
// of the binomial coefficient of k and s.
func (m *plackettLuce) chooseTied(tied, rest []int, do func(set []int, weight float64)) {
	for part := uint(1); part < 1<<len(tied); part++ {
		m.set = append(m.set[:0], rest...)
		for i, n := range tied {
			if part&(1<<i) != 0 {
				m.set = append(m.set, n)
			}
		}
		do(m.set, 1/float64(combin.Binomial(len(tied), len(m.set)-len(rest))))
	}
}

// inform computes slope and info at the current strengths. Every bot is also given one
// drawn observation against a player of mean strength.
func (m *plackettLuce) inform() {
	for i, s := range m.strength {
		m.worth[i] = math.Exp(s)
		p := logistic(s)
		clear(m.info[i])
		m.slope[i], m.info[i][i] = 0.5-p, p*(1-p)
	}
	for _, f := range m.list {
		m.add(f, float64(f.Times), m.slope, m.info)
	}
}

// add adds the derivatives of a number of observations, each match with an equal share.
func (m *plackettLuce) add(f Finish, times float64, slope []float64, info [][]float64) {
	seats := len(f.Bots)
	share := times * float64(seats) / float64(len(f.Places))
	for at := 0; at < len(f.Places); at += seats {
		if seats > maxTied && manyTied(f.Places[at:at+seats]) {
			continue
		}
		for _, n := range f.Bots {
			slope[n] += share
		}
		m.stages(f.Bots, f.Places[at:at+seats], func(set []int, weight float64) {
			sum := 0.0
			weight *= share
			for _, i := range set {
				sum += m.worth[i]
			}
			for _, i := range set {
				p := m.worth[i] / sum
				slope[i] -= weight * p
				if info == nil {
					continue
				}
				info[i][i] += weight * p
				for _, j := range set {
					info[i][j] -= weight * p * m.worth[j] / sum
				}
			}
		})
	}
}

// fit finds the most likely strengths.
func (m *plackettLuce) fit() Estimate {
	fit(m.strength, m.inform, func() []float64 { return solve(m.info, m.slope) })
	return Estimate{m.strength, m.covariance()}
}

// perBot is how many observations for each bot it takes until their spread is what the
// covariance is estimated from.
const perBot = 4

// covariance is that of the strengths: from the spread of the observations (the sandwich
// estimate over clusters), as the matches of one depend on each other in ways that the
// model does not know; where these are few, by the information.
func (m *plackettLuce) covariance() [][]float64 {
	inverse := invert(m.info)
	n := 0.0
	for _, f := range m.list {
		n += float64(f.Times)
	}
	if n <= float64(perBot*len(m.strength)) {
		return inverse
	}
	spread, own := square(len(m.strength)), make([]float64, len(m.strength))
	for i, s := range m.strength {
		p := logistic(s)
		spread[i][i] = p * (1 - p)
	}
	for _, f := range m.list {
		m.add(f, 1, own, nil)
		for _, i := range f.Bots {
			for _, j := range f.Bots {
				spread[i][j] += float64(f.Times) * n / (n - 1) * own[i] * own[j]
			}
		}
		for _, i := range f.Bots {
			own[i] = 0
		}
	}
	return product(inverse, product(spread, inverse))
}

// product multiplies two square matrices.
func product(a, b [][]float64) [][]float64 {
	c := square(len(a))
	for i := range a {
		for k, x := range a[i] {
			for j, y := range b[k] {
				c[i][j] += x * y
			}
		}
	}
	return c
}
