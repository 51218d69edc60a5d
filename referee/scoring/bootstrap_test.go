package scoring

import (
	"math"
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
