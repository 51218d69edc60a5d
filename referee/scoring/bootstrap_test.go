package scoring

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"umpire/referee/cases"
)

// scoresOf makes the scores of cases of a group: those above 0 are passed.
func scoresOf(group string, list ...float64) (all []CaseScore) {
	for i, x := range list {
		all = append(all, CaseScore{Name: group + string(rune('a'+i)), Group: group, Score: x, Passed: x > 0})
	}
	return all
}

// TestCompareTotals: cases decide by what they change in the total, as their groups
// combine them.
func TestCompareTotals(t *testing.T) {
	groups := []Group{{Name: "sum"}, {Name: "all", Combine: cases.All}}
	own := append(scoresOf("sum", 4, 4, 0), scoresOf("all", 1, 1)...)
	other := append(scoresOf("sum", 4, 1, 1), scoresOf("all", 1, 0)...)
	d := Compare(groups, own, other)
	if d.Own != 10 || d.Other != 6 {
		t.Errorf("found the totals %v and %v", d.Own, d.Other)
	}
	if want := []Effect{{"sumb", 3}, {"allb", 2}, {"sumc", -1}}; !slices.Equal(d.Deciding, want) {
		t.Errorf("found %v, expected %v", d.Deciding, want)
	}
	if same := Compare(groups, own, own); same.Low != nil || same.High != nil || len(same.Deciding) != 0 {
		t.Errorf("with itself: found %+v", same)
	}
	if one := Compare(groups, scoresOf("sum", 4), scoresOf("sum", 1)); one.Low != nil || one.Own != 4 {
		t.Errorf("one case: found %+v", one)
	}
	for _, list := range [][]float64{{1.1, 1.1, 1.1}, {1e200, 3e200, 0}} {
		if d := Compare(groups, scoresOf("sum", list...), scoresOf("sum", 0, 0, 0)); d.Low != nil {
			t.Errorf("%v to 0: found %v to %v", list, *d.Low, *d.High)
		}
	}
	groups = append(groups[:1], Group{Name: "b"}, Group{Name: "c"})
	if d := Compare(groups[:2], append(scoresOf("sum", 4, 2), scoresOf("b", 1)...), append(scoresOf("sum", 1, 1), scoresOf("b", 0)...)); d.Low != nil {
		t.Errorf("one case of a kind: found %v to %v", *d.Low, *d.High)
	}
	own, other = append(scoresOf("b", 9), scoresOf("c", 5)...), append(scoresOf("b", 1), scoresOf("c", 1)...)
	if d := Compare(groups, own, other); d.Low == nil || math.Abs(*d.Low-(12-12.706*4)) > 0.01 {
		t.Errorf("two cases, of a kind each: found %+v", d) // 8 and 4: as two of one kind, with one degree of freedom
	}
}

// TestBootstrapInterval: for a sum of many cases the interval is that of the normal
// distribution, 1.96 standard deviations of the differences times the root of their
// number on either side.
func TestBootstrapInterval(t *testing.T) {
	var own, other []CaseScore
	for i := range 400 {
		own = append(own, CaseScore{Group: "g", Score: float64(i % 5)})
		other = append(other, CaseScore{Group: "g", Score: 1})
	}
	d := Compare([]Group{{Name: "g"}}, own, other)
	half := 1.96 * math.Sqrt2 * 20 // of -1, 0, 1, 2, 3 the variance is 2
	if low, high := 400-half, 400+half; math.Abs(*d.Low-low) > 4 || math.Abs(*d.High-high) > 4 {
		t.Errorf("found %v to %v, expected about %.0f to %.0f", *d.Low, *d.High, low, high)
	}
}

// TestBootstrapCoverage: the interval holds the true difference, 0, as often as it says, also
// where groups are as small as those of standard sets; 83 % would if it were their draws'.
func TestBootstrapCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for _, sizes := range [][]int{{1, 1, 3, 3, 3, 3}, {5}} {
		const samples = 100
		held := 0
		for range samples {
			var groups []Group
			var own, other []CaseScore
			for n, size := range sizes {
				groups = append(groups, Group{Name: string(rune('A' + n))})
				for range size {
					own = append(own, CaseScore{Group: groups[n].Name, Score: 100 + rng.NormFloat64()})
					other = append(other, CaseScore{Group: groups[n].Name, Score: 100})
				}
			}
			if d := Compare(groups, own, other); *d.Low <= 0 && *d.High >= 0 {
				held++
			}
		}
		if share := float64(held) / samples; share < 0.91 {
			t.Errorf("groups of %v cases: the interval holds the truth in %.3f, expected 0.95", sizes, share)
		}
	}
}
