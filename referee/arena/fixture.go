// Package arena plays matches: it seats players, has a conductor lead them, and
// makes the record of each. A Runner plays many, at once and with a processor
// for each. It knows of a game only what protocols says of all of them, and
// nothing of tournaments or scores.
package arena

import (
	"umpire/referee/record"
)

// Fixture is one match that is to be played. It is plain data, and can travel to
// another machine.
type Fixture struct {
	Game       string        `json:"game"`
	Case       record.Case   `json:"case"`
	Seats      []Seat        `json:"seats"`     // seat 1 first
	Limits     record.Limits `json:"limits"`    // and what becomes of pondering
	Isolation  string        `json:"isolation"` // level; "" is the runner's
	Repetition int           `json:"repetition"`
}

// Seat is who is to sit in a seat.
type Seat struct {
	Bot    string `json:"bot"`    // its name in the record
	Digest string `json:"digest"` // by which a runner finds the player
	House  bool   `json:"house"`  // a built-in bot that takes a free seat
}

// Record is the record of the match before it is played: its id among others.
func (f Fixture) Record() record.Record {
	r := record.Record{
		V: record.Version, Game: f.Game, Isolation: f.Isolation, Repetition: f.Repetition, Case: f.Case, Limits: f.Limits,
		Seats: make([]record.Seat, len(f.Seats)),
	}
	for i, s := range f.Seats {
		r.Seats[i] = record.Seat{Bot: s.Bot, Digest: s.Digest, House: s.House}
	}
	r.ID = r.Identity()
	return r
}
