package remote

import (
	"errors"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// narrator tells an onlooker the moments of a match that is replayed for it alone.
type narrator struct {
	Onlooker
	budget  Budget
	charged func(n int, e referee.Event) time.Duration // what an event, the n-th from 0, was charged in the match
	hidden  bool                                       // the onlooker sees no events
	seats   []narratedSeat

	steps  int   // shown so far
	events int   // likewise
	err    error // of the onlooker, which is told nothing more
}

// narratedSeat is a seat as the onlooker has seen it so far.
type narratedSeat struct {
	kind    string
	events  int
	charged time.Duration
}

// watcher tells of a replay.
func (n *narrator) watcher() referee.Watcher {
	return referee.Watcher{
		Event: func(e referee.Event, _ *protocols.Foul, m protocols.Match) {
			s := &n.seats[e.Seat-1]
			s.charged += n.charged(n.events, e)
			s.events++
			n.events++
			shown := Moment{Seat: e.Seat, Event: &e, Position: m}
			if n.hidden {
				shown.Event = nil
			}
			n.tell(shown)
		},
		AutoMove: func(seat int, at protocols.Position) { n.tell(Moment{Seat: seat, Position: at}) },
	}
}

// tell tells the onlooker the next moment.
func (n *narrator) tell(m Moment) {
	if n.err == nil {
		m.Step, m.LeftMS = n.steps, n.leftMS()
		n.steps++
		n.err = n.Moment(m)
	}
}

// leftMS returns what is left of the seats' budgets, in milliseconds.
func (n *narrator) leftMS() []int64 {
	list := make([]int64, len(n.seats))
	for i, s := range n.seats {
		list[i] = n.budget.Left(s.kind, s.charged, 0)
	}
	return list
}

// Replay tells an onlooker of a finished match from its record.
func Replay(r record.Record, g protocols.Game, o Onlooker) error {
	setup, events, err := r.Setup([]protocols.Game{g})
	if err != nil {
		return err
	}
	n := &narrator{Onlooker: o, budget: BudgetOf(r.Limits)}
	n.charged = func(i int, e referee.Event) time.Duration {
		if us := r.Events[i].ChargedUS; us != nil {
			return time.Duration(*us) * time.Microsecond
		}
		return e.Charged // that of its clock
	}
	for _, s := range r.Seats {
		n.seats = append(n.seats, narratedSeat{kind: s.Kind})
	}
	n.tell(Moment{Position: setup.Case.Start(setup.Seats)})
	_, err = setup.Replay(events, n.watcher())
	return errors.Join(n.err, err)
}
