package dispatch

import (
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/program"
	"umpire/referee/record"
)

// How many matches may be under way, at any number of workers.
const (
	MinRoom = 64
	MaxRoom = 1 << 16
)

// Schedule decides who plays what in a Run. It is a state machine: what happens is
// told to it with the time, and it adds what is to be done to its crew's decisions
// and to over. It does nothing else, and is not safe for concurrent use.
type Schedule struct {
	crew        *crew
	calibration *calibration
	queue       *queue
	assigner    *assigner
	rechecks    *rechecks
	packages    map[string]*program.Package
	version     string                     // umpire's
	silence     time.Duration              // after which what a worker holds is given to others
	late        time.Duration              // see LateAfter
	began       time.Time                  // before any match of the run began
	ready       []*Match                   // the next job
	over        []Finished                 // records to be kept
	pending     map[string][]*Match        // matches without a record, by identity
	early       map[string][]record.Record // which were stored before the coordinator began, of matches that have not been drawn; by identity
	under       int                        // matches in pending
	mean        time.Duration              // of a match, roughly; 0: unknown
	collected   uint64                     // number of the last stored record that was taken
	fed         bool                       // all fixtures have been drawn
	lackingFrom time.Time                  // since when no worker can judge any of the matches
}

// failed returns the record of a fixture that could not be played.
func failed(f arena.Fixture, version string, why error, now time.Time) record.Record {
	r := f.Record()
	r.Umpire = version
	r.Finish(referee.Result{}, why, now, 0)
	return r
}
