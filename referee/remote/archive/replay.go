package archive

import (
	"errors"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/remote"
)

// Replay tells an onlooker of a finished match from its record, if there is one with the id.
func (a *Archive) Replay(id string, g protocols.Game, o remote.Onlooker) error {
	r, ok, err := a.Record(id)
	if err != nil || !ok {
		return err
	}
	setup, events, err := r.Setup([]protocols.Game{g})
	if err != nil {
		return err
	}
	var failed error
	step, charged := 0, make([]time.Duration, len(r.Seats))
	show := func(m remote.Moment) {
		m.Step = step
		step++
		if m.Event != nil {
			charged[m.Seat-1] += m.Event.Charged
		}
		m.LeftMS = leftIn(r, charged)
		if failed == nil {
			failed = o.Moment(m)
		}
	}
	show(remote.Moment{Position: setup.Case.Start(setup.Seats)})
	_, err = setup.Replay(events, referee.Watcher{
		Event: func(e referee.Event, _ *protocols.Foul, m protocols.Match) {
			show(remote.Moment{Seat: e.Seat, Event: &e, Position: m})
		},
		AutoMove: func(seat int, at protocols.Position) { show(remote.Moment{Seat: seat, Position: at}) },
	})
	return errors.Join(failed, err)
}
