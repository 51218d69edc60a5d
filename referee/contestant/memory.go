package contestant

import (
	"runtime"
	"time"
)

// Measuring a contestant's memory costs as much as several quick turns, so that
// is done only when the contestant could have exceeded its limit since the last
// time: memory counts only once a processor has written to it.
const (
	fillRate = 16 << 30               // bytes per second, more than a processor can fill
	minLook  = 250 * time.Microsecond // minimum time between two looks, however little memory is left
)

// weigh measures the memory of a contestant that has replied, if that is due.
func (w *wait) weigh() {
	c, f := w.c, &w.facts
	if c.exit != nil {
		f.end(c.exit)
		return
	}
	if c.limits.Memory > 0 && w.start+f.wall >= c.memoryAt {
		c.look()
	}
	f.memory, f.oom = c.peak, c.over
}

// look measures the memory and disk use of a running contestant; the launcher
// kills one that exceeds its limits.
func (c *Contestant) look() {
	c.peak, c.over = c.proc.Memory()
	c.scale.look()
	left := max(0, c.limits.Memory-c.peak)
	next := time.Duration(float64(left) / fillRate * float64(time.Second) / float64(runtime.NumCPU()))
	c.lookedMemory = clock()
	c.memoryAt = c.lookedMemory + max(minLook, next)
}

// Watch checks a contestant that owes no reply while others take long, and returns how
// long that took. An excess is reported as a failure when the contestant is next asked, or
// stopped.
func (c *Contestant) Watch() (took time.Duration) {
	start := clock()
	if c.exit == nil {
		c.look()
	}
	return clock() - start
}
