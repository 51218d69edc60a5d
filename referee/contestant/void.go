package contestant

import (
	"errors"
	"fmt"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// void is the error of a program in seat that did not end by itself. Whoever
// kills a helper, it is neither umpire nor an opponent, who cannot reach it: a
// second time it is the contestant's loss, as if it had ended by itself. The
// machine's memory may have been taken by anybody.
func void(seat int, err error) *referee.VoidError {
	if !errors.Is(err, sandbox.ErrHelperKilled) {
		return &referee.VoidError{Err: fmt.Errorf("seat %d: %w", seat, err)}
	}
	return &referee.VoidError{Seat: seat, Kind: protocols.KindCrash, Err: err}
}
