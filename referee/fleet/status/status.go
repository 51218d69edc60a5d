// Package status is the state of a run that workers play: who plays, how fast and
// how far it is. It does not know how that is found out, sent or shown.
package status

import (
	"fmt"
	"time"
)

// Fleet is the state of the workers that play a run's matches, and how far the
// run is.
type Fleet struct {
	V        int    `json:"v"`        // version of this form, 1
	Run      string `json:"run"`      // name of the run
	Umpire   string `json:"umpire"`   // version, which the workers have as well
	Draining bool   `json:"draining"` // matches in progress finish, and no more begin
	UpUS     int64  `json:"up_us"`    // time since the coordinator began

	Done   int     `json:"done"`    // matches with a record, those of an earlier run among them
	Total  int     `json:"total"`   // matches of the command, or of its rounds so far; 0: not known yet
	Rate   float64 `json:"rate"`    // matches a second, lately
	LeftUS int64   `json:"left_us"` // time that the rest takes at this rate; 0: not known

	Counts
	Workers []Worker `json:"workers"` // first those that are there, by their joining
}

// Counts counts events since the coordinator began.
type Counts struct {
	Records    int64 `json:"records"`    // records that workers have given
	Errors     int64 `json:"errors"`     // those of matches that could not be played
	Duplicates int64 `json:"duplicates"` // second results of a match, which were refused
	Returned   int64 `json:"returned"`   // jobs that workers gave back
	Seconds    int64 `json:"seconds"`    // jobs given to a second worker, as they were held up
	Failed     int64 `json:"failed"`     // jobs that no worker finished
	Refused    int64 `json:"refused"`    // workers that were refused
	Silent     int64 `json:"silent"`     // workers that fell silent
}

// States of a worker.
const (
	Plays   = "playing"
	Waits   = "waiting" // for matches
	Pauses  = "paused"
	Left    = "left"
	Silent  = "silent" // not heard of for a time: killed, stopped or cut off
	Refused = "refused"
)

// Worker is one of the workers of a Fleet.
type Worker struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"` // of its key, or of its machine
	Key       bool    `json:"key"`  // it has a key of its own, or is a user of the NATS server
	State     string  `json:"state"`
	Why       string  `json:"why"` // it is in this state, or what speaks against it; "" if nothing is to be said
	Umpire    string  `json:"umpire"`
	Isolation string  `json:"isolation"`
	CPU       string  `json:"cpu"`             // model
	Scale     float64 `json:"scale,omitempty"` // of its budgets; 0: workers are not measured, or this one not yet
	Slots     int     `json:"slots"`           // matches it can play concurrently
	Busy      int     `json:"busy"`            // of these, those that play
	Matches   int64   `json:"matches"`         // whose records it has given
	Rate      float64 `json:"rate"`            // matches a second, lately
	JoinedUS  int64   `json:"joined_us"`       // time since it joined
	HeardUS   int64   `json:"heard_us"`        // time since its last word
}

// There reports whether the worker takes part.
func (w Worker) There() bool {
	return w.State == Plays || w.State == Waits || w.State == Pauses
}

// LastWord is the time since the worker was heard of, in words.
func (w Worker) LastWord() string {
	d := time.Duration(w.HeardUS) * time.Microsecond
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s ago", d.Seconds())
	}
	return d.Round(time.Second).String() + " ago"
}

// Pace is a rate, in words; "" if there is none.
func Pace(rate float64) string {
	switch {
	case rate <= 0:
		return ""
	case rate < 1:
		return fmt.Sprintf("%.2f/s", rate)
	}
	return fmt.Sprintf("%.1f/s", rate)
}
