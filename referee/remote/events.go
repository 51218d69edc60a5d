package remote

import (
	"cmp"
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
	awaited []instant // when seats were asked, each time that some were
	changed Change
}

// instant is a time, and for how long umpire had not run by then.
type instant struct {
	time.Time
	stalled time.Duration
}

// instant returns what time it is.
func (h *Hub) instant() instant {
	now := instant{Time: time.Now()}
	if h.config.Stalls != nil {
		now.stalled = h.config.Stalls.Look()
	}
	return now
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
	Took  func() time.Duration // how much time has passed since then in which umpire ran
	Left  time.Duration        // of the seat's budget when it was asked; negative: no limit
	Free  time.Duration        // what the reply may take without being charged for
	Idle  time.Duration        // what it may take without a budget; 0: no limit, or there is a budget
	Of    time.Duration        // what Left is the rest of: the time for all replies, or for each where that ends first; or Idle
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
	c, err := game.Parse(t.fixture.Case.Text)
	if err != nil {
		return err
	}
	setup := referee.Setup{Game: game, Case: c, Seats: len(t.seats), Limits: t.limits}
	lines := setup.Lines()
	if t.fixture.Package != nil {
		if lines.Match, err = t.followed(ctx); lines.Match == nil {
			return err
		}
	}
	f := &follower{table: t, narrator: narrator{Onlooker: o, budget: BudgetOf(t.fixture.Limits), charged: t.chargedFor}}
	f.hidden = t.fixture.Package != nil && t.fixture.Package.Facts.Hidden
	seats := make([]referee.Contestant, len(t.seats))
	for i, s := range t.fixture.Seats {
		f.seats = append(f.seats, narratedSeat{kind: s.Kind})
		seats[i] = &followedSeat{follower: f, number: i + 1}
	}
	f.tell(Moment{Position: lines.Match})
	watch := f.watcher()
	watch.Awaited = func(seats []int, _ protocols.Match) { f.awaits(ctx, seats) }
	_, err = lines.Conduct(ctx, seats, setup.Limits, watch)
	if cause := cmp.Or(f.err, context.Cause(ctx)); cause != nil {
		return cause
	}
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	return t.hub.until(ctx, &t.log.changed, t.ended)
}

// chargedFor returns what the n-th event of the match, from 0, was charged.
func (t *Table) chargedFor(n int, _ referee.Event) time.Duration {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	return t.log.events[n].Charged
}

// followed waits until a match whose rules are a judge's has begun, and returns it from its
// start on; nil if it ended before.
func (t *Table) followed(ctx context.Context) (protocols.Match, error) {
	type followable interface{ Follower() protocols.Match }
	var m protocols.Match
	err := t.hub.until(ctx, &t.log.changed, func() bool {
		m = t.match
		_, ok := m.(followable)
		return ok && len(t.log.awaited) > 0 || t.ended()
	})
	live, ok := m.(followable)
	if err != nil || !ok {
		return nil, err
	}
	return live.Follower(), nil
}

// follower is an onlooker's replay of a match that may go on.
type follower struct {
	narrator
	table *Table
	asked int // how often seats were asked so far
}

// awaits tells the onlooker that the replay awaits seats, unless they have
// answered already. The match itself may not have come so far: before its start
// the replay is ahead of it.
func (f *follower) awaits(ctx context.Context, seats []int) {
	n := f.asked
	f.asked++
	if f.Owed == nil || f.err != nil {
		return
	}
	awaited := f.table.awaited()
	if n >= len(awaited) {
		f.Owed(nil)
		t := f.table
		_ = t.hub.until(ctx, &t.log.changed, func() bool { return n < len(t.log.awaited) || t.ended() }) // or ctx has ended
		awaited = t.awaited()
	}
	if n == len(awaited)-1 {
		f.Owed(f.owed(seats, awaited[n]))
	}
}

// awaited returns when seats were asked, each time that some were.
func (t *Table) awaited() []instant {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	return t.log.awaited
}

// owed describes the replies that seats owe since a time.
func (f *follower) owed(seats []int, since instant) []Owed {
	t := f.table
	took := func() time.Duration {
		now := t.hub.instant()
		return max(0, now.Sub(since.Time)-(now.stalled-since.stalled))
	}
	left := f.leftMS()
	list := make([]Owed, len(seats))
	for i, n := range seats {
		o := Owed{Seat: n, Since: since.Time, Took: took, Left: -1}
		guest := t.fixture.Seats[n-1].Kind != ""
		if left[n-1] < 0 {
			if guest {
				o.Idle = t.hub.config.Idle
			}
			o.Of = o.Idle
		} else {
			o.Left, o.Of = time.Duration(left[n-1])*time.Millisecond, t.limits.Time
			if o.Left == t.limits.PerMove {
				o.Of = o.Left
			}
			if guest {
				o.Free = t.grace()
			}
			if f.seats[n-1].events == 0 {
				o.Free += t.limits.Startup
			}
		}
		list[i] = o
	}
	return list
}

// followedSeat replays the events of one seat.
type followedSeat struct {
	*follower
	number int
	next   int // index of the event after the last that was replayed
}

func (*followedSeat) Send(string)         {}
func (*followedSeat) CloseInput()         {}
func (*followedSeat) Stop() referee.Usage { return referee.Usage{} }

// Receive waits for the seat's next event.
func (s *followedSeat) Receive(ctx context.Context, _ referee.Ask) (referee.Reply, error) {
	if err := cmp.Or(s.err, ctx.Err()); err != nil {
		return referee.Reply{}, err
	}
	t := s.table
	var next *referee.Event
	err := t.hub.until(ctx, &t.log.changed, func() bool {
		for ; next == nil && s.next < len(t.log.events); s.next++ {
			if e := t.log.events[s.next]; e.Seat == s.number {
				next = &e
			}
		}
		return next != nil || t.ended()
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
