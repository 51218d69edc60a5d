package scoring

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"umpire/referee/strength"
)

// Difference is how much more a submission has earned in all than another.
type Difference struct {
	Own   float64 `json:"own"` // totals
	Other float64 `json:"other"`
	// Low and High are the ends of the 95 % interval of Own-Other over cases like these;
	// nil where they say nothing about others: all differ alike, or there is one of a kind.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
	// Deciding lists the cases without which the difference would be another, the one
	// that changes it most first.
	Deciding []Effect `json:"deciding"`
}

// Effect is by how much a case changes a difference: the total less that with the
// other's result on this case.
type Effect struct {
	Case   string  `json:"case"`
	Points float64 `json:"points"`
}

// Bounds on what is computed.
const (
	resamples   = 2000
	maxDeciding = 500
)

// Compare compares the totals of two submissions on the same cases, in the same order.
func Compare(groups []Group, own, other []CaseScore) Difference {
	d := Difference{Own: Total(groups, own), Other: Total(groups, other), Deciding: []Effect{}}
	d.decide(groups, own, other)
	d.bound(groups, own, other)
	return d
}

// bound sets the interval. The variance of each group's part in the difference is that over
// bootstrap samples (Efron, 1979): its cases are drawn anew, the same for both, and combined as
// the group says, always by the same draws. Of n cases it is too small by (n-1)/n. The sum of
// such variances has about the degrees of freedom by Welch and Satterthwaite.
//
// A group of one case says nothing of its variance. All of them together are taken as one
// group of as many, which is wider if they differ (collapsed strata; Cochran, Sampling
// Techniques, 1977, 5A.12); a single one leaves no interval.
func (d *Difference) bound(groups []Group, own, other []CaseScore) {
	rng := rand.New(rand.NewPCG(1, uint64(len(own))))
	variance, squares := 0.0, 0.0
	add := func(v float64, n int) {
		variance += v
		squares += v * v / float64(n-1)
	}
	var alone []float64 // the parts of groups of one case
	for _, g := range groups {
		a, b := inGroup(own, g.Name), inGroup(other, g.Name)
		part := func(a, b []CaseScore) float64 {
			earned, _ := combined(g.Name, g.Combine, a)
			others, _ := combined(g.Name, g.Combine, b)
			return earned - others
		}
		switch n := len(a); n {
		case 0:
		case 1:
			alone = append(alone, part(a, b))
		default:
			x, y, drawn := slices.Clone(a), slices.Clone(b), make([]float64, resamples)
			for i := range drawn {
				for j := range x {
					from := rng.IntN(n)
					x[j], y[j] = a[from], b[from]
				}
				drawn[i] = part(x, y)
			}
			add(spread(drawn)/resamples*float64(n)/float64(n-1), n)
		}
	}
	switch n := len(alone); n {
	case 0:
	case 1:
		return
	default:
		add(spread(alone)*float64(n)/float64(n-1), n)
	}
	const most = 1e150 // that can be squared
	if variance > 1/most && variance < most {
		half := strength.Student(int64(variance*variance/squares+1e-9)) * math.Sqrt(variance)
		low, high := roundScore(d.Own-d.Other-half), roundScore(d.Own-d.Other+half)
		d.Low, d.High = &low, &high
	}
}

// inGroup lists the cases of a group.
func inGroup(list []CaseScore, group string) (in []CaseScore) {
	for _, c := range list {
		if c.Group == group {
			in = append(in, c)
		}
	}
	return in
}

// spread is the sum of the squares of the deviations from the mean, exactly 0 of equal numbers.
func spread(list []float64) (squares float64) {
	mean := list[0]
	for _, x := range list {
		mean += (x - list[0]) / float64(len(list))
	}
	for _, x := range list {
		squares += (x - mean) * (x - mean)
	}
	return squares
}

// decide finds the cases that decide, among those on which the scores are most apart.
func (d *Difference) decide(groups []Group, own, other []CaseScore) {
	var apart []int
	for i := range own {
		if own[i].Score != other[i].Score || own[i].Passed != other[i].Passed {
			apart = append(apart, i)
		}
	}
	far := func(i int) float64 { return math.Abs(own[i].Score - other[i].Score) }
	slices.SortStableFunc(apart, func(a, b int) int { return cmp.Compare(far(b), far(a)) })
	changed := slices.Clone(own)
	for _, i := range apart[:min(maxDeciding, len(apart))] {
		changed[i] = other[i]
		if by := roundScore(d.Own - Total(groups, changed)); by != 0 {
			d.Deciding = append(d.Deciding, Effect{own[i].Name, by})
		}
		changed[i] = own[i]
	}
	slices.SortFunc(d.Deciding, func(a, b Effect) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)), cmp.Compare(a.Case, b.Case))
	})
}
