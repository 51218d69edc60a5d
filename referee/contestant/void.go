package contestant

import (
	"errors"
	"fmt"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// void returns the error of a program in seat that was ended from outside. A
// helper process is killed neither by umpire nor by an opponent, which can't
// reach it: the second time, the contestant loses as if it had ended by itself.
// The machine's memory may have been used up by anything.
func void(seat int, err error) *referee.VoidError {
	if !errors.Is(err, sandbox.ErrHelperKilled) {
		return &referee.VoidError{Err: fmt.Errorf("seat %d: %w", seat, err)}
	}
	return &referee.VoidError{Seat: seat, Kind: protocols.KindCrash, Err: err}
}
