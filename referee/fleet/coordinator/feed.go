package coordinator

import (
	"context"
	"iter"
	"slices"
	"time"

	"umpire/referee/arena"
)

// Sizes of jobs and of what is under way.
const (
	jobTime     = 300 * time.Millisecond // how long a job of short matches is to take
	maxJob      = 128                    // fixtures of a job
	minRoom     = 64                     // fixtures under way at least
	maxRoom     = 1 << 16                // and at most
	jobsPerSlot = 3                      // jobs that lie ready for each slot, with the one being played
)

// feed draws fixtures, as there is room for them, and puts them into jobs. Mirrors are
// always in one job.
func (r *run) feed(ctx context.Context, fixtures iter.Seq[arena.Fixture]) error {
	n := 0
	var bundle []*match // mirrors of each other
	for f := range fixtures {
		if len(bundle) > 0 && (!mirrors(bundle[0].f, f) || len(bundle) >= maxJob) {
			if err := r.enter(ctx, bundle); err != nil {
				return err
			}
			bundle = nil
		}
		bundle = append(bundle, newMatch(n, f))
		n++
	}
	if err := r.enter(ctx, bundle); err != nil {
		return err
	}
	r.c.do(func(now time.Time) {
		r.flush(now)
		r.schedule.fed = true
	})
	return nil
}

// flush adds the job that is ready.
func (r *run) flush(now time.Time) {
	if len(r.ready) > 0 {
		r.schedule.add(r.ready, now)
		r.ready = nil
	}
}

// enter waits for room, and adds matches to the job that is ready. Where it has to wait,
// that job is played meanwhile.
func (r *run) enter(ctx context.Context, list []*match) error {
	for len(list) > 0 {
		var changed <-chan struct{}
		r.c.do(func(now time.Time) {
			s, size := r.schedule, jobSize(r.schedule.mean)
			if len(r.ready) > 0 && (len(r.ready) >= size || len(r.ready)+len(list) > maxJob ||
				needsOf(s.packages, r.ready[0].f).class() != needsOf(s.packages, list[0].f).class()) {
				r.flush(now)
			}
			if s.under+len(r.ready) >= s.most() {
				r.flush(now)
				if s.under > s.most()-size { // there must be room for another job
					changed = r.changed
					return
				}
			}
			r.ready = append(r.ready, list...)
			list = nil
		})
		if changed == nil {
			continue
		}
		select {
		case <-changed:
		case <-r.c.draining:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.c.isDraining() {
			return errDrained
		}
	}
	return nil
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
func (s *schedule) most() int {
	return max(minRoom, min(maxRoom, s.crew.slots()*jobsPerSlot*jobSize(s.mean)))
}

// mirrors reports whether two fixtures are the same match with the seats taken
// otherwise, so that one worker plays both.
func mirrors(a, b arena.Fixture) bool {
	digests := func(f arena.Fixture) []string {
		var list []string
		for _, s := range f.Seats {
			list = append(list, s.Digest+"\n"+s.Bot)
		}
		slices.Sort(list)
		return list
	}
	return a.Game == b.Game && a.Repetition == b.Repetition && a.Case.Text == b.Case.Text && slices.Equal(digests(a), digests(b))
}
