package dispatch

import (
	"math"
	"testing"
	"time"
)

// TestMeter: the rate is that of the last minute.
func TestMeter(t *testing.T) {
	var m meter
	begun := time.Now()
	if m.rate(begun) != 0 {
		t.Error("a rate before anything happened")
	}
	for i := range 200 { // two a second
		m.add(begun.Add(time.Duration(i) * time.Second / 2))
	}
	if rate := m.rate(begun.Add(99 * time.Second)); math.Abs(rate-2) > 0.05 {
		t.Errorf("found %v a second, expected 2", rate)
	}
	if rate := m.rate(begun.Add(129500 * time.Millisecond)); math.Abs(rate-1) > 0.05 {
		t.Errorf("half a minute later: found %v a second, expected 1", rate)
	}
	if rate := m.rate(begun.Add(time.Hour)); rate != 0 {
		t.Errorf("an hour later: found %v a second, expected 0", rate)
	}
}
