package remote

import (
	"context"
	"errors"

	"umpire/protocols"
	"umpire/referee"
)

// eventLog holds what has happened in a match, for its onlookers. It is guarded
// by the Hub's lock.
type eventLog struct {
	events  []referee.Event
	left    [][]int64 // after each event: what is left of the seats' budgets, in milliseconds
	changed chan struct{}
}

func (l *eventLog) add(e referee.Event, left []int64) {
	l.events, l.left = append(l.events, e), append(l.left, left)
	l.wake()
}

func (l *eventLog) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Moment is a position of a match, and the event that led to it.
type Moment struct {
	Step     int            // from 0, the start
	Seat     int            // seat whose reply, failure or move led to it; 0 at the start
	Event    *referee.Event // nil at the start, and for a move made without a reply
	Position protocols.Position
	LeftMS   []int64 // of the seats' budgets, in milliseconds; -1: no limit, or not known
}

// errCut ends an onlooker's replay of a match that was cut off.
var errCut = errors.New("the match was cut off")

// Follow calls see with each moment of the match from its start on, as it goes,
// until the match is over, see returns an error, or ctx ends. It replays the
// match for this onlooker alone: neither players nor other onlookers wait.
func (t *Table) Follow(ctx context.Context, game protocols.Game, see func(Moment) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, err := game.Parse(t.fixture.Case.Text)
	if err != nil {
		return err
	}
	setup := referee.Setup{Game: game, Case: c, Seats: len(t.seats), Limits: t.limits}
	lines := setup.Lines(nil)
	f := &follower{table: t, see: see, cancel: cancel, next: make([]int, len(t.seats))}
	f.show(Moment{Position: lines.Match})
	seats := make([]referee.Contestant, len(t.seats))
	for i := range seats {
		seats[i] = followedSeat{f, i + 1}
	}
	_, err = lines.Conduct(ctx, seats, setup.Limits, referee.Watcher{
		Event: func(e referee.Event, _ *protocols.Foul, m protocols.Match) {
			f.show(Moment{Seat: e.Seat, Event: &e, Position: m})
		},
		AutoMove: func(seat int, at protocols.Position) { f.show(Moment{Seat: seat, Position: at}) },
	})
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errCut) {
		return cause
	}
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	return t.waitEnd(ctx)
}

// waitEnd waits until the players have been told how the match ended.
func (t *Table) waitEnd(ctx context.Context) error {
	for {
		t.hub.mu.Lock()
		ended, changed := t.ended(), t.log.changed
		t.hub.mu.Unlock()
		if ended {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// follower is an onlooker's replay.
type follower struct {
	table  *Table
	see    func(Moment) error
	cancel context.CancelCauseFunc
	step   int
	events int   // shown so far
	next   []int // by seat: index of the event after the last that was replayed
}

func (f *follower) show(m Moment) {
	m.Step = f.step
	f.step++
	if m.Event != nil {
		f.events++
	}
	m.LeftMS = f.table.leftAfter(f.events)
	if err := f.see(m); err != nil {
		f.cancel(err)
	}
}

// leftAfter returns what was left of the seats' budgets after some events.
func (t *Table) leftAfter(events int) []int64 {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	if events == 0 || events > len(t.log.left) {
		list := make([]int64, len(t.seen))
		for i, s := range t.fixture.Seats {
			list[i] = t.budget().left(s.Kind, 0)
		}
		return list
	}
	return t.log.left[events-1]
}

// followedSeat replays the events of one seat.
type followedSeat struct {
	*follower
	number int
}

func (followedSeat) Send(string)         {}
func (followedSeat) CloseInput()         {}
func (followedSeat) Stop() referee.Usage { return referee.Usage{} }

// Receive waits for the seat's next event.
func (s followedSeat) Receive(ctx context.Context, _ referee.Ask) (referee.Reply, error) {
	for {
		e, changed, err := s.look()
		switch {
		case err != nil:
			return referee.Reply{}, err
		case e != nil && e.Fail != nil:
			return referee.Reply{}, e.Fail
		case e != nil:
			return referee.Reply{Text: e.Reply, Wall: e.Wall}, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return referee.Reply{}, ctx.Err()
		}
	}
}

// look returns the seat's next event; nil if there is none yet.
func (s followedSeat) look() (*referee.Event, <-chan struct{}, error) {
	t := s.table
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	at := &s.next[s.number-1]
	for ; *at < len(t.log.events); *at++ {
		if t.log.events[*at].Seat == s.number {
			e := t.log.events[*at]
			*at++
			return &e, nil, nil
		}
	}
	if t.ended() {
		return nil, nil, errCut
	}
	return nil, t.log.changed, nil
}
