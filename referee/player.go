package referee

import (
	"context"

	"umpire/protocols"
)

// Player can take a seat, any number of times and in several matches at once: a
// program on this machine, a remote program, or a person.
type Player interface {
	Identity() Identity
	// Sit takes a seat of a match that is about to begin. The contestant is the
	// caller's to stop. An error is umpire's: a player that can sit down and
	// plays badly, or not at all, is a contestant that fails when it is asked.
	Sit(ctx context.Context, seating Seating) (Contestant, error)
}

// Identity is who plays.
type Identity struct {
	Name   string // in tables and records; unique among the players of a run
	Label  string // how the user named it, for commands that play a match again
	Digest string // of everything that decides how it plays
}

// Seating is the seat that a player takes.
type Seating struct {
	Game   string // its name
	Seat   int    // from 1
	Seats  int    // of the match
	Limits protocols.Limits
}
