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
	v := &referee.VoidError{Cause: referee.CauseMemory, Seat: seat, Err: fmt.Errorf("seat %d: %w", seat, err)}
	if errors.Is(err, sandbox.ErrHelperKilled) {
		v.Cause, v.Kind, v.Err = referee.CauseHelper, protocols.KindCrash, err
	}
	return v
}
