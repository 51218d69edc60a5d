package dispatch

import (
	"slices"
	"time"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// Sizes of jobs.
const (
	jobTime     = 300 * time.Millisecond // how long a job of short matches is to take
	maxJob      = 128                    // fixtures of a job, or twice as many mirrors
	jobsPerSlot = 3                      // jobs that lie ready for each slot, with the one being played
)

// Enter adds a match to the job that is ready. A mirror of the match before it is always in one
// job with that. It reports false if there is no room for the match yet, and then has that job
// played meanwhile.
func (s *Schedule) Enter(e *Match, now time.Time) bool {
	n, size := len(s.ready), jobSize(s.mean)
	if 0 < n && n < 2*maxJob && mirrors(s.ready[n-1].f, e.f) {
		s.ready = append(s.ready, e)
		return true
	}
	if n >= size || n > 0 && s.classOf(s.ready[0]) != s.classOf(e) {
		s.flush(now)
	}
	if s.under+len(s.ready) >= s.most() {
		s.flush(now)
		if s.under > s.most()-size { // there must be room for another job
			return false
		}
	}
	s.ready = append(s.ready, e)
	return true
}

// EndEntries notes that all matches of the Run have been entered.
func (s *Schedule) EndEntries(now time.Time) {
	s.flush(now)
	s.fed = true
}

// flush has the job that is ready wait for a slot. A match that has an early record ends with that.
func (s *Schedule) flush(now time.Time) {
	if len(s.ready) == 0 {
		return
	}
	j, c := s.newJob(s.ready, nil), s.classOf(s.ready[0])
	c.jobs, s.ready, j.since, s.d.asked = append(c.jobs, j), nil, now, 0
	s.waiting++
	s.under += len(j.list)
	for _, e := range j.list {
		s.pending[e.id] = append(s.pending[e.id], e)
		if i := slices.IndexFunc(s.early[e.id], func(r record.Record) bool { return e.matches(&r) }); i >= 0 {
			r := s.early[e.id][i]
			s.early[e.id] = slices.Delete(s.early[e.id], i, i+1)
			s.earlies--
			s.end(e, nil, r, now)
		}
	}
}

// jobSize is how many fixtures make a job that takes about jobTime; mean is how long a
// match takes, and 0 if that is not known.
func jobSize(mean time.Duration) int {
	if mean == 0 {
		return 1
	}
	return max(1, min(maxJob, int(jobTime/mean)))
}

// most is how many fixtures may be under way: enough for every slot to find a job, and
// few enough to be held in memory.
func (s *Schedule) most() int {
	slots := 0
	for _, m := range s.d.there() {
		slots += m.slots
	}
	return max(MinRoom, min(MaxRoom, slots*jobsPerSlot*jobSize(s.mean)))
}

// mirrors reports whether two fixtures are the same match with the seats taken
// otherwise, so that one worker plays both.
func mirrors(a, b arena.Fixture) bool {
	digests := func(f arena.Fixture) (list []string) {
		for _, s := range f.Seats {
			list = append(list, s.Digest+"\n"+s.Bot)
		}
		return slices.Sorted(slices.Values(list))
	}
	return a.Game == b.Game && a.Repetition == b.Repetition && a.Case.Text == b.Case.Text && slices.Equal(digests(a), digests(b))
}
