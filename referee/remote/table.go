package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// State is the state of a match.
type State string

// The states.
const (
	Waiting State = "waiting" // for its players
	Running State = "running"
	Over    State = "over"
	Void    State = "void" // it does not count
)

// Table is one match with players from outside, whose seats they take. It
// implements arena.Table.
type Table struct {
	hub     *Hub
	id      string
	number  int // number of the table in the order of opening
	opened  time.Time
	fixture arena.Fixture
	limits  protocols.Limits
	seats   []*seat // by seat, from 0; nil for programs on this machine

	// Guarded by the Hub's lock.
	state   State
	detail  string // why it is void
	results []Result
	record  string // id of the record, once over
	seen    []SeatSeen
	steps   int
	changed Change // a seat is taken or given up
	log     eventLog
	forget  *time.Timer // forgets the match when it has been over for long; nil before

	match protocols.Match
	// drawing is held while the match is looked at, which happens only while a
	// seat's turn is open, or when the match is over: its driver waits for it
	// before the match goes on.
	drawing sync.Mutex
}

func newTable(h *Hub, f arena.Fixture) *Table {
	t := &Table{
		hub: h, id: newID(), opened: time.Now().UTC().Truncate(time.Millisecond), fixture: f, limits: f.Limits.Limits(), seats: make([]*seat, len(f.Seats)), state: Waiting,
		seen: make([]SeatSeen, len(f.Seats)),
	}
	for i, s := range f.Seats {
		t.seen[i] = SeatSeen{Seat: i + 1, Player: s.Bot, Kind: s.Kind, Verdict: string(referee.OK), LeftMS: BudgetOf(t.fixture.Limits).Left(s.Kind, 0, 0)}
		if s.Kind != "" {
			t.seats[i] = newSeat(t, i+1)
		}
	}
	return t
}

// ID implements arena.Table.
func (t *Table) ID() string { return t.id }

// Fixture returns the match that is played at the table.
func (t *Table) Fixture() arena.Fixture { return t.fixture }

// Ticket returns the ticket of a seat, from 1; "" if its player is a program on
// this machine.
func (t *Table) Ticket(seat int) string {
	if s := t.seats[seat-1]; s != nil {
		return s.ticket
	}
	return ""
}

func (t *Table) grace() time.Duration {
	return time.Duration(t.fixture.Limits.GraceUS) * time.Microsecond
}

// graceNote mentions the grace in a message about a time that has run out.
func (t *Table) graceNote() string {
	if t.grace() == 0 {
		return ""
	}
	return fmt.Sprintf(" and a grace of %s", referee.Seconds(t.grace()))
}

func (t *Table) ended() bool { return t.state == Over || t.state == Void }

// Watch implements arena.Table.
func (t *Table) Watch(m protocols.Match) referee.Watcher {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	t.match = m
	return referee.Watcher{
		Event: func(e referee.Event, foul *protocols.Foul, _ protocols.Match) { t.happened(e, foul) },
		Awaited: func([]int, protocols.Match) {
			t.hub.mu.Lock()
			defer t.hub.mu.Unlock()
			t.log.awaited = append(t.log.awaited, t.hub.instant())
			t.log.changed.Wake()
		},
		AutoMove: func(int, protocols.Position) {
			t.hub.mu.Lock()
			defer t.hub.mu.Unlock()
			t.steps++
		},
	}
}

// happened notes an event of the match.
func (t *Table) happened(e referee.Event, foul *protocols.Foul) {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	failure := e.Fail
	if foul != nil {
		failure = &protocols.Failure{Kind: protocols.KindFoul, Detail: foul.Reason}
	}
	seen := &t.seen[e.Seat-1]
	seen.charged += e.Charged
	seen.LeftMS = BudgetOf(t.fixture.Limits).Left(t.fixture.Seats[e.Seat-1].Kind, seen.charged, 0)
	if failure != nil {
		seen.Verdict = string(failure.Kind)
		if s := t.seats[e.Seat-1]; s != nil {
			s.failure = failure
			s.changed.Wake()
		}
	}
	t.steps++
	t.log.events = append(t.log.events, e)
	t.log.changed.Wake()
}

// BudgetOf returns the limits of each seat of a match.
func BudgetOf(l record.Limits) Budget {
	return Budget{TimeMS: l.TimeUS / 1000, MoveMS: l.MoveUS / 1000, StartMS: l.StartUS / 1000, GraceMS: l.GraceUS / 1000}
}

// Left returns how long the reply that is owed, or the next one, may still take, in whole
// milliseconds, rounded down, after charged of the match's budget, and running in the turn that
// is on, if one is: the rest of that budget or of the limit for this reply, on top of the grace and,
// for the first reply, of the startup; -1: no limit.
func (b Budget) Left(kind string, charged, running time.Duration) int64 {
	whole, move := time.Duration(b.TimeMS)*time.Millisecond, time.Duration(b.MoveMS)*time.Millisecond
	if kind == Human || whole == 0 && move == 0 {
		return -1
	}
	left := whole - charged - running
	if whole == 0 || move > 0 && move-running < left {
		left = move - running
	}
	return max(0, left).Milliseconds()
}

// MatchInfo holds the facts of a match that everybody may know.
type MatchInfo struct {
	ID      string     `json:"id"`
	Game    string     `json:"game"`
	Started time.Time  `json:"started,omitzero"` // when it was made, in UTC and whole milliseconds
	State   State      `json:"state"`
	Detail  string     `json:"detail"` // why it is void
	Seats   []SeatSeen `json:"seats"`
	Steps   int        `json:"steps"` // positions after the start
	Results []Result   `json:"results,omitempty"`
	Record  string     `json:"record,omitempty"` // id of the record, once over
}

// SeatSeen is a seat of a match as everybody may see it.
type SeatSeen struct {
	Seat    int    `json:"seat"`
	Player  string `json:"player"`
	Kind    string `json:"kind,omitempty"` // Program or Human; "": a program of this machine
	Verdict string `json:"verdict"`        // so far
	LeftMS  int64  `json:"left_ms"`        // for its next reply, as Budget.Left says
	charged time.Duration
}

// Info describes the match.
func (t *Table) Info() MatchInfo {
	t.hub.mu.Lock()
	defer t.hub.mu.Unlock()
	return MatchInfo{
		ID: t.id, Game: t.fixture.Game, Started: t.opened, State: t.state, Detail: t.detail, Seats: slices.Clone(t.seen), Steps: t.steps,
		Results: t.results, Record: t.record,
	}
}

// Tables lists the matches that are known, newest first: those that wait or
// run, and those that have ended in the last ten minutes.
func (h *Hub) Tables() []*Table {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.SortedFunc(maps.Values(h.tables), func(a, b *Table) int { return b.number - a.number })
}

// Table finds a match by its id or, once it is over, by that of its record; nil
// if it is not known.
func (h *Hub) Table(id string) *Table {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.tables[id]; t != nil {
		return t
	}
	for _, t := range h.tables {
		if t.record == id && id != "" {
			return t
		}
	}
	return nil
}

// AwaitTold waits until every player that has come to a match has been told how it
// ended, if it has ended: one that has left asks for that too. The error is that of
// ctx, which ends the waiting.
func (h *Hub) AwaitTold(ctx context.Context) error {
	return h.until(ctx, &h.told, func() bool {
		for _, t := range h.tables {
			for _, s := range t.seats {
				if t.ended() && s != nil && s.asked && !s.told && s.gone != removed {
					return false
				}
			}
		}
		return true
	})
}

// End implements arena.Table: it tells the players how the match ended.
func (t *Table) End(r record.Record) {
	r = Public(r)
	t.close(func() {
		t.state, t.results, t.record = Over, ResultsOf(r), r.ID
		if at, err := time.Parse(time.RFC3339, r.Started); err == nil {
			t.opened = at // as it is told from now on
		}
	})
}

// Cancel implements arena.Table: the match does not count.
func (t *Table) Cancel(why error) {
	r := t.fixture.Record()
	r.Error = why.Error()
	if p, ok := errors.AsType[*Problem](why); ok {
		r.Error = p.Message
	}
	t.close(func() { t.state, t.detail = Void, voidDetail(&r) })
}

// close ends the match for everybody.
func (t *Table) close(end func()) {
	h := t.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	end()
	t.changed.Wake()
	t.log.changed.Wake()
	for _, s := range t.seats {
		if s == nil {
			continue
		}
		if s.session != nil {
			h.player(s.owner()).release(s)
		}
		s.changed.Wake()
		h.player(s.owner()).asks.Wake()
	}
	if h.tables[t.id] == t {
		t.forget = time.AfterFunc(keepTicket, func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.remove(t)
		})
	}
}

// release takes a seat from its session, which ends unless a request waits in
// it.
func (p *player) release(s *seat) {
	for name, session := range p.sessions {
		if session.seat == s {
			session.seat = nil
			if session.waiter == nil {
				delete(p.sessions, name)
			}
		}
	}
}

// Archived says that the record of a match can be read elsewhere. If only programs of
// this machine play in it, that is where onlookers find the match from now on: there may
// be thousands of such matches a second.
func (h *Hub) Archived(match string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.tables[match]
	if t != nil && !slices.ContainsFunc(t.seats, func(s *seat) bool { return s != nil }) {
		h.remove(t)
	}
}

// remove drops a match.
func (h *Hub) remove(t *Table) {
	if t.forget != nil {
		t.forget.Stop()
	}
	delete(h.tables, t.id)
	for _, s := range t.seats {
		if s != nil {
			delete(h.tickets, hash(s.ticket))
		}
	}
}

// settle waits until nobody looks at the match.
func (t *Table) settle() {
	t.drawing.Lock()
	defer t.drawing.Unlock()
}

// board returns what a seat sees of the position, if it owes a reply or the
// match is over.
func (s *seat) board(info TurnInfo) *Board {
	t := s.table
	t.drawing.Lock()
	defer t.drawing.Unlock()
	t.hub.mu.Lock()
	match, turn := t.match, s.current()
	if info.State != TurnMove || info.Turn != len(s.turns) {
		turn = nil
	}
	t.hub.mu.Unlock()
	if turn != nil && turn.board != nil {
		return turn.board
	}
	drawer, draws := match.(protocols.Drawer)
	if turn == nil && info.State != TurnOver || !draws {
		return nil
	}
	b := &Board{SVG: drawer.SVG(s.number), Choices: []protocols.Choice{}}
	if view, ok := match.(protocols.SeatView); ok {
		if b.State = view.StateFor(s.number); b.SVG == "" {
			b.Text = view.StringFor(s.number)
		}
	}
	if chooser, ok := match.(protocols.Chooser); ok && turn != nil {
		b.Choices = append(b.Choices, chooser.Choices(s.number)...)
	}
	if turn != nil {
		turn.board = b
	}
	return b
}
