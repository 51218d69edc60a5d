package referee

import (
	"errors"

	"umpire/referee/contestant"
)

// Void reports whether err is that of a match that is void, and may be played
// again.
func Void(err error) bool {
	var void *contestant.Void
	return errors.As(err, &void)
}

// ruled is err, as that of seat n, unless the match was void before and is so
// again because of n: then it is the seat's failure.
func (d *driver) ruled(n int, err error) error {
	var void *contestant.Void
	if d.final && errors.As(err, &void) && void.Seat == n {
		return void.Failure()
	}
	return err
}
