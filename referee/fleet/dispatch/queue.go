package dispatch

import (
	"iter"
	"slices"
	"time"
)

// queue is the jobs of a Run.
type queue struct {
	config  *Config
	needs   needs             // of all jobs
	jobs    map[string]*job   // those with matches that have no record, by id
	first   []*job            // waiting jobs that are given before others, and not to everybody
	queues  map[string]*class // the other waiting jobs
	number  int               // of jobs so far
	waiting int               // jobs that wait for a slot
}

// class holds the waiting jobs that need the same, in order.
type class struct {
	needs needs
	jobs  []*job
	told  bool // the user has been told that nobody can play them
}

// newJob makes a job of matches.
func (q *queue) newJob(list []*Match, only *member) *job {
	q.number++
	j := &job{
		id: q.config.NewName(), number: q.number, needs: needsOf(q.config.Packages, list[0].f, q.needs...), list: list, left: len(list), only: only,
		had: make(map[*member]*hold),
	}
	for _, e := range list {
		e.job, e.in = j, append(e.in, j)
	}
	q.jobs[j.id] = j
	return j
}

// enqueue puts a job behind those that wait and need the same.
func (q *queue) enqueue(j *job, now time.Time) {
	name := j.needs.class()
	if q.queues[name] == nil {
		q.queues[name] = &class{needs: j.needs}
	}
	q.queues[name].jobs = append(q.queues[name].jobs, j)
	q.await(j, now)
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

// inOrder returns jobs, the first first.
func inOrder(jobs iter.Seq[*job]) []*job {
	return slices.SortedFunc(jobs, func(a, b *job) int { return a.number - b.number })
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
	for m := range j.had {
		m.letGo(j)
	}
}
