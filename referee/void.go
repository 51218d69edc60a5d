package referee

import (
	"errors"
	"fmt"

	"umpire/protocols"
)

// VoidError is the error of a match that says nothing about its contestants,
// since neither their play nor a failure of umpire's own ended it. A void match
// is played again, once.
type VoidError struct {
	// Seat is the seat that loses if it happens again, 1-based, and Kind its
	// verdict then; 0 where it is not known which seat could have caused it.
	Seat int
	Kind protocols.Kind
	Err  error
}

func (v *VoidError) Error() string { return "void: " + v.Err.Error() }

func (v *VoidError) Unwrap() error { return v.Err }

// Failure returns the failure of v.Seat in a match that was void before.
func (v *VoidError) Failure(before *VoidError) *protocols.Failure {
	detail := fmt.Sprintf("%v; the same happened when this match was first played", v.Err)
	if before.Seat != v.Seat || before.Kind != v.Kind {
		detail = fmt.Sprintf("%v; and the match was void before: %v", v.Err, before.Err)
	}
	return &protocols.Failure{Kind: v.Kind, Detail: detail}
}

// IsVoid reports whether err is that of a void match, which may be played
// again.
func IsVoid(err error) bool {
	var void *VoidError
	return errors.As(err, &void)
}

// ruled returns err, as seat n's, unless a seat that should have been stopped
// has made the match void. If the match was void before and is void again
// because of n, it returns the seat's failure.
func (d *driver) ruled(n int, reply Reply, err error) error {
	if failure, ok := err.(*protocols.Failure); ok {
		if seat := d.culprit(n, reply, failure); seat > 0 {
			return d.escape(seat)
		}
		return err
	}
	if d.before == nil {
		return err
	}
	if void, ok := errors.AsType[*VoidError](err); ok && void.Seat == n {
		return void.Failure(d.before)
	}
	return err
}

// culprit returns the stopped seat that computed all the same and so made seat
// n late, which would have been in time had it not waited for a CPU; 0 if there
// is no such seat.
func (d *driver) culprit(n int, reply Reply, failure *protocols.Failure) int {
	late := reply.Wall - reply.Excused - max(0, d.allowance(&d.seats[n-1]))
	if d.limits.CPU || failure.Kind != protocols.KindTime || late <= 0 || reply.Wait < late {
		return 0
	}
	for i := range d.seats { // not by value: others that are asked concurrently change theirs
		if d.seats[i].escaped && d.seats[i].convicted == nil {
			return i + 1
		}
	}
	return 0
}

// escape returns the error of a match in which a seat has computed although it
// was stopped.
func (d *driver) escape(seat int) *VoidError {
	return &VoidError{
		Seat: seat, Kind: protocols.KindTime,
		Err: fmt.Errorf("seat %d was stopped and computed all the same, while another was to reply", seat),
	}
}
