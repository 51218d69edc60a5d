package arena

import (
	"os"
	"slices"
	"testing"
)

// TestClaims: umpires on one machine take different processors while there are
// any, and share them evenly after that.
func TestClaims(t *testing.T) {
	// No machine has these processors, and no other run of this test.
	of := func(numbers ...int) []int {
		for i := range numbers {
			numbers[i] += 100_000 + 10*os.Getpid()
		}
		return numbers
	}
	cpus := of(1, 2, 3)
	var a, b, c, d Claims
	for _, step := range []struct {
		who  *Claims
		n    int
		want []int
	}{
		{&a, 1, of(1, 2, 3)},
		{&b, 1, of(2, 1, 3)},
		{&c, 2, of(3, 1, 2)},
		{&d, 3, of(2, 3, 1)},
		{&b, 0, cpus}, // gives its claim up
		{&b, 1, of(2, 1, 3)},
		{&c, 9, of(3, 1, 2)},
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
