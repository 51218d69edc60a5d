package contestant

import (
	"errors"
	"fmt"

	"umpire/protocols"
	"umpire/referee/contestant/sandbox"
)

// Void is the error of a match that says nothing about its contestants, since
// it was neither their play nor umpire's own failure that ended it. Such a match
// is played again, once.
type Void struct {
	// Seat is the seat that loses if it happens again, 1-based, and Kind its
	// verdict then; 0 where it is not known who could have brought it about.
	Seat int
	Kind protocols.Kind
	Err  error
}

func (v *Void) Error() string { return "void: " + v.Err.Error() }
func (v *Void) Unwrap() error { return v.Err }

// Failure is the failure of v.Seat in a match that was void before.
func (v *Void) Failure(before *Void) *protocols.Failure {
	if before.Seat == v.Seat && before.Kind == v.Kind {
		return fail(v.Kind, "%v; so it was the first time this match was played", v.Err)
	}
	return fail(v.Kind, "%v; and the match was void before: %v", v.Err, before.Err)
}

// void is the error of a program in seat that did not end by itself. Whoever
// kills a helper, it is neither umpire nor an opponent, who cannot reach it: a
// second time it is the contestant's loss, as if it had ended by itself. The
// machine's memory may have been taken by anybody.
func void(seat int, err error) *Void {
	if !errors.Is(err, sandbox.ErrHelperKilled) {
		return &Void{Err: fmt.Errorf("seat %d: %w", seat, err)}
	}
	return &Void{Seat: seat, Kind: protocols.KindCrash, Err: err}
}
