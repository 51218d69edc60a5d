package serve

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
)

// connectionLimits bounds the connections that are open at the same time. Those
// that have shown a key, a ticket or the token are players'; all others are
// strangers'. The bounds of an address and of a player are large shares of all: a
// class behind one address, or a proxy, is served like as many people elsewhere,
// while nobody can take all the room.
type connectionLimits struct {
	strangers int // connections of strangers
	address   int // of them from one address that is no proxy's
	proxies   proxies
	players   int           // connections of players
	player    int           // of them of one player
	surplus   int           // connections beyond these bounds, which wait for room
	patience  time.Duration // how long a request on one of those waits
}

// kind says to which bound a connection counts.
type kind int

const (
	isClosed kind = iota
	isSurplus
	isStranger
	isPlayer
)

// limitConnections applies limits to a listener. A connection beyond the bounds
// of strangers is accepted as surplus, so that a player or the organiser is let
// in and anybody else told why not; beyond the bound of those, it takes the place
// of the oldest.
func limitConnections(l net.Listener, most connectionLimits) *limitedListener {
	return &limitedListener{Listener: l, most: most, from: make(map[string]int), of: make(map[string]int)}
}

type limitedListener struct {
	net.Listener
	most connectionLimits

	mu      sync.Mutex
	count   [isPlayer + 1]int // connections by kind; that of closed ones means nothing
	from    map[string]int    // strangers' connections by address
	of      map[string]int    // players' connections by player
	surplus []*limitedConn    // oldest first
	changed remote.Change     // there is more room for strangers
}

func (l *limitedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	limited := &limitedConn{Conn: c, limits: l, from: addrOf(c.RemoteAddr().String())}
	limited.address = network(limited.from)
	limited.begin()
	return limited, nil
}

// limitedConn is a connection that counts. Its kind is guarded by the listener.
type limitedConn struct {
	net.Conn
	limits  *limitedListener
	kind    kind
	from    netip.Addr
	address string // by which it is counted
	player  string // whose it is, if it is a player's
}

// become changes what the connection counts as. The listener is locked.
func (c *limitedConn) become(k kind) {
	l := c.limits
	l.count[c.kind]--
	switch c.kind {
	case isSurplus:
		l.surplus = slices.DeleteFunc(l.surplus, func(other *limitedConn) bool { return other == c })
	case isStranger:
		remote.CountDown(l.from, c.address)
		l.changed.Wake()
	case isPlayer:
		remote.CountDown(l.of, c.player)
	}
	c.kind = k
	l.count[k]++
	switch k {
	case isSurplus:
		l.surplus = append(l.surplus, c)
	case isStranger:
		l.from[c.address]++
	case isPlayer:
		l.of[c.player]++
	}
}

// roomForStranger reports whether the connection may be a stranger's. The
// listener is locked.
func (c *limitedConn) roomForStranger() bool {
	l := c.limits
	return l.count[isStranger] < l.most.strangers && !c.isCrowd()
}

// isCrowd reports whether there are as many strangers from the connection's address as
// there may be. The listener is locked.
func (c *limitedConn) isCrowd() bool {
	l := c.limits
	return l.from[c.address] >= l.most.address && !l.most.proxies.trust(c.from)
}

// begin counts a new connection.
func (c *limitedConn) begin() {
	l := c.limits
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.roomForStranger() {
		c.become(isStranger)
		return
	}
	c.become(isSurplus)
	oldest, own := l.surplus[0], 0
	for _, other := range slices.Backward(l.surplus) {
		if other.address != c.address || l.most.proxies.trust(c.from) {
			continue
		}
		if own++; own > l.most.surplus/2 { // its address takes no place of others
			oldest = other
		}
	}
	if own > l.most.surplus/2 || len(l.surplus) > l.most.surplus {
		_ = oldest.close()
	}
}

func (c *limitedConn) Close() error {
	c.limits.mu.Lock()
	defer c.limits.mu.Unlock()
	return c.close()
}

// close closes the connection. The listener is locked.
func (c *limitedConn) close() error {
	c.become(isClosed)
	return c.Conn.Close()
}

func (c *limitedConn) CloseWrite() error { return closeWrite(c.Conn) }

func (c *limitedConn) is(k kind) bool {
	c.limits.mu.Lock()
	defer c.limits.mu.Unlock()
	return c.kind == k
}

// admit counts the connection among those of a player, if there is room.
func (c *limitedConn) admit(player string) {
	l := c.limits
	l.mu.Lock()
	defer l.mu.Unlock()
	if (c.kind == isStranger || c.kind == isSurplus) && l.count[isPlayer] < l.most.players && l.of[player] < l.most.player {
		c.player = player
		c.become(isPlayer)
	}
}

// wait waits until a surplus connection has room. The error says which bound it
// meets.
func (c *limitedConn) wait(ctx context.Context) error {
	l := c.limits
	patient, cancel := context.WithTimeout(ctx, l.most.patience)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		err := c.enter()
		if err == nil {
			return nil
		}
		if l.changed.Await(patient, &l.mu) != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
}

// enter counts a surplus connection as a stranger's; the error says why there is no room.
// The listener is locked.
func (c *limitedConn) enter() error {
	switch most := c.limits.most; {
	case c.kind != isSurplus:
	case c.roomForStranger():
		c.become(isStranger)
	case c.isCrowd():
		return failed(remote.CodeRate, fmt.Sprintf("%d connections from this address are open, the most there may be without a key or a ticket: close some", most.address))
	default:
		return failed(house.CodeFull, fmt.Sprintf("%d connections are open, the most there may be without a key or a ticket: try again later", most.strangers))
	}
	return nil
}
