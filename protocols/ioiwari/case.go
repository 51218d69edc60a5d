package ioiwari

import (
	"fmt"
	"time"

	"umpire/protocols"
)

// Bounds of the board at the start (the task's statement).
const (
	beadsAtStart = 20
	pitMinStart  = 2
	pitMaxStart  = 4
)

// Case is the board at the start of a match. It is immutable.
type Case struct{ board Board }

// parse reads a case: the beads in the pits, `p1 … p7`.
func parse(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	var b Board
	for i, beads := range r.Ints(Pits, "the beads in the pits", pitMinStart, pitMaxStart) {
		b[i] = int8(beads)
	}
	if n := b.Beads(); r.Err() == nil && n != beadsAtStart {
		r.Fail(fmt.Sprintf("%d beads", n), fmt.Sprintf("%d beads in all", beadsAtStart))
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	return Case{b}, nil
}

// String is the canonical text, `p1 … p7`.
func (c Case) String() string { return protocols.Join(c.board[:]) }

// Limits are one second for the whole match, including the start of the
// process, and 256 MiB.
func (c Case) Limits(int) protocols.Limits {
	return protocols.Limits{Time: time.Second, Memory: 256 << 20}
}

// Start begins a match of two seats.
func (c Case) Start(seats int) protocols.Match {
	protocols.CheckSeats("ioiwari", seats, 2, 2)
	return newMatch(c.board)
}
