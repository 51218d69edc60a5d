package fleet

import (
	"context"
	"slices"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee/record"
)

// A process that is stopped while a bot replies reads the reply late, and the
// bot is charged for that.
const (
	lookEvery = 50 * time.Millisecond  // between looks at the clock
	stallTime = 300 * time.Millisecond // between two looks: the process did not run
)

// maxStalled is how often a match is played again because of that.
const maxStalled = 3

// awake notices when this process did not run for a time: it was stopped, its
// machine slept, or others took all its processors.
type awake struct {
	mu   sync.Mutex
	last time.Time // when it was seen to run
	end  time.Time // of the latest time that it did not; zero: there was none
}

// watch looks at the clock until ctx ends.
func (a *awake) watch(ctx context.Context) error {
	for wait(ctx, lookEvery) == nil {
		a.look(time.Now())
	}
	return nil
}

func (a *awake) look(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.last.IsZero() && now.Sub(a.last) > stallTime {
		a.end = now
	}
	if now.After(a.last) {
		a.last = now
	}
}

// since reports whether the process has run all the time since then.
func (a *awake) since(then, now time.Time) bool {
	a.look(now)
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.end.Before(then)
}

// isUnfair reports whether a bot was charged for time in which this process did
// not run. The record is that of a match that has just ended.
func (a *awake) isUnfair(r *record.Record, now time.Time) bool {
	began := now.Add(-time.Duration(r.WallUS) * time.Microsecond)
	return slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return s.Verdict == string(protocols.KindTime) }) && !a.since(began, now)
}
