package stall

import (
	"math"
	"testing"
	"time"
)

// TestQuiet: gaps between two readings of the clock are waits, but for short ones.
func TestQuiet(t *testing.T) {
	readings := []time.Duration{ms / 10, ms / 5, 10 * ms, 10*ms + ms/10, 40 * ms, 40*ms + ms/10, 50 * ms}
	i := -1
	q := quiet(func() time.Duration { i++; return readings[i] }, 50*ms)
	if want := 49.6 / 50; math.Abs(q.Waited-want) > 0.001 || q.Longest != 40*ms-10*ms-ms/10 {
		t.Errorf("found %+v, expected %.3f, at most 29.9 ms at once", q, want)
	}
	for _, c := range []struct {
		q      Quiet
		budget time.Duration
		want   bool
	}{
		{Quiet{0, 0}, time.Millisecond, true},
		{Quiet{0.1, 100 * ms}, time.Second, true},
		{Quiet{0.1, 101 * ms}, time.Second, false},
		{Quiet{0.6, ms}, time.Second, false},
	} {
		if got := c.q.Affords(c.budget); got != c.want {
			t.Errorf("%+v affords %v: %v", c.q, c.budget, got)
		}
	}
}

// TestMeasure: it takes as long as it is told, and a share is one.
func TestMeasure(t *testing.T) {
	begun := time.Now()
	q := Measure(2, 20*ms)
	if took := time.Since(begun); took < 20*ms || q.Waited < 0 || q.Waited > 1 || q.Longest > took {
		t.Errorf("found %+v after %v", q, took)
	}
}
