package referee

import (
	"errors"
	"fmt"
	"slices"

	"umpire/protocols"
	"umpire/referee/contestant"
)

// Void is why the match whose error is err is void, and may be played again; ok
// is false if it is not void.
func Void(err error) (void *contestant.Void, ok bool) {
	ok = errors.As(err, &void)
	return void, ok
}

// ruled is err, as that of seat n, unless the match is void; or was void before
// and is so again because of n: then it is the seat's failure.
func (d *driver) ruled(n int, reply contestant.Reply, err error) error {
	if failure, ok := err.(*protocols.Failure); ok {
		if seat := d.culprit(n, reply, failure); seat > 0 {
			return d.escape(seat)
		}
		return err
	}
	var void *contestant.Void
	if d.before != nil && errors.As(err, &void) && void.Seat == n {
		return void.Failure(d.before)
	}
	return err
}

// culprit is the seat that was to stand still and has computed, because of which
// seat n is late: it would not be, had it not waited for a CPU. 0: there is none.
func (d *driver) culprit(n int, reply contestant.Reply, failure *protocols.Failure) int {
	late := reply.Wall - reply.Excused - max(0, d.allowance(&d.seats[n-1]))
	if !d.loose || d.limits.CPU || failure.Kind != protocols.KindTime || late <= 0 || reply.Wait < late {
		return 0
	}
	return 1 + slices.IndexFunc(d.seats, func(s seat) bool { return s.escaped })
}

// escape is the error of a match in which a seat has computed although it was
// stopped.
func (d *driver) escape(seat int) *contestant.Void {
	return &contestant.Void{
		Seat: seat, Kind: protocols.KindTime,
		Err: fmt.Errorf("seat %d was stopped and computed all the same, while another was to reply", seat),
	}
}
