package scoring

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Difference is how much more a submission has earned in all than another.
type Difference struct {
	Own   float64 `json:"own"` // totals
	Other float64 `json:"other"`
	// Low and High are the ends of the 95 % interval of Own-Other over cases like these;
	// nil where cases that are drawn anew give but one, as where all differ alike: they say
	// nothing about others.
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
// The interval is the percentile bootstrap's (Efron, 1979): cases are drawn anew within
// each group, the same for both, and combined as the groups say; always the same draws.
func Compare(groups []Group, own, other []CaseScore) Difference {
	d := Difference{Own: Total(groups, own), Other: Total(groups, other), Deciding: []Effect{}}
	d.decide(groups, own, other)
	byGroup := make(map[string][]int)
	for i, c := range own {
		byGroup[c.Group] = append(byGroup[c.Group], i)
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(own))))
	drawn := make([]float64, resamples)
	a, b := make([]CaseScore, len(own)), make([]CaseScore, len(own))
	for n := range drawn {
		for i, c := range own {
			of := byGroup[c.Group]
			from := of[rng.IntN(len(of))]
			a[i], b[i] = own[from], other[from]
		}
		drawn[n] = roundScore(Total(groups, a) - Total(groups, b))
	}
	slices.Sort(drawn)
	if low, high := drawn[resamples/40], drawn[resamples-1-resamples/40]; low < high {
		d.Low, d.High = &low, &high
	}
	return d
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
