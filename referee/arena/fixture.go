// Package arena plays matches: it seats players, has a conductor lead them, and
// makes the record of each. A Runner plays many matches concurrently, each with
// its own processor. The package knows only what protocols says about all
// games, and nothing of tournaments or scores.
package arena

import (
	"umpire/referee/record"
)

// Fixture is one match to be played. It is plain data, and can be sent to
// another machine.
type Fixture struct {
	Game       string        `json:"game"`
	Case       record.Case   `json:"case"`
	Seats      []Seat        `json:"seats"`     // seat 1 first
	Limits     record.Limits `json:"limits"`    // including the pondering policy
	Isolation  string        `json:"isolation"` // level; "" means the runner's
	Repetition int           `json:"repetition"`
}

// Seat is the player for a seat.
type Seat struct {
	Bot    string `json:"bot"`    // name in the record
	Digest string `json:"digest"` // by which a runner finds the player
	House  bool   `json:"house"`  // a built-in bot that takes a free seat
	// Kind is remote or human for a player from outside, and Guest the name by
	// which it is known.
	Kind  string `json:"kind,omitempty"`
	Guest string `json:"guest,omitempty"`
}

// Record returns the record of the match as known before it is played,
// including its id.
func (f Fixture) Record() record.Record {
	r := record.Record{
		V: record.Version, Game: f.Game, Isolation: f.Isolation, Repetition: f.Repetition, Case: f.Case, Limits: f.Limits,
		Seats: make([]record.Seat, len(f.Seats)),
	}
	for i, s := range f.Seats {
		r.Seats[i] = record.Seat{Bot: s.Bot, Digest: s.Digest, House: s.House, Kind: s.Kind}
	}
	r.ID = r.Identity()
	return r
}
