package arena

import (
	"slices"
	"testing"
)

// TestClaims: umpires on one machine take different processors while there are
// any, and share them evenly after that.
func TestClaims(t *testing.T) {
	cpus := []int{100001, 100002, 100003} // no machine's
	var a, b, c, d Claims
	for _, step := range []struct {
		who  *Claims
		n    int
		want []int
	}{
		{&a, 1, []int{100001, 100002, 100003}},
		{&b, 1, []int{100002, 100001, 100003}},
		{&c, 2, []int{100003, 100001, 100002}},
		{&d, 3, []int{100002, 100003, 100001}},
		{&b, 0, cpus}, // gives its claim up
		{&b, 1, []int{100002, 100001, 100003}},
		{&c, 9, []int{100003, 100001, 100002}},
	} {
		if got := step.who.Take(cpus, step.n); !slices.Equal(got, step.want) {
			t.Errorf("%d processors: took %v, expected %v", step.n, got, step.want)
		}
	}
	for _, all := range []*Claims{&a, &b, &c, &d} {
		all.Take(nil, 0)
	}
	if got := a.Take(cpus, 1); got[0] != cpus[0] || len(cpus) != 3 {
		t.Errorf("after all were given up: took %v", got)
	}
	a.Take(nil, 0)
}
