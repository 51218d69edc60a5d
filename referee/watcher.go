package referee

import "umpire/protocols"

// Watcher follows a match as it goes. Any of its functions may be nil.
type Watcher struct {
	Sent func(seat int, text string)
	// Awaited is called before seats are asked for a reply, with those that owe
	// one; it may look at the match, and must not change it.
	Awaited func(seats []int, m protocols.Match)
	// Event is called when an event has been applied; foul is set if the reply
	// was a foul.
	Event func(e Event, foul *protocols.Foul, m protocols.Match)
	// AutoMove is called for each move that the game made without a reply, with
	// the seat whose move it was and the position it led to.
	AutoMove func(seat int, at protocols.Position)
}

// With returns a Watcher that calls the functions of both.
func (w Watcher) With(other Watcher) Watcher {
	if first, second := w.Sent, other.Sent; first == nil {
		w.Sent = second
	} else if second != nil {
		w.Sent = func(seat int, text string) { first(seat, text); second(seat, text) }
	}
	if first, second := w.Awaited, other.Awaited; first == nil {
		w.Awaited = second
	} else if second != nil {
		w.Awaited = func(seats []int, m protocols.Match) { first(seats, m); second(seats, m) }
	}
	if first, second := w.Event, other.Event; first == nil {
		w.Event = second
	} else if second != nil {
		w.Event = func(e Event, foul *protocols.Foul, m protocols.Match) { first(e, foul, m); second(e, foul, m) }
	}
	if first, second := w.AutoMove, other.AutoMove; first == nil {
		w.AutoMove = second
	} else if second != nil {
		w.AutoMove = func(seat int, at protocols.Position) { first(seat, at); second(seat, at) }
	}
	return w
}
