package fleet

import (
	"umpire/referee/fleet/status"
	"umpire/referee/report"
)

// returned puts a job into the queue another time that a worker gave back.
func (q *queue) returned(job string, from giver, why string) {
	q.crew.count(func(c *status.Counts) { c.Returned++ })
	list := q.left(job)
	q.crew.returned(from)
	if len(list) == 0 {
		return
	}
	if !q.isDraining() {
		q.Note("umpire: worker %s gives %s back: %s\n", from.Name, report.Plural(len(list), "match"), tidy(why, maxWhy))
	}
	_ = q.republish(list...)
}
