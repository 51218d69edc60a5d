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

// rechecks has matches played again, by other workers than those that have played them.
type rechecks struct {
	config *Config
	crew   *crew
	queue  *queue
	sample recheck.Sample // of the matches
	under  int            // matches that are being played again
	found  *recheck.Summary
}

// choose has somebody else play a match again whose record has come from a worker, if it is one
// of the sample.
func (r *rechecks) choose(e *Match, from *member, first record.Record, now time.Time) {
	if r.under >= maxChecks || !r.sample.Takes(&first) {
		return
	}
	other := r.crew.arbiter(e.job.needs, from, r.config.Chance())
	if other == nil {
		r.found.Skipped++
		return
	}
	r.found.Matches++
	r.under++
	r.play(&comparison{workers: [2]*member{from, other}, played: [2][]record.Record{{first}}}, e.f, now, 1)
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

// play has some of the workers of a comparison play its match.
func (r *rechecks) play(c *comparison, f arena.Fixture, now time.Time, sides ...int) {
	c.left += len(sides)
	for _, side := range sides {
		e := NewMatch(0, f)
		e.check, e.side = c, side
		r.queue.again(r.queue.newJob([]*Match{e}, c.workers[side]), now)
	}
}

// checked takes the record of a match that was played again.
func (r *rechecks) checked(e *Match, again record.Record, now time.Time) {
	c := e.check
	r.queue.leave(e)
	c.left--
	c.failed = c.failed || again.Error != ""
	c.played[e.side] = append(c.played[e.side], again)
	if c.left == 0 {
		r.compare(c, e.f, now)
	}
}

// compare compares what the workers of a comparison have played.
func (r *rechecks) compare(c *comparison, f arena.Fixture, now time.Time) {
	if !c.failed && len(c.played[0]) == 1 {
		if what, _ := recheck.Compare(&c.played[0][0], &c.played[1][0]); what != "" {
			r.play(c, f, now, 0, 1)
			return
		}
		r.found.Same++
	}
	r.under--
	switch {
	case c.failed:
		r.found.Matches--
		r.found.Skipped++
	case len(c.played[0]) > 1:
		if d := r.found.Judge([2]string{c.workers[0].name, c.workers[1].name}, c.played); d != nil {
			r.crew.note("umpire: recheck: %s\n", d)
		}
	}
}
