package fleet

import "umpire/referee/report"

// returned puts a job into the queue another time that a worker gave back.
func (q *queue) returned(job, worker, why string) {
	q.crew.count(func(c *report.FleetCounts) { c.Returned++ })
	list := q.left(job)
	if len(list) == 0 {
		return
	}
	if why == errStalled.Error() {
		q.stalls(list)
	}
	if !q.isDraining() {
		q.Note("umpire: worker %s gives %s back: %s\n", q.crew.name(worker), report.Plural(len(list), "match"), why)
	}
	_ = q.republish(list...)
}

// stalls counts that matches were given back since a worker did not run.
func (q *queue) stalls(list []*entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range list {
		e.stalls++
	}
}
