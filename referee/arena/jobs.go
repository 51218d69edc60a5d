package arena

import (
	"umpire/protocols"
)

// Oversubscribed tells whether wall budgets are too small for so many jobs: a
// bot shares its CPU then, and its clock runs on while others have it. Thinkers
// are the contestants of a match that may think at the same time.
func Oversubscribed(l protocols.Limits, jobs, thinkers, cpus int) bool {
	if l.CPU || cpus == 0 || jobs*thinkers <= cpus {
		return false
	}
	// Contestants on the same CPU wait for each other for up to some 60 ms a
	// reply; with this much they can afford that.
	const perMove, whole = 500, 5000 // milliseconds
	return l.PerMove > 0 && l.PerMove.Milliseconds()*int64(cpus) < perMove*int64(jobs*thinkers) ||
		l.Time > 0 && l.Time.Milliseconds()*int64(cpus) < whole*int64(jobs*thinkers)
}
