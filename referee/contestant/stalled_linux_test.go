package contestant

import (
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/sandbox"
)

// stopping stands for an umpire that is stopped for an hour right after the first
// look for stalls.
type stopping struct {
	during *wait
	looked bool
}

func (s *stopping) Look() time.Duration {
	if !s.looked {
		s.looked = true
		s.during.start -= time.Hour
		return 0
	}
	return s.Total()
}

func (s *stopping) Total() time.Duration { return time.Hour }
func (*stopping) Held() bool             { return false }
func (*stopping) AwaitRelease()          {}

// TestStalledWhileLooking: a stall between the look for stalls and the next reading
// of the clock is no time of the contestant, which loses by all of the rest.
func TestStalledWhileLooking(t *testing.T) {
	for limit, isLate := range map[time.Duration]bool{30 * time.Minute: false, time.Second: true} {
		now := clock()
		w := &wait{c: &Contestant{exit: &sandbox.Exit{}, endedAt: now, cpus: 1}, start: now - time.Minute, due: now}
		w.ask.Stalls = &stopping{during: w}
		w.facts.limit, w.facts.wallLimit = limit, -1
		w.observe()
		if failure := w.facts.late(); (failure != nil) != isLate || w.facts.wall < time.Hour {
			t.Errorf("limit %v: late: %v, %v of %v stalled", limit, failure, w.facts.stall, w.facts.wall)
		}
	}
}

// TestLate: that umpire looks later than it meant to is no time of the contestant, which loses
// by all of the rest.
func TestLate(t *testing.T) {
	for limit, isLate := range map[time.Duration]bool{40 * time.Second: false, 20 * time.Second: true} {
		now := clock()
		w := &wait{c: &Contestant{exit: &sandbox.Exit{}, endedAt: now, cpus: 1}, start: now - time.Minute, due: now - 30*time.Second}
		w.facts.limit, w.facts.wallLimit = limit, -1
		w.observe()
		if failure := w.facts.late(); (failure != nil) != isLate || w.facts.wait != 30*time.Second {
			t.Errorf("limit %v: late: %v, %v of %v waited", limit, failure, w.facts.wait, w.facts.wall)
		}
	}
}

var _ referee.Stalls = (*stopping)(nil)
