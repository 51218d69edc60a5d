package dispatch

import (
	"errors"
	"slices"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet/recheck"
	"umpire/referee/record"
)

// maxChecks bounds how many matches are being rechecked at a time, and thereby
// the memory for their records.
const maxChecks = 1000

var errGone = errors.New("the worker that was to play the match is gone")

// comparison is a match that is played again.
type comparison struct {
	f       arena.Fixture
	workers [2]*member         // the first has played the run's record
	played  [2][]record.Record // on each
}

// choose has somebody else play a match again whose record has come from a worker, if it is one
// of the sample.
func (s *Schedule) choose(e *Match, from *member, first record.Record, now time.Time) {
	if s.rechecking >= maxChecks || !s.sample.Takes(&first) {
		return
	}
	other := s.d.arbiter(s.classOf(e).needs, from, s.d.config.Chance())
	if other == nil {
		s.d.rechecks.Skipped++
		return
	}
	s.d.rechecks.Matches++
	s.rechecking++
	s.playAgain(&comparison{f: e.f, workers: [2]*member{from, other}, played: [2][]record.Record{{first}}}, now, 1)
}

// arbiter returns who plays a match of a worker again: the coordinator's own worker, or
// one that nothing ties to that worker, by chance; nil if there is none.
func (d *Dispatcher) arbiter(n needs, from *member, chance float64) *member {
	var list []*member
	for _, m := range d.there() {
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
func (s *Schedule) playAgain(c *comparison, now time.Time, sides ...int) {
	for _, side := range sides {
		e := NewMatch(0, c.f)
		e.aside = func(_ *member, r record.Record, now time.Time) {
			c.played[side] = append(c.played[side], r)
			s.compare(c, now)
		}
		s.again(s.newJob([]*Match{e}, c.workers[side]), now)
	}
}

// compare compares what two workers have played when nothing is left to be played. Where that
// differs, both play once more. A worker whose record is in doubt can't keep it from being reported.
func (s *Schedule) compare(c *comparison, now time.Time) {
	switch {
	case len(c.played[0]) != len(c.played[1]):
		return
	case slices.ContainsFunc(c.played[1], func(r record.Record) bool { return r.Error != "" }):
		s.d.rechecks.Matches--
		s.d.rechecks.Skipped++
	case len(c.played[0]) > 1:
		if d := s.d.rechecks.Judge([2]string{c.workers[0].name, c.workers[1].name}, c.played); d != nil {
			s.d.note("umpire: recheck: %s\n", d)
		}
	default:
		if what, _ := recheck.Compare(&c.played[0][0], &c.played[1][0]); what != "" {
			s.playAgain(c, now, 0, 1)
			return
		}
		s.d.rechecks.Same++
	}
	s.rechecking--
}
