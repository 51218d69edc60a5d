package dispatch

import (
	"slices"
	"time"

	"umpire/referee/fleet"
)

// maxHeld is how many jobs a worker may hold for each of its slots: it may be told late that
// it has let go.
const maxHeld = 8

// member is one worker.
type member struct {
	id, name, version, isolation, cpu string

	key          string // name of its key, or user of an existing server; "": it has the token
	start        string // see fleet.Hello
	host         string // from which it comes; "" if that is not known
	slots        int
	abilities    map[string]bool // keys
	own          bool            // it is the coordinator's
	joined, seen time.Time
	heard        bool // it has sent a beat: before that it may have chosen another run of the same server
	beat         fleet.Beat
	takers       map[int]*taker // the last one of each slot
	holds        map[*job]*hold // the jobs of the Run that it has
	rate         meter          // of its records
	proven       bool           // it has given a good record
	scale        float64        // of its budgets; 0: it has not been measured
	needed       measure        // while it is being measured
	strikes      int            // jobs that it did not finish since its last good record: see Dispatcher.strike
	state, why   string         // where it is if it is not there, and why; "": it is there
	dropped      string         // why it may not play any more; "" if it may
	told         time.Time      // when it was told first that it is dropped; zero: it was not
}

// isThere reports whether a worker takes part.
func (m *member) isThere() bool { return m.state == "" }

// isBarred reports whether a worker is to play nothing that others did not finish. Such jobs
// go to several workers: one of them may kill who plays it.
func (m *member) isBarred() bool {
	for j := range m.holds {
		if slices.ContainsFunc(j.list, func(e *Match) bool { return j.isOpen(e) && len(e.lostBy) > 0 }) {
			return true
		}
	}
	return !m.proven
}

// isApart reports whether two workers have different keys, and are not at one address: but
// all may be behind this machine's.
func (m *member) isApart(other *member) bool {
	return (m.key == "" || m.key != other.key) && (m.host != other.host || m.host == "" || fleet.IsLoopback(m.host))
}

// taker is a slot that waits for a job.
type taker struct {
	member *member
	reply  string // subject for the answer
	since  time.Time
	over   bool // it waits no more
	given  *job // the last one that the slot was given; nil if there is none
}
