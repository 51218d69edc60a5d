package remote

import (
	"context"
	"errors"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// eventLog holds what has happened in a match, for its onlookers. It is guarded
// by the Hub's lock.
type eventLog struct {
	events  []referee.Event
	left    [][]int64   // after each event: what is left of the seats' budgets, in milliseconds
	awaited []time.Time // when seats were asked, each time that some were
	changed Change
}

func (l *eventLog) add(e referee.Event, left []int64) {
	l.events, l.left = append(l.events, e), append(l.left, left)
	l.changed.Wake()
}

// Moment is a position of a match, and the event that led to it.
type Moment struct {
	Step     int            // from 0, the start
	Seat     int            // seat whose reply, failure or move led to it; 0 at the start
	Event    *referee.Event // nil at the start, for a move made without a reply, and in a hidden game
	Position protocols.Position
	LeftMS   []int64 // of the seats' budgets, in milliseconds; -1: no limit, or not known
}

// Owed is a reply that a seat owes.
type Owed struct {
	Seat  int
	Since time.Time
	Left  time.Duration // of the seat's budget when it was asked; negative: no limit
	Free  time.Duration // what the reply may take without being charged for
	Idle  time.Duration // what it may take without a budget; 0: no limit, or there is a budget
	Of    time.Duration // what Left is the rest of: the time for all replies, or for each where that ends first; or Idle
}

// Onlooker is told what happens in a match.
type Onlooker struct {
	// Moment is called with each moment of the match, from the start on.
	Moment func(Moment) error
	// Owed, if not nil, is called with the replies that are owed, after the
	// moments that led to them. It is called with none while it is not known
	// since when they are owed, as before the match begins.
	Owed func([]Owed)
}

// errCut ends an onlooker's replay of a match that was cut off.
var errCut = errors.New("the match was cut off")

// Follow tells an onlooker of the match from its start on, as it goes, until the
// match is over, the onlooker returns an error, or ctx ends. It replays the match
// for this onlooker alone: neither players nor other onlookers wait.
func (t *Table) Follow(ctx context.Context, game protocols.Game, o Onlooker) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, err := game.Parse(t.fixture.Case.Text)
	if err != nil {
		return err
	}
	setup := referee.Setup{Game: game, Case: c, Seats: len(t.seats), Limits: t.limits}
	lines := setup.Lines()
	if t.fixture.Package != nil {
		if lines.Match, err = t.followed(ctx); err != nil {
			return err
		}
	}
	f := &follower{table: t, Onlooker: o, cancel: cancel, next: make([]int, len(t.seats)), replies: make([]int, len(t.seats))}
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
		Awaited:  func(seats []int, _ protocols.Match) { f.awaits(ctx, seats) },
	})
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errCut) {
		return cause
	}
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	return t.hub.until(ctx, func() (done bool, changed <-chan struct{}) { return t.ended(), t.log.changed.Next() })
}

// followed waits until a match whose rules are a judge's has begun, and returns it from its
// start on.
func (t *Table) followed(ctx context.Context) (protocols.Match, error) {
	type followable interface{ Follower() protocols.Match }
	var m protocols.Match
	err := t.hub.until(ctx, func() (done bool, changed <-chan struct{}) {
		m = t.match
		_, ok := m.(followable)
		return ok && len(t.log.awaited) > 0 || t.ended(), t.log.changed.Next()
	})
	if err != nil {
		return nil, err
	}
	if live, ok := m.(followable); ok {
		return live.Follower(), nil
	}
	return nil, errCut
}

// follower is an onlooker's replay.
type follower struct {
	Onlooker
	table   *Table
	cancel  context.CancelCauseFunc
	step    int
	ended   bool  // the onlooker has returned an error
	events  int   // shown so far
	asked   int   // how often seats were asked so far
	replies []int // of each seat so far
	next    []int // by seat: index of the event after the last that was replayed
}

func (f *follower) show(m Moment) {
	m.Step = f.step
	f.step++
	if m.Event != nil {
		f.events++
		f.replies[m.Seat-1]++
	}
	m.LeftMS = f.table.leftAfter(f.events)
	if p := f.table.fixture.Package; p != nil && p.Facts.Hidden {
		m.Event = nil
	}
	if f.ended {
		return // the driver stops when it next waits for a reply
	}
	if err := f.Moment(m); err != nil {
		f.ended = true
		f.cancel(err)
	}
}

// awaits tells the onlooker that the replay awaits seats, unless they have
// answered already. The match itself may not have come so far: before its start
// the replay is ahead of it.
func (f *follower) awaits(ctx context.Context, seats []int) {
	n := f.asked
	f.asked++
	for told := false; ; told = true {
		since, answered, changed := f.table.awaitedAt(n)
		switch {
		case answered || f.Owed == nil:
			return
		case !since.IsZero():
			f.Owed(f.owed(seats, since))
			return
		case !told:
			f.Owed(nil)
		}
		if changed == nil {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// awaitedAt returns when seats were asked for the n-th time, from 0, and whether
// they were asked again since. If they have not been, it returns what to wait
// for; nil if they will not be.
func (t *Table) awaitedAt(n int) (at time.Time, answered bool, changed <-chan struct{}) {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	switch {
	case n < len(t.log.awaited):
		return t.log.awaited[n], n < len(t.log.awaited)-1, nil
	case t.ended():
		return at, false, nil
	}
	return at, false, t.log.changed.Next()
}

// owed describes the replies that seats owe since a time.
func (f *follower) owed(seats []int, since time.Time) []Owed {
	t := f.table
	left := t.leftAfter(f.events)
	list := make([]Owed, len(seats))
	for i, n := range seats {
		o := Owed{Seat: n, Since: since, Left: time.Duration(left[n-1]) * time.Millisecond}
		from := t.fixture.Seats[n-1].Kind != ""
		switch {
		case left[n-1] < 0:
			o.Left = -1
			if from {
				o.Idle = t.hub.config.Idle
				o.Of = o.Idle
			}
		case from:
			o.Free = t.grace()
		}
		if o.Left >= 0 {
			o.Of = t.limits.Time
			if o.Left == t.limits.PerMove {
				o.Of = o.Left
			}
		}
		if o.Left >= 0 && f.replies[n-1] == 0 {
			o.Free += t.limits.Startup
		}
		list[i] = o
	}
	return list
}

// leftAfter returns what was left of the seats' budgets after some events.
func (t *Table) leftAfter(events int) []int64 {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	if events == 0 || events > len(t.log.left) {
		list := make([]int64, len(t.seen))
		for i, s := range t.fixture.Seats {
			list[i] = t.budget().Left(s.Kind, 0)
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
	if err := ctx.Err(); err != nil {
		return referee.Reply{}, err
	}
	t, at := s.table, &s.next[s.number-1]
	var next *referee.Event
	err := t.hub.until(ctx, func() (done bool, changed <-chan struct{}) {
		for ; next == nil && *at < len(t.log.events); *at++ {
			if e := t.log.events[*at]; e.Seat == s.number {
				next = &e
			}
		}
		return next != nil || t.ended(), t.log.changed.Next()
	})
	switch {
	case err != nil:
		return referee.Reply{}, err
	case next == nil:
		return referee.Reply{}, errCut
	case next.Fail != nil:
		return referee.Reply{}, next.Fail
	}
	return referee.Reply{Text: next.Reply, Wall: next.Wall}, nil
}
