package referee

import (
	"context"

	"umpire/protocols"
)

// Player can take a seat, any number of times and in several matches
// concurrently: a program on this machine, a remote program, or a person.
type Player interface {
	Identity() Identity
	// Sit takes a seat of a match that is about to begin. The caller must stop
	// the contestant. An error is umpire's: a player that takes its seat but
	// plays badly, or not at all, yields a contestant that fails when it is
	// asked.
	Sit(ctx context.Context, seating Seating) (Contestant, error)
}

// Identity identifies a player.
type Identity struct {
	Name   string // shown in tables and records; unique among the players of a run
	Label  string // how the user named it, for commands that play a match again
	Digest string // digest of everything that determines how it plays
	// Kind is remote or human for a player from outside, "" for a program that
	// umpire runs; Guest is the name by which a player from outside is known.
	Kind, Guest string
}

// Seating is the seat that a player takes.
type Seating struct {
	// Record is the full name of the match, as its record has it; "" if it has none. It
	// is made from the case, among others, so that no contestant may see it.
	Record  string
	Game    string                    // name of the game
	Seat    int                       // number of the seat, from 1
	Seats   int                       // number of seats in the match
	Choices func() []protocols.Choice // what the seat may reply now; nil: unknown
	Match   string                    // id of the match, by which a player from outside finds its seat; "" if none takes part
	Limits  protocols.Limits
	Given   Given
}

// Given is what a program is given in a match beyond what is written to its input.
type Given struct {
	Args   []string // after its own arguments
	Folder string   // its working folder, absolute; "": its own
	Pipes  []string // FIFOs that it may open
}
