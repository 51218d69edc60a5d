package dispatch

import (
	"maps"
	"slices"
	"time"
)

// queue is the jobs of a Run: those that wait, and who holds the others.
type queue struct {
	config  *Config
	needs   needs                      // of all jobs
	jobs    map[string]*job            // those with matches that have no record, by id
	first   []*job                     // waiting jobs that are given before others, and not to everybody
	queues  map[string]*class          // the other waiting jobs
	number  int                        // of jobs so far
	waiting int                        // jobs that wait for a slot
	holds   map[*member]map[*job]*hold // by the workers that have them
	gone    map[*member]map[*job]*hold // of these, the ones that their workers have let go of
	given   map[*member]map[int]*job   // the last one, by slot
}

// class holds the waiting jobs that need the same, in order.
type class struct {
	needs needs
	jobs  []*job
}

// newJob makes a job of matches.
func (q *queue) newJob(list []*Match, only *member) *job {
	q.number++
	j := &job{
		id: q.config.NewName(), number: q.number, needs: needsOf(q.config.Packages, list[0].f, q.needs...), list: list, left: len(list), only: only,
		holds: make(map[*member]*hold), taken: make(map[*member]time.Time), scales: make(map[*member]float64),
	}
	for _, e := range list {
		e.job, e.in = j, append(e.in, j)
	}
	q.jobs[j.id] = j
	return j
}

// enqueue puts a job behind those that wait and need the same; it reports whether it is the first
// that needs it.
func (q *queue) enqueue(j *job, now time.Time) (isNew bool) {
	name := j.needs.class()
	if isNew = q.queues[name] == nil; isNew {
		q.queues[name] = &class{needs: j.needs}
	}
	q.queues[name].jobs = append(q.queues[name].jobs, j)
	q.await(j, now)
	return isNew
}

// again puts a job before those that wait.
func (q *queue) again(j *job, now time.Time) {
	if !j.waiting {
		q.first = append(q.first, j)
		q.await(j, now)
	}
}

// await notes that a job waits for a slot.
func (q *queue) await(j *job, now time.Time) {
	j.waiting, j.since = true, now
	q.waiting++
}

// unwait notes that a job waits no more.
func (q *queue) unwait(j *job) {
	if j.waiting {
		j.waiting = false
		q.waiting--
	}
}

// hold puts a job into the hands of a worker.
func (q *queue) hold(j *job, m *member, h *hold) {
	if q.holds[m] == nil {
		q.holds[m] = make(map[*job]*hold)
	}
	j.holds[m], q.holds[m][j] = h, h
}

// letGo takes a job out of the hands of a worker.
func (q *queue) letGo(j *job, m *member) {
	delete(j.holds, m)
	delete(q.holds[m], j)
	q.stays(j, m)
}

// goes notes that a worker has let go of a job, when its last stored record was upTo.
func (q *queue) goes(j *job, m *member, upTo uint64, now time.Time) {
	if q.gone[m] == nil {
		q.gone[m] = make(map[*job]*hold)
	}
	h := q.holds[m][j]
	h.gone, h.upTo, q.gone[m][j] = now, upTo, h
}

// stays notes that a worker has not let go of a job, or does not hold it any more.
func (q *queue) stays(j *job, m *member) {
	if h := q.gone[m][j]; h != nil {
		h.gone = time.Time{}
	}
	delete(q.gone[m], j)
	if len(q.gone[m]) == 0 {
		delete(q.gone, m)
	}
}

// forget forgets what the slots of a worker were given, which holds nothing any more.
func (q *queue) forget(m *member) {
	delete(q.holds, m)
	delete(q.gone, m)
	delete(q.given, m)
}

// inOrder returns the jobs of a worker, the first first.
func inOrder(jobs map[*job]*hold) []*job {
	return slices.SortedFunc(maps.Keys(jobs), func(a, b *job) int { return a.number - b.number })
}

// isBarred reports whether a worker is to play nothing that others did not finish. Such jobs
// go to several workers: one of them may kill who plays it.
func (q *queue) isBarred(m *member) bool {
	if !m.proven {
		return true
	}
	for j := range q.holds[m] {
		if j.isSuspect() {
			return true
		}
	}
	return false
}

// leave takes a match that is over out of its jobs.
func (q *queue) leave(e *Match) {
	e.over = true
	for _, j := range e.in {
		if j.left--; j.left == 0 {
			delete(q.jobs, j.id)
		}
		q.release(j)
	}
}

// release takes a job from its workers, or from those that wait, when nothing is left
// of it for them.
func (q *queue) release(j *job) {
	if len(j.open()) > 0 {
		return
	}
	q.unwait(j)
	for m := range j.holds {
		q.letGo(j, m)
	}
}
