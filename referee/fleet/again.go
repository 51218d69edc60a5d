package fleet

import (
	"context"
	"slices"
	"time"

	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// tried deals with a record that has an error: the match is given to another
// worker, unless it was that often already.
func (q *queue) tried(e *entry, from giver, r record.Record) bool {
	q.mu.Lock()
	e.tries++
	last := e.tries >= maxTries
	e.only, e.failedOn = "", append(e.failedOn, from.ID)
	q.mu.Unlock()
	if last {
		return q.finish(e, from, r)
	}
	if other, ok := q.crew.other(q.needs(e.f), e.failedOn); ok {
		q.direct(e, other.ID)
	}
	return q.republish(e) == nil
}

// direct has only the worker with an id play a fixture; "": any.
func (q *queue) direct(e *entry, id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e.only = id
}

// republish gives fixtures to the workers again, in a job of their own.
func (q *queue) republish(list ...*entry) error {
	if q.isDraining() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	return q.publish(ctx, list)
}

// left returns the fixtures of a job that have no record yet. The job is one of
// the past then.
func (q *queue) left(job string) []*entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	g := q.jobs[job]
	if g == nil || q.drained {
		return nil
	}
	delete(q.jobs, job)
	list := slices.Clone(g.entries)
	if !slices.ContainsFunc(list, func(e *entry) bool { return e.check != nil }) {
		q.past[job] = g
	}
	return list
}

// expectedLate finds the fixture whose record r is, the n-th of a job that was
// given to others since nothing was heard of its worker: it may have been cut off
// and not dead. Nil if it has a record, or the late one only says that the match
// could not be played. The caller holds mu.
func (q *queue) expectedLate(job string, n int, r *record.Record) *entry {
	g := q.past[job]
	if g == nil || n < 0 || n >= len(g.all) || r.Error != "" {
		return nil
	}
	if e := g.all[n]; e.matches(r) && slices.Contains(q.pending[e.id], e) {
		return e
	}
	return nil
}

// forgetPast forgets that a fixture was in jobs that were given to others. The
// caller holds mu.
func (q *queue) forgetPast(e *entry) {
	for id, g := range q.past {
		if g.entries = slices.DeleteFunc(g.entries, func(other *entry) bool { return other == e }); len(g.entries) == 0 {
			delete(q.past, id)
		}
	}
}

// again puts a job into the queue another time, which does not count as a try.
func (q *queue) again(job string) {
	if list := q.left(job); len(list) > 0 {
		_ = q.republish(list...)
	}
}

// lost deals with a job that nobody finished: the fixtures are tried one by
// one, and one that is alone has failed.
func (q *queue) lost(job string, why error) {
	list := q.left(job)
	if len(list) > 0 {
		q.crew.count(func(c *status.Counts) { c.Failed++ })
	}
	for _, e := range list {
		if len(list) == 1 {
			q.giveUp(e, failed(e.f, q.Version, why))
			return
		}
		q.direct(e, "")
		_ = q.republish(e)
	}
}

// giveUp ends a fixture that nobody could play.
func (q *queue) giveUp(e *entry, r record.Record) {
	if e.check != nil {
		q.checked(e, r)
		return
	}
	q.finish(e, giver{}, r)
}

// audit republishes what is pending although the work queue is empty and all
// results have been taken: a job that was acknowledged without its results.
func (q *queue) audit(ctx context.Context) error {
	lacking := false
	for {
		if err := wait(ctx, q.Silence); err != nil {
			return err
		}
		if q.isDraining() { // what is played is in the work queue no more
			return nil
		}
		info, err := q.work.Info(ctx)
		if err != nil {
			continue
		}
		results, err := q.results.Info(ctx)
		if err != nil {
			continue
		}
		if err := q.strayed(ctx); err != nil {
			return err
		}
		q.retire(ctx)
		list := unjudged(q)
		for _, e := range list {
			if lacking { // for two audits: more may have joined
				q.giveUp(e, failed(e.f, q.Version, lackFor(e.f, q.Packages)))
			}
		}
		lacking = len(list) > 0
		for _, list := range q.forgotten(info.State.Msgs == 0 && results.NumPending == 0 && results.NumAckPending == 0) {
			if err := q.publish(ctx, list); err != nil {
				return err
			}
		}
	}
}

// unjudged returns the fixtures under way if there are workers, and none has the
// languages of any of them.
func unjudged(q *queue) (list []*entry) {
	q.mu.Lock()
	for _, waiting := range q.pending {
		list = append(list, waiting...)
	}
	q.mu.Unlock()
	for _, e := range list {
		if lackFor(e.f, q.Packages) == nil || mayCome(&q.crew, q.needs(e.f)) {
			return nil
		}
	}
	return list
}

// forgotten returns the fixtures that are pending, in jobs, if the streams have
// been empty for two audits.
func (q *queue) forgotten(empty bool) (lists [][]*entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !empty || q.under == 0 || q.isDraining() {
		q.stalled = time.Time{}
		return nil
	}
	if q.stalled.IsZero() {
		q.stalled = time.Now()
		return nil
	}
	q.stalled = time.Time{}
	for id, g := range q.jobs {
		lists = append(lists, slices.Clone(g.entries))
		delete(q.jobs, id)
	}
	return lists
}
