package contestant

import (
	"errors"

	"umpire/referee/contestant/sandbox"
)

// Void is the error of a match that says nothing about its contestants, since
// it was neither their play nor umpire's own failure that ended it. Such a match
// is played again, once.
type Void struct {
	// Seat is the seat that loses if it happens again, 1-based; 0 where it is
	// not known who could have brought it about.
	Seat int
	Err  error
}

func (v *Void) Error() string { return "void: " + v.Err.Error() }
func (v *Void) Unwrap() error { return v.Err }

// void is the error of a program in seat that did not end by itself. A helper
// is killed by nobody but its own contestant or a stranger to the match, so a
// second time it is the contestant's loss; the machine's memory may have been
// taken by anybody.
func void(seat int, err error) *Void {
	if !errors.Is(err, sandbox.ErrHelperKilled) {
		seat = 0
	}
	return &Void{Seat: seat, Err: err}
}
