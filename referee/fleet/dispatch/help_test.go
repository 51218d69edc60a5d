package dispatch

import (
	"time"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/record"
)

// limited lists matches of one seat with a budget.
func limited(n int, budget time.Duration) []arena.Fixture {
	list := arenatest.Sums(n)
	for i := range list {
		list[i].Limits = record.NewLimits(protocols.Limits{Time: budget}, "")
	}
	return list
}

// add has matches wait in one job.
func (s *Schedule) add(now time.Time, list ...*Match) {
	s.ready = list
	s.flush(now)
}
