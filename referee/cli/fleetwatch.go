package cli

import (
	"umpire/referee/report"
)

// followFleet has the line of progress show the workers, once there are both.
func (s *session) followFleet() {
	if s.bar != nil && s.fleet != nil && s.fleet.coordinator != nil {
		s.bar.follow(s.fleet.coordinator)
	}
}

// watchFleet shows the workers to people, and lets what they play finish at the
// first interrupt.
func (s *session) watchFleet() {
	c := s.fleet.coordinator
	s.fleet.opened.Store(c)
	s.followFleet()
	s.fleet.undo = s.drain.atFirstInterrupt(func() {
		s.note("umpire: interrupted; matches in progress may finish, and no more begin; interrupt again to stop immediately\n")
		c.Drain()
	})
}

// status describes the run to onlookers; nil before it begins.
func (f *spreading) status() *report.Fleet {
	c := f.opened.Load()
	if c == nil {
		return nil
	}
	status := c.Status()
	return &status
}
