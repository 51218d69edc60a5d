package serve

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// limitConnections bounds the connections that are open at the same time:
// others wait to be accepted. Those that have shown a key or a ticket count
// apart from all others, up to a bound of their own, so that players who wait,
// which they do most of the time, keep neither the organiser nor onlookers out,
// and strangers keep no player out that is there.
func limitConnections(l net.Listener, strangers, players int) net.Listener {
	return &limitedListener{
		Listener: l, strangers: make(chan struct{}, strangers), players: make(chan struct{}, players), closed: make(chan struct{}),
	}
}

type limitedListener struct {
	net.Listener
	strangers chan struct{} // holds an element for each connection
	players   chan struct{} // likewise
	once      sync.Once
	closed    chan struct{}
}

func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.strangers <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.strangers
		return nil, err
	}
	return &limitedConn{Conn: c, limits: l, among: l.strangers}, nil
}

func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	limits *limitedListener
	mu     sync.Mutex
	among  chan struct{} // connections among which it counts; nil once closed
}

func (c *limitedConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.among != nil {
		defer func(among chan struct{}) { <-among }(c.among)
	}
	c.among = nil
	return c.Conn.Close()
}

func (c *limitedConn) isStranger() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.among == c.limits.strangers
}

// admit counts the connection among the players', if there is room.
func (c *limitedConn) admit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.among != c.limits.strangers {
		return
	}
	select {
	case c.limits.players <- struct{}{}:
		<-c.among
		c.among = c.limits.players
	default:
	}
}

// connection is the key of a request's connection in its context.
type connection struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	return context.WithValue(ctx, connection{}, c)
}

// admit counts the connection of a request among the players' if the secret
// that the request brings is known.
func admit(r *http.Request, known func() bool) {
	if c, ok := r.Context().Value(connection{}).(*limitedConn); ok && c.isStranger() && known() {
		c.admit()
	}
}

// crowd bounds how many there may be of something at the same time, in all and
// for each cause.
type crowd struct {
	most, each int
	mu         sync.Mutex
	all        int
	of         map[string]int
}

// enter counts one more, until leave is called; the error says why there may be
// no more.
func (c *crowd) enter(cause string) (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.of[cause] >= c.each:
		return nil, failed(codeRate, "too many onlookers from this address: close another one")
	case c.all >= c.most:
		return nil, failed(codeFull, "too many onlookers")
	}
	c.all++
	if c.of == nil {
		c.of = make(map[string]int)
	}
	c.of[cause]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.of[cause]--; c.of[cause] == 0 {
			delete(c.of, cause)
		}
	}, nil
}
