package recheck

import (
	"math/rand/v2"
	"testing"

	"umpire/referee/record"
)

// TestSample: a share of the matches is chosen, failures first.
func TestSample(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := NewSample(0.1, random.Float64)
	ok, failure := record.Record{Seats: []record.Seat{{Verdict: "ok"}}}, record.Record{Seats: []record.Seat{{Verdict: "time"}}}
	chosen := func(r *record.Record, n int) (sum int) {
		for range n {
			if s.Takes(r) {
				sum++
			}
		}
		return sum
	}
	if n := chosen(&failure, 5); n != 5 {
		t.Errorf("chose %d of the first 5 matches with failures", n)
	}
	if n := chosen(&ok, 1000); n < 80 || n > 110 {
		t.Errorf("chose %d of 1,000 matches, expected about 95", n)
	}
	if n := chosen(&failure, 1000); n < 90 || n > 120 {
		t.Errorf("chose %d of 1,000 matches with failures, expected about 110", n)
	}
}
