// Package stall notices when umpire itself does not run: it was stopped, its
// control group was frozen, or the machine slept. It knows nothing of matches.
package stall

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Clock measures for how long this process did not run. A thread of its own
// looks at the time every period: where it comes late, and was not merely
// waiting for a CPU, nothing of the process ran. The zero value has seen none.
type Clock struct {
	mu    sync.Mutex
	last  reading
	read  func() reading // nil while nobody watches
	total atomic.Int64

	held     atomic.Bool
	heldAt   time.Duration // by CLOCK_MONOTONIC
	released chan struct{}
}

// reading is what the watching thread's clocks show.
type reading struct {
	mono, boot time.Duration // CLOCK_MONOTONIC and CLOCK_BOOTTIME, which goes on while the machine sleeps
	delay      time.Duration // how long the thread has been ready to run but had no CPU, in all
}

const (
	period = 20 * time.Millisecond
	least  = 30 * time.Millisecond // beyond the period that make a stall
)

// stalled returns how much of the time between two readings was a stall.
func (r reading) stalled(now reading) time.Duration {
	gap := now.mono - r.mono
	slept := now.boot - r.boot - gap
	if late := gap - period - max(0, now.delay-r.delay); late > least || slept > least && late > 0 {
		return late + period // it may have begun right after the last reading
	}
	return 0
}

// Total implements referee.Stalls.
func (c *Clock) Total() time.Duration { return time.Duration(c.total.Load()) }

// Look implements referee.Stalls.
func (c *Clock) Look() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read == nil {
		return c.Total()
	}
	now := c.read()
	if c.Held() { // all of that is counted at its end
		return c.Total() + now.mono - c.heldAt
	}
	c.total.Add(int64(c.last.stalled(now)))
	c.last = now
	return c.Total()
}

// Held implements referee.Stalls.
func (c *Clock) Held() bool { return c.held.Load() }

// AwaitRelease implements referee.Stalls.
func (c *Clock) AwaitRelease() {
	c.mu.Lock()
	released := c.released
	c.mu.Unlock()
	<-released
}

// toHold is how long matches have to stop their contestants.
const toHold = 100 * time.Millisecond

// Pause has all matches stop their contestants, calls stop, which is to stop this
// process, and lets the matches go on. All that time is a stall.
func (c *Clock) Pause(stop func()) {
	c.mu.Lock()
	if c.read == nil || c.Held() {
		c.mu.Unlock()
		stop()
		return
	}
	c.heldAt, c.released = c.read().mono, make(chan struct{})
	c.held.Store(true)
	c.mu.Unlock()
	time.Sleep(toHold)
	stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = c.read()
	c.total.Add(int64(c.last.mono - c.heldAt))
	c.held.Store(false)
	close(c.released)
}

// Start watches until end is called, and has Ctrl-Z, where a key stops programs, stop the
// contestants before umpire itself.
func (c *Clock) Start(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { c.Watch(ctx) })
	c.awaitStops(ctx, &watching)
	return func() {
		cancel()
		watching.Wait()
	}
}

// Watch looks at the time until ctx ends.
func (c *Clock) Watch(ctx context.Context) {
	read, sleep, end := thread(ctx)
	defer end()
	c.mu.Lock()
	c.read, c.last = read, read()
	c.mu.Unlock()
	for ctx.Err() == nil {
		sleep(period)
		c.Look()
	}
	c.mu.Lock()
	if !c.Held() {
		c.read = nil
	}
	c.mu.Unlock()
}
