package stall

import (
	"runtime"
	"sync"
	"time"
)

// Quiet is how long programs that compute on this machine wait for a CPU.
type Quiet struct {
	Waited  float64       // share of the time
	Longest time.Duration // at once
}

// seen is the least wait that is one: clocks, interrupts and Go's scheduler take
// less.
const seen = 200 * time.Microsecond

// Measure computes with so many threads for a time, as contestants would.
func Measure(threads int, d time.Duration) (q Quiet) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range threads {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			begun := time.Now()
			one := quiet(func() time.Duration { return time.Since(begun) }, d)
			mu.Lock()
			defer mu.Unlock()
			q.Waited, q.Longest = q.Waited+one.Waited/float64(threads), max(q.Longest, one.Longest)
		})
	}
	all.Wait()
	return q
}

// quiet reads a clock all the time, and finds out when it could not.
func quiet(clock func() time.Duration, d time.Duration) (q Quiet) {
	var waited, last time.Duration
	for last < d {
		now := clock()
		if gap := now - last; gap > seen {
			waited += gap
			q.Longest = max(q.Longest, gap)
		}
		last = now
	}
	q.Waited = float64(waited) / float64(last)
	return q
}

// Affords reports whether a bot that uses half of a budget of wall time stays
// within it, and no single wait takes more than a tenth.
func (q Quiet) Affords(budget time.Duration) bool {
	return q.Waited <= 0.5 && q.Longest <= budget/10
}
