package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/keys"
)

// seat is a seat of a player from outside: a referee.Contestant. Everything is
// guarded by the Hub's lock.
type seat struct {
	table  *Table
	number int // from 1
	kind   string
	guest  string
	ticket string
	key    *[sha256.Size]byte // hash of its player's key when the match was opened; nil: there was none
	lost   bool               // the player did not have that key when CheckKeys looked last

	session *session // that has the seat; nil for a person, and before it is taken
	asked   bool     // it has asked for its first turn
	gone    string   // why its player will not answer any more, as a failure's detail; "": it may
	absent  bool     // its player was not there when the match began
	told    bool     // it has been told how the match ended

	lines   []string // sent since the last turn
	turns   []*turn
	charged time.Duration
	failure *protocols.Failure
	changed Change
	waiter  waiter
}

// turn is one request for a reply.
type turn struct {
	lines   []string
	whole   bool
	at      time.Time     // when it was there
	limit   time.Duration // time for the reply, of which grace is not charged; negative: no limit
	budget  bool          // limit is the budget's
	text    string
	replied bool
	failure *protocols.Failure
	wall    time.Duration // up to the reply
	stall   time.Duration // part of wall in which umpire did not run
	closed  chan struct{} // closed once there is a reply or a failure
	looks   int           // how often the seat was told of it
	board   *Board        // as drawn while it was open; guarded by the table's drawing

	stalls  referee.Stalls // nil: unknown
	stalled time.Duration  // by them, when the turn began
}

// stallUntil returns how much of the turn's time up to now umpire did not run.
func (t *turn) stallUntil(now time.Time) time.Duration {
	if t.stalls == nil {
		return 0
	}
	return min(t.stalls.Look()-t.stalled, now.Sub(t.at))
}

func (t *turn) open() bool { return !t.replied && t.failure == nil }

func newSeat(t *Table, number int) *seat {
	s := &seat{table: t, number: number, ticket: rand.Text()}
	s.kind, s.guest = t.fixture.Seats[number-1].Kind, t.fixture.Seats[number-1].Guest
	if sum, has := t.hub.config.Keys.Sum(s.owner()); has {
		s.key = &sum
	} else if s.kind == Program {
		s.gone = removed
	}
	return s
}

// owner is the name in Keys of the seat's player.
func (s *seat) owner() string {
	if s.kind == Human {
		return keys.PersonKey(s.guest)
	}
	return s.guest
}

// Why a player will not answer any more.
const (
	left    = "left the match"
	removed = "was removed by the organiser"
)

// departure is the failure of a seat whose player will not answer any more.
func (s *seat) departure() *protocols.Failure {
	why := s.gone
	if s.absent && !strings.HasPrefix(why, protocols.Absent) {
		why = fmt.Sprintf("%s (%s)", protocols.Absent, why)
	}
	return &protocols.Failure{Kind: protocols.KindCrash, Detail: why}
}

// leave gives up the seat: it fails when it next owes a reply.
func (s *seat) leave(why string) {
	s.gone = why
	if t := s.current(); t != nil {
		t.end(s.departure())
	}
	s.table.changed.Wake()
}

// current returns the seat's last turn if a reply to it is owed; otherwise nil.
func (s *seat) current() *turn {
	if n := len(s.turns); n > 0 && s.turns[n-1].open() {
		return s.turns[n-1]
	}
	return nil
}

// next is the number of the turn that the seat has to do next.
func (s *seat) next() int {
	if s.current() != nil {
		return len(s.turns)
	}
	return len(s.turns) + 1
}

// fail closes the turn without a reply.
func (t *turn) fail(kind protocols.Kind, format string, args ...any) {
	t.end(&protocols.Failure{Kind: kind, Detail: fmt.Sprintf(format, args...)})
}

func (t *turn) end(why *protocols.Failure) {
	t.failure = why
	close(t.closed)
}

// Send implements referee.Contestant.
func (s *seat) Send(text string) {
	s.table.hub.mu.Lock()
	defer s.table.hub.mu.Unlock()
	s.lines = append(s.lines, strings.Split(text, "\n")...)
}

// CloseInput implements referee.Contestant. A turn that asks for the whole
// output says so itself.
func (s *seat) CloseInput() {}

// Stop implements referee.Contestant. The player learns how the match ended
// when its record has been kept. One that was never there fails in the end, also where the
// match was over before it was asked.
func (s *seat) Stop() (u referee.Usage) {
	s.table.hub.mu.Lock()
	defer s.table.hub.mu.Unlock()
	if s.absent {
		u.Failure = s.departure()
	}
	return u
}

// The contestants that owe no reply are looked at firstLook after the turn
// begins, and then after twice the time each, at least every lookAgain.
const (
	firstLook = 25 * time.Millisecond
	lookAgain = time.Second
)

// Receive implements referee.Contestant: it opens the seat's next turn and
// waits for the reply.
func (s *seat) Receive(ctx context.Context, ask referee.Ask) (referee.Reply, error) {
	t := s.open(ask)
	defer s.table.settle()
	var timer *time.Timer
	var late <-chan time.Time
	if t.limit >= 0 {
		timer = time.NewTimer(t.limit + 1) // a reply at the limit is in time
		defer timer.Stop()
		late = timer.C
	}
	pause := firstLook
	look := time.NewTimer(pause)
	defer look.Stop()
	for {
		select {
		case <-t.closed:
			if err := ctx.Err(); err != nil { // the match may have ended since its player was removed
				return referee.Reply{}, err
			}
			if ask.Others != nil {
				ask.Others(0, false)
			}
			return s.reply(t)
		case <-late:
			if left := s.expire(t); left > 0 {
				timer.Reset(left)
			}
		case <-look.C:
			if ask.Meanwhile != nil {
				ask.Meanwhile()
			}
			if ask.Others != nil {
				ask.Others(0, true)
			}
			pause = min(2*pause, lookAgain)
			look.Reset(pause)
		case <-ctx.Done():
			return referee.Reply{}, ctx.Err()
		}
	}
}

// open opens the next turn.
func (s *seat) open(ask referee.Ask) *turn {
	s.table.hub.mu.Lock()
	defer s.table.hub.mu.Unlock()
	t := &turn{lines: s.lines, whole: ask.UntilEOF, at: time.Now(), limit: -1, closed: make(chan struct{}), stalls: ask.Stalls, stalled: ask.Stalled}
	idle := s.table.hub.config.Idle
	switch {
	case s.kind != Human && ask.Limit >= 0:
		t.limit, t.budget = ask.Limit+s.table.grace(), true
	case idle > 0:
		t.limit = idle
	}
	s.lines = nil
	s.turns = append(s.turns, t)
	if s.gone != "" {
		t.end(s.departure())
	}
	s.changed.Wake()
	return t
}

// expire closes a turn whose time is over, unless there is a reply. It returns
// what is left of the time if umpire did not run for some of it.
func (s *seat) expire(t *turn) (left time.Duration) {
	s.table.hub.mu.Lock()
	defer s.table.hub.mu.Unlock()
	now := time.Now()
	t.stall = t.stallUntil(now)
	if left = t.limit + t.stall + 1 - now.Sub(t.at); left <= 0 && t.open() {
		s.late(t)
	}
	return left
}

func (s *seat) late(t *turn) {
	if t.budget {
		t.fail(protocols.KindTime, "no reply within the %s left%s", referee.Seconds(t.limit-s.table.grace()), s.table.graceNote())
	} else {
		t.fail(protocols.KindTime, "no reply within %g s", t.limit.Seconds())
	}
}

// reply returns the outcome of a closed turn to the driver.
func (s *seat) reply(t *turn) (referee.Reply, error) {
	s.table.hub.mu.Lock()
	defer s.table.hub.mu.Unlock()
	if t.failure != nil && t.wall == 0 {
		t.wall = time.Since(t.at)
	}
	excused := min(t.wall, s.table.grace()+t.stall)
	if s.kind == Human {
		excused = t.wall
	}
	cost := t.wall - excused
	if len(s.turns) == 1 {
		cost = max(0, cost-s.table.limits.Startup)
	}
	s.charged += cost
	if t.failure != nil {
		return referee.Reply{Wall: t.wall, Excused: excused, Stall: t.stall}, t.failure
	}
	return referee.Reply{Text: t.text, Wall: t.wall, Excused: excused, Stall: t.stall}, nil
}

// leftMS returns how long the seat's reply may still take, as Budget.Left says.
func (s *seat) leftMS() int64 {
	var running time.Duration
	if t := s.current(); t != nil {
		now := time.Now()
		running = max(0, now.Sub(t.at)-t.stallUntil(now)-s.table.grace())
		if len(s.turns) == 1 {
			running = max(0, running-s.table.limits.Startup)
		}
	}
	return BudgetOf(s.table.fixture.Limits).Left(s.kind, s.charged, running)
}

// info describes the seat to its player.
func (s *seat) info() SeatInfo {
	t := s.table
	budget := BudgetOf(t.fixture.Limits)
	return SeatInfo{
		State: "seated", Ticket: s.ticket, Match: t.id, Game: t.fixture.Game, Seat: s.number, Seats: len(t.seats), Players: t.fixture.Bots(), Budget: &budget,
	}
}
