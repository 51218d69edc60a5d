package dispatch

import (
	"errors"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet/recheck"
	"umpire/referee/record"
)

// maxChecks bounds how many matches are being rechecked at a time, and thereby
// the memory for their records.
const maxChecks = 1000

var errGone = errors.New("the worker that was to play the match is gone")

// choose has somebody else play a match again whose record has come from a worker, if it is one
// of the sample.
func (s *Schedule) choose(e *Match, from *member, first record.Record, now time.Time) {
	if s.rechecking >= maxChecks || !s.sample.Takes(&first) {
		return
	}
	other := s.crew.arbiter(e.job.needs, from, s.config.Chance())
	if other == nil {
		s.found.Skipped++
		return
	}
	s.found.Matches++
	s.rechecking++
	s.playAgain(&comparison{workers: [2]*member{from, other}, played: [2][]record.Record{{first}}}, e.f, now, 1)
}

// arbiter returns who plays a match of a worker again: the coordinator's own worker, or
// one that nothing ties to that worker, by chance; nil if there is none.
func (c *crew) arbiter(n needs, from *member, chance float64) *member {
	var list []*member
	for _, m := range c.there() {
		switch {
		case m == from || !m.can(n):
		case m.own:
			return m
		case m.isApart(from):
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[min(len(list)-1, int(chance*float64(len(list))))]
}

// playAgain has some of the workers of a comparison play its match.
func (s *Schedule) playAgain(c *comparison, f arena.Fixture, now time.Time, sides ...int) {
	c.left += len(sides)
	for _, side := range sides {
		e := NewMatch(0, f)
		e.check, e.side = c, side
		s.queue.again(s.queue.newJob([]*Match{e}, c.workers[side]), now)
	}
}

// checked takes the record of a match that was played again, and compares what the two workers
// have played when nothing is left to be played. Where that differs, both play once more.
func (s *Schedule) checked(e *Match, again record.Record, now time.Time) {
	c := e.check
	s.queue.leave(e)
	c.left--
	c.failed = c.failed || again.Error != ""
	c.played[e.side] = append(c.played[e.side], again)
	switch {
	case c.left > 0:
		return
	case c.failed:
		s.found.Matches--
		s.found.Skipped++
	case len(c.played[0]) > 1:
		if d := s.found.Judge([2]string{c.workers[0].name, c.workers[1].name}, c.played); d != nil {
			s.crew.note("umpire: recheck: %s\n", d)
		}
	default:
		if what, _ := recheck.Compare(&c.played[0][0], &c.played[1][0]); what != "" {
			s.playAgain(c, e.f, now, 0, 1)
			return
		}
		s.found.Same++
	}
	s.rechecking--
}
