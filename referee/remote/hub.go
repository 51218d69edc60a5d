// Package remote brings players from outside to their seats: programs that run
// elsewhere, and people. A Hub knows the players and their keys, and hands out
// seats; each seat is a referee.Contestant whose numbered turns may be asked
// for and answered again after a lost answer. The package knows nothing of
// HTTP, nor of any game.
package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/keys"
)

const (
	// MaxWait is how long a request may wait, which is checked where it is read.
	MaxWait = 30 * time.Second
	// keepTicket is how long a ticket answers after the end of its match.
	keepTicket = 10 * time.Minute
	// maxSession is the most bytes that a session's name may have.
	maxSession = 128
	// maxSessions is how many sessions a player may have: matches that it plays
	// concurrently, and requests for more. Of all connections of players, a
	// player with that many needs an eighth.
	maxSessions = 256
	// recently is how long a player counts as online after its last request.
	recently = 10 * time.Second
)

// Config configures a Hub.
type Config struct {
	Games  []protocols.Game
	Keys   *keys.File
	Join   time.Duration  // a match whose players have not come by then is void; 0: no limit
	Idle   time.Duration  // time for a reply without a budget; 0: no limit
	Stalls referee.Stalls // of umpire, which clocks do not count; nil: unknown
	// Forfeit has such a match begin, in which those who have not come, or have left,
	// fail where they owe a reply.
	Forfeit bool
	// Void, if not nil, is called with each match in which a player sits that is removed: the
	// match ends, and does not count. Otherwise the player fails in it. It must not use the Hub.
	// It is nil where players order no matches.
	Void func(match string, why error)
}

// Hub brings players from outside and matches together. It implements arena.Host.
// All its methods may be called concurrently.
type Hub struct {
	config Config

	mu      sync.Mutex // guards everything below, and all tables and seats
	tables  map[string]*Table
	tickets map[[sha256.Size]byte]*seat
	players map[string]*player // by their names in Keys
	opened  int                // number of tables opened so far
	busy    map[string]bool    // as busyPlayers found it at busyAt
	busyAt  time.Time
	onOpen  func(*Table)
	told    Change // a player has been told how its match ended
	stopped chan struct{}
}

// player is a player's state while umpire runs.
type player struct {
	sessions map[string]*session
	asks     Change    // there may be a seat for it
	waiting  int       // requests that wait
	seen     time.Time // end of its last request
}

// session is one of a player's sequences of seats. It exists only while it has
// a seat or a request waits in it.
type session struct {
	seat   *seat // nil: none
	waiter waiter
	game   string // while a request waits: the game it wants a seat in; "" is any
}

// waiter is a request that waits, closed when a later one waits in its place; nil: there is none.
type waiter chan struct{}

// NewHub makes a Hub.
func NewHub(c Config) *Hub {
	return &Hub{
		config: c, tables: make(map[string]*Table), tickets: make(map[[sha256.Size]byte]*seat),
		players: make(map[string]*player), stopped: make(chan struct{}),
	}
}

// OnOpen has f called when a match begins to wait for its players, from now on. Calls
// may be concurrent.
func (h *Hub) OnOpen(f func(*Table)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.onOpen = f
}

// Stop ends all waiting, now and later: the requests get a problem with
// CodeStopping. It is called once.
func (h *Hub) Stop() { close(h.stopped) }

func (h *Hub) isStopped() bool {
	select {
	case <-h.stopped:
		return true
	default:
		return false
	}
}

// hash returns the digest by which a secret is kept and looked up.
func hash(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

// newID returns the id of a match: random, since one made from the case would
// let a player search for the case.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Open implements arena.Host.
func (h *Hub) Open(f arena.Fixture) arena.Table {
	t := newTable(h, f)
	h.mu.Lock()
	h.opened++
	t.number = h.opened
	h.tables[t.id] = t
	for _, s := range t.seats {
		if s != nil {
			h.tickets[hash(s.ticket)] = s
			h.player(s.owner()).asks.Wake()
		}
	}
	opened := h.onOpen
	h.mu.Unlock()
	if opened != nil {
		opened(t)
	}
	return t
}

// player returns what is known of a player.
func (h *Hub) player(name string) *player {
	p := h.players[name]
	if p == nil {
		p = &player{sessions: make(map[string]*session)}
		h.players[name] = p
	}
	return p
}

// begin counts a request of the player, until end is called.
func (p *player) begin() (end func()) {
	p.waiting++
	return func() {
		p.waiting--
		p.seen = time.Now()
	}
}

// SeatInfo is the answer to a player that wants a seat.
type SeatInfo struct {
	State   string   `json:"state"` // wait or seated
	Ticket  string   `json:"ticket,omitempty"`
	Match   string   `json:"match,omitempty"`
	Game    string   `json:"game,omitempty"`
	Seat    int      `json:"seat,omitempty"`
	Seats   int      `json:"seats,omitempty"`
	Players []string `json:"players,omitempty"` // seat 1 first
	*Budget          // nil: not seated

	New bool `json:"-"` // the session has not been given this seat before
}

// Budget is a seat's limits, in milliseconds; 0 is no limit.
type Budget struct {
	TimeMS  int64 `json:"time_ms"`
	MoveMS  int64 `json:"move_ms"`
	StartMS int64 `json:"start_ms"`
	GraceMS int64 `json:"grace_ms"`
}

// Join gives a session of the player or person with the key the seat that it has until
// that match ends, and then the next that is open, in the named game or, if
// game is "", in any. It waits for a seat until wait is over.
func (h *Hub) Join(ctx context.Context, key, game, name string, wait time.Duration) (SeatInfo, error) {
	owner, ok := h.config.Keys.Find(key)
	switch {
	case !ok:
		return SeatInfo{}, problem(CodeKey, "no player has this key")
	case len(name) > maxSession:
		return SeatInfo{}, problem(CodeArgument, "session: found %d bytes, expected at most %d", len(name), maxSession)
	case game != "" && !slices.ContainsFunc(h.config.Games, func(g protocols.Game) bool { return g.Name == game }):
		return SeatInfo{}, problem(CodeArgument, "game: found %q, expected the name of a game", game)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.player(owner)
	s := p.sessions[name]
	if s == nil {
		if len(p.sessions) >= maxSessions {
			return SeatInfo{}, problem(CodeRate, "%s has %d sessions, the most there may be: let one end", owner, maxSessions)
		}
		s = &session{}
		p.sessions[name] = s
	}
	defer p.begin()()
	defer func() {
		if s.seat == nil && s.waiter == nil && p.sessions[name] == s {
			delete(p.sessions, name)
		}
	}()
	given := false
	look := func() (done bool, changed <-chan struct{}) {
		if _, ok = h.config.Keys.Find(key); !ok {
			return true, nil
		}
		if s.seat == nil || s.seat.table.ended() || !h.holds(s.seat) {
			s.seat = h.openSeat(owner, game)
			given = s.seat != nil
		}
		if s.seat != nil {
			s.seat.session = s
		}
		return s.seat != nil, p.asks.Next()
	}
	s.game = game
	if err := h.wait(ctx, &s.waiter, wait, look); err != nil {
		return SeatInfo{}, err
	}
	switch {
	case !ok:
		return SeatInfo{}, problem(CodeKey, "no player has this key")
	case s.seat == nil:
		return SeatInfo{State: "wait"}, nil
	}
	info := s.seat.info()
	info.New = given
	return info, nil
}

// openSeat returns the seat that has waited longest for its owner.
func (h *Hub) openSeat(owner, game string) (found *seat) {
	for _, t := range h.tables {
		if t.state != Waiting || game != "" && game != t.fixture.Game || found != nil && found.table.number < t.number {
			continue
		}
		for _, s := range t.seats {
			if s != nil && s.owner() == owner && s.session == nil && s.gone == "" && h.holds(s) {
				found = s
				break
			}
		}
	}
	return found
}

// wait calls look until it is done, or for as long as the request may wait; a
// request that is still waiting in the place at is superseded. The Hub is
// locked when it is called, when it returns, and when it calls look.
func (h *Hub) wait(ctx context.Context, at *waiter, wait time.Duration, look func() (done bool, changed <-chan struct{})) error {
	done, changed := look()
	if done || wait == 0 {
		return nil
	}
	if *at != nil {
		// The connection of a request that is read late may be closed already, which is
		// noticed a moment later: such a request takes nobody's place.
		if _, err := h.sleep(ctx, nil, nil, time.After(moment)); err != nil {
			return err
		}
		if done, changed = look(); done {
			return nil
		}
	}
	if *at != nil {
		close(*at)
	}
	superseded := make(waiter)
	*at = superseded
	defer func() {
		if *at == superseded {
			*at = nil
		}
	}()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for !done {
		over, err := h.sleep(ctx, changed, superseded, timer.C)
		switch {
		case *at != superseded:
			return problem(CodeSuperseded, "a later request waits in place of this one")
		case over || err != nil:
			return err
		}
		done, changed = look()
	}
	return nil
}

// until waits until done, which is called under the Hub's lock at first and after each change,
// reports true.
func (h *Hub) until(ctx context.Context, change *Change, done func() bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for !done() {
		if err := change.Await(ctx, &h.mu); err != nil {
			return err
		}
	}
	return nil
}

// moment is how long it may take to notice that a connection has been closed.
const moment = 50 * time.Millisecond

var errStopping = problem(CodeStopping, "umpire is about to end")

// sleep unlocks the Hub until something has changed, the request is superseded, or the time
// to wait is over, which it reports.
func (h *Hub) sleep(ctx context.Context, changed <-chan struct{}, superseded waiter, end <-chan time.Time) (over bool, err error) {
	h.mu.Unlock()
	defer h.mu.Lock()
	select {
	case <-changed:
	case <-superseded:
	case <-end:
		return true, nil
	case <-h.stopped:
		return false, errStopping
	case <-ctx.Done():
		return false, ctx.Err()
	}
	return false, nil
}

// PlayerInfo says whether a player is there.
type PlayerInfo struct {
	Name   string `json:"name"`
	Online bool   `json:"online"`
	// WaitsFor lists the games that its open requests for a seat want one in;
	// "" is any game.
	WaitsFor []string `json:"waits_for"`
}

// Players lists the players that have a key, by name, without people.
func (h *Hub) Players() []PlayerInfo {
	names := slices.DeleteFunc(h.config.Keys.Names(), func(name string) bool { return strings.Contains(name, ":") })
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]PlayerInfo, len(names))
	for i, name := range names {
		list[i] = PlayerInfo{Name: name, WaitsFor: []string{}}
		if p := h.players[name]; p != nil {
			list[i].Online = p.waiting > 0 || !p.seen.IsZero() && time.Since(p.seen) < recently
			list[i].WaitsFor = p.waitsFor()
		}
	}
	return list
}

// WaitsFor reports whether a request of the player waits for a seat in a game.
func (h *Hub) WaitsFor(name, game string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.players[name]
	return p != nil && slices.ContainsFunc(p.waitsFor(), func(one string) bool { return one == "" || one == game })
}

// waitsFor lists the games that the player's open requests for a seat want one in, sorted.
func (p *player) waitsFor() []string {
	games := []string{}
	for _, s := range p.sessions {
		if s.waiter != nil {
			games = append(games, s.game)
		}
	}
	slices.Sort(games)
	return slices.Compact(games)
}
