package standings

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"umpire/protocols"
	"umpire/referee/strength"
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
	number := byName(bots)
	met := make(map[strength.Pair]strength.Met, len(pairs))
	for key, d := range pairs {
		met[strength.Pair{A: number[key[0]], B: number[key[1]]}] = strength.Met{Observations: d.observations, Quarters: d.quarters}
	}
	switch {
	case len(bots) <= maxDense:
		s.setRatings(strength.BradleyTerry(len(bots), met), number, o)
	case len(pairs) <= strength.MaxSparse:
		s.show(strength.Sparse(len(bots), met), number)
	default:
		s.Unrated = true
	}
}

// byName numbers the bots anew, so that ratings do not depend on the order in which they
// were first seen, if names and digests tell them apart.
func byName(bots []entry) []int {
	order := make([]int, len(bots))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(bots[a].Name, bots[b].Name), cmp.Compare(bots[a].Digest, bots[b].Digest), houseLast(bots[a].House, bots[b].House))
	})
	number := make([]int, len(bots))
	for i, n := range order {
		number[n] = i
	}
	return number
}

// setRatings sets the ratings, and how certain the ranks by them are. The numbers are those
// that the estimate has for the bots.
func (s *Standings) setRatings(e strength.Estimate, number []int, o *Ordering) {
	s.show(e.Ratings(), number)
	if o.NoCertainty {
		return
	}
	var rows []*Row
	var order []int
	for i := range s.Ranked() {
		if row := &s.Rows[i]; row.Played > 0 {
			rows, order = append(rows, row), append(order, number[row.n])
		}
	}
	for i, c := range e.Certainties(order) {
		rows[i].Certainty = c
	}
}

// show sets the ratings of the rows that have played.
func (s *Standings) show(ratings []*strength.Rating, number []int) {
	for i := range s.Rows {
		if row := &s.Rows[i]; row.Played > 0 {
			row.Rating = ratings[number[row.n]]
		}
	}
}

// mean returns the mean score per match with its 95 % interval, which is missing
// where no observation differs. The matches of one observation are not independent
// of each other, so the interval comes from the observations (a ratio estimate over
// clusters).
func (s *spread) mean() *strength.Rating {
	if s == nil || s.n == 0 {
		return nil
	}
	m, squares := s.x.Over(s.n), s.squares()
	if s.count < 2 || squares == 0 {
		return &strength.Rating{Value: strength.Round(m, 1000)}
	}
	k := float64(s.count)
	half := strength.Student(s.count-1) * math.Sqrt(squares*k/(k-1)) / float64(s.n)
	return strength.NewRating(m, half, 1000)
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
