package dispatch

import (
	"math"
	"testing"
	"time"
)

// TestMeter: the rate is that of late, soon after the first event as well.
func TestMeter(t *testing.T) {
	var m meter
	begun := time.Now()
	if m.rate(begun) != 0 {
		t.Error("a rate before anything happened")
	}
	for i := range 2000 { // two a second
		now := begun.Add(time.Duration(i) * time.Second / 2)
		if m.add(now); i < 20 {
			continue
		}
		if rate := m.rate(now); math.Abs(rate-2) > 0.15 {
			t.Fatalf("after %d events: found %v a second, expected 2", i, rate)
		}
	}
	if rate := m.rate(begun.Add(1030 * time.Second)); math.Abs(rate-2/math.E) > 0.05 {
		t.Errorf("half a minute later: found %v a second, expected %v", rate, 2/math.E)
	}
	if rate := m.rate(begun.Add(time.Hour)); rate > 1e-9 {
		t.Errorf("an hour later: found %v a second, expected none", rate)
	}
}
