package fleet

import (
	"slices"

	"umpire/referee/report"
)

// returned puts a job into the queue another time that a worker gave back.
func (q *queue) returned(job string, from giver, why string) {
	q.crew.count(func(c *report.FleetCounts) { c.Returned++ })
	list := q.left(job)
	if why != errStalled.Error() || !q.mayStall(list) {
		q.crew.returned(from)
	}
	if len(list) == 0 {
		return
	}
	if !q.isDraining() {
		q.Note("umpire: worker %s gives %s back: %s\n", from.Name, report.Plural(len(list), "match"), tidy(why, maxWhy))
	}
	_ = q.republish(list...)
}

// mayStall reports whether matches may be given back since their worker did not
// run, and counts it.
func (q *queue) mayStall(list []*entry) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range list {
		e.stalls++
	}
	return !slices.ContainsFunc(list, func(e *entry) bool { return e.stalls > maxStalled })
}
