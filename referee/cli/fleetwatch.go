package cli

import (
	"umpire/referee/cli/shell"
	"umpire/referee/report"
)

// followFleet has the line of progress show the workers, once there are both.
func (s *session) followFleet() {
	if s.bar != nil && s.fleet != nil && s.fleet.coordinator != nil {
		c := s.fleet.coordinator
		s.bar.Follow(func() (string, float64) {
			now := c.Now()
			return now.Crew(), now.Rate
		})
		c.Progress(s.bar.Counts)
	}
}

func (s *session) progress(what string, total int) *shell.Progress {
	s.bar = s.app.progress(what, total, s.c.Bool("quiet") || s.c.Bool("verbose"))
	s.followFleet()
	return s.bar
}

// progress begins to show progress, which must be ended; a total of 0 is one
// that nobody knows.
func (a *app) progress(what string, total int, silent bool) *shell.Progress {
	return shell.StartProgress(a.status, a.err, what, total, silent)
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
