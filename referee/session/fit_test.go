package session

import "testing"

// TestWithin: a control group's quota bounds how many CPUs matches keep busy; one of less than
// a CPU leaves one.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		quota      float64
		cpus, want int
	}{{0, 64, 64}, {4, 64, 4}, {2.5, 64, 2}, {0.4, 64, 1}, {8, 2, 2}, {0, 0, 0}} {
		if n := within(c.quota, c.cpus); n != c.want {
			t.Errorf("a quota of %v with %d CPUs: found %d, expected %d", c.quota, c.cpus, n, c.want)
		}
	}
}
