package contestant

import (
	"sync/atomic"

	"umpire/referee/sandbox"
)

// Scale finds out which contestants of a match hold more memory than they may, by how
// much less the machine, or the group around umpire, has in use after the end of each.
// Nobody else may play here meanwhile. All its contestants are for one goroutine at a
// time, once it is full.
type Scale struct {
	full  int64 // bytes in use: more than all may hold together, or nearly all there is
	tips  atomic.Bool
	seats []*Contestant
}

// NewScale returns the scale of a match before its contestants start, who may hold so
// much memory together, in bytes.
func NewScale(together int64) *Scale {
	used, most := sandbox.MemoryInUse()
	return &Scale{full: used + min(together, (most-used)/8*7)}
}

// Weigh puts a contestant on a scale.
func (c *Contestant) Weigh(s *Scale) {
	c.scale = s
	s.seats = append(s.seats, c)
}

// Held returns how much memory a contestant was found to hold when it was ended, in
// bytes; 0 if it was not measured.
func (c *Contestant) Held() int64 { return c.held }

// look looks whether too much memory is in use.
func (s *Scale) look() {
	if s != nil && !s.tips.Load() {
		used, _ := sandbox.MemoryInUse()
		s.tips.Store(used > s.full)
	}
}

// isFull reports whether more memory is in use than all may hold: the match is over, and
// each contestant is to be ended by takeOff.
func (s *Scale) isFull() bool { return s != nil && s.tips.Load() }

// takeOff ends a contestant while all others stand still, and measures what it held.
func (s *Scale) takeOff(c *Contestant) {
	for _, other := range s.seats {
		if other != c && other.exit == nil {
			other.Freeze()
		}
	}
	before, _ := sandbox.MemoryInUse()
	c.kill()
	after, _ := sandbox.MemoryInUse()
	c.held = before - after
}
