package referee

import (
	"errors"
	"fmt"
	"time"

	"umpire/protocols"
)

// Cause is why a match was void.
type Cause string

const (
	CauseStall   Cause = "stall"   // umpire did not run for a time, and a seat lost by it
	CauseMachine Cause = "machine" // a seat was late only since it, or umpire, waited for a CPU
	CauseMemory  Cause = "memory"  // the machine ran out of memory
	CauseHelper  Cause = "helper"  // a helper process of umpire's was killed
	CauseFreeze  Cause = "freeze"  // a seat computed although it was stopped, and made another late
)

// Causes are all of them.
var Causes = []Cause{CauseStall, CauseMachine, CauseMemory, CauseHelper, CauseFreeze}

// VoidError is the error of a match that says nothing about its contestants,
// since neither their play nor a failure of umpire's own ended it. A void match
// is played again.
type VoidError struct {
	Cause Cause
	// Seat is the seat that the match was void for, 1-based, or 0: with
	// CauseHelper and CauseFreeze the one that may have caused it, with
	// CauseStall and CauseMachine the one that would have lost, with CauseMemory and a
	// Kind the one that was found to hold more than its limit.
	Seat int
	Kind protocols.Kind // verdict of a seat that causes it twice
	Err  error
	// Failure, if not nil, is how the match goes on if it counts all the same.
	Failure *protocols.Failure
}

func (v *VoidError) Error() string { return "void: " + v.Err.Error() }

func (v *VoidError) Unwrap() error { return v.Err }

// MaxPlays is how often a match is played at most, whatever makes it void.
const MaxPlays = 3

// Ruling is what becomes of a match that is void.
type Ruling int

const (
	PlayAgain   Ruling = iota
	SeatLoses          // VoidError.Seat has failed: it caused a void before
	ResultHolds        // the match goes on with VoidError.Failure
	CannotPlay         // it is umpire's own error: there is no result that could count
)

// Rule decides what becomes of a match that is void for v after the voids before
// it, the oldest first. Nothing else decides that.
func (v *VoidError) Rule(before []*VoidError) Ruling {
	switch {
	case v.earlier(before) != nil:
		return SeatLoses
	case len(before) < MaxPlays-1:
		return PlayAgain
	case v.Failure != nil:
		return ResultHolds
	}
	return CannotPlay
}

// earlier returns the earlier void that the same seat caused.
func (v *VoidError) earlier(before []*VoidError) *VoidError {
	for _, b := range before {
		if v.isCaused() && b.isCaused() && b.Seat == v.Seat {
			return b
		}
	}
	return nil
}

// isCaused reports whether the seat may have caused the void.
func (v *VoidError) isCaused() bool {
	return v.Seat > 0 && (v.Cause == CauseHelper || v.Cause == CauseFreeze)
}

// failure returns the failure by which the match goes on, or v if it does not.
func (v *VoidError) failure(before []*VoidError) error {
	switch v.Rule(before) {
	case SeatLoses:
		detail := fmt.Sprintf("%v; the same happened when this match was first played", v.Err)
		if b := v.earlier(before); b != before[0] || b.Kind != v.Kind {
			detail = fmt.Sprintf("%v; and the match was void for this seat before: %v", v.Err, b.Err)
		}
		return &protocols.Failure{Kind: v.Kind, Detail: detail}
	case ResultHolds:
		detail := fmt.Sprintf("%s; this counts, since the match was void %d times before", v.Failure.Detail, len(before))
		return &protocols.Failure{Kind: v.Failure.Kind, Detail: detail}
	}
	return v
}

// IsVoid reports whether err is that of a void match, which may be played
// again.
func IsVoid(err error) bool {
	var void *VoidError
	return errors.As(err, &void)
}

// ruled returns err, unless it makes the match void and the match goes on all the
// same: then it is the failure of the seat that was asked.
func (d *driver) ruled(err error) error {
	void, ok := errors.AsType[*VoidError](err)
	if !ok {
		return err
	}
	if void.Cause == CauseMachine {
		for i := range d.seats { // not by value: others that are asked concurrently change theirs
			if d.seats[i].escaped && d.seats[i].convicted == nil {
				late := void.Failure
				void = d.escape(i + 1)
				void.Failure = late
				break
			}
		}
	}
	return void.failure(d.before)
}

// escape returns the error of a match in which a seat has computed although it
// was stopped.
func (d *driver) escape(seat int) *VoidError {
	return &VoidError{
		Cause: CauseFreeze, Seat: seat, Kind: protocols.KindTime,
		Err: fmt.Errorf("seat %d was stopped and computed all the same, while another was to reply", seat),
	}
}

// Stalls knows for how long umpire itself has not run: it was stopped, or its
// machine slept.
type Stalls interface {
	// Total is the sum of all stalls seen so far. It costs next to nothing.
	Total() time.Duration
	// Look looks at the clocks before it returns the sum.
	Look() time.Duration
	// Held reports whether umpire is about to stop: who leads a match then stops its
	// contestants until AwaitRelease returns.
	Held() bool
	AwaitRelease()
}
