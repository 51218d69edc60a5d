package contestant

import (
	"runtime"
	"time"
)

// A look at a contestant's memory costs as much as several quick turns, so one
// is taken only when the contestant could have passed its limit since the last:
// a processor has to write to memory before it counts.
const (
	fillRate = 16 << 30               // bytes a second, more than a processor fills
	minLook  = 250 * time.Microsecond // between two looks, however little is left
)

// weigh looks at the memory of a contestant that has replied, if that is due.
func (w *wait) weigh() {
	c, f := w.c, &w.facts
	if c.exit != nil {
		f.end(c.exit)
		return
	}
	if c.limits.Memory > 0 && !w.start.Add(f.wall).Before(c.memoryAt) {
		c.look()
	}
	f.memory, f.oom = c.peak, c.over
}

// look looks at the memory of a contestant that runs, and at its disk; the
// launcher kills what has too much.
func (c *Contestant) look() {
	c.peak, c.over = c.proc.Memory()
	left := max(0, c.limits.Memory-c.peak)
	next := time.Duration(float64(left) / fillRate * float64(time.Second) / float64(runtime.NumCPU()))
	c.memoryAt = time.Now().Add(max(minLook, next))
}

// Watch looks at a contestant that owes no reply while others take long. What
// it finds is a failure when the contestant is asked next, or stopped.
func (c *Contestant) Watch() {
	if c.exit == nil {
		c.look()
	}
}
