package stall

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// TestStalled has a row for each reason why a thread may wake late.
func TestStalled(t *testing.T) {
	for _, test := range []struct {
		name             string
		gap, slept, wait time.Duration
		want             time.Duration
	}{
		{"in time", 20 * ms, 0, 0, 0},
		{"early, as others look, too", 3 * ms, 0, 0, 0},
		{"a little late", 49 * ms, 0, 0, 0},
		{"stopped for 100 ms", 110 * ms, 0, 0, 110 * ms},
		{"stopped for an hour", time.Hour, 0, 0, time.Hour},
		{"waited for a CPU", 600 * ms, 0, 570 * ms, 0},
		{"waited for a CPU, then stopped", 600 * ms, 0, 200 * ms, 400 * ms},
		{"the machine slept, which the clock of matches does not see", 20 * ms, time.Hour, 0, 0},
		{"the machine slept, and stopped all programs before", 40 * ms, time.Hour, 0, 40 * ms},
	} {
		before := reading{mono: time.Hour, boot: 2 * time.Hour, delay: time.Minute}
		now := reading{before.mono + test.gap, before.boot + test.gap + test.slept, before.delay + test.wait}
		if got := before.stalled(now); got != test.want {
			t.Errorf("%s: found a stall of %v, expected %v", test.name, got, test.want)
		}
	}
}

// TestClock: a stall is seen by whoever looks first, once.
func TestClock(t *testing.T) {
	var c Clock
	if c.Look() != 0 || c.Total() != 0 {
		t.Error("nobody watches, and there was a stall")
	}
	var now reading
	c.read = func() reading { return now }
	for i, step := range []struct{ gap, want time.Duration }{{20 * ms, 0}, {time.Second, time.Second}, {0, time.Second}, {20 * ms, time.Second}, {200 * ms, 1200 * ms}} {
		now.mono += step.gap
		now.boot += step.gap
		if got := c.Look(); got != step.want || c.Total() != step.want {
			t.Errorf("step %d: found %v in all, expected %v", i, got, step.want)
		}
	}
}
