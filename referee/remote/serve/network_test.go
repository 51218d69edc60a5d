package serve

import (
	"context"
	"maps"
	"net"
	"slices"
	"sync"
)

// Network is a network in memory, on which one server listens, so that its
// connections can be used in a bubble of testing/synctest. Nothing is stored on
// the way: who writes waits for who reads.
type Network struct {
	dialled chan net.Conn // connections that are to be accepted
	closed  chan struct{}
	once    sync.Once
	mu      sync.Mutex
	port    int // of the last client
}

// NewNetwork makes a network; in a bubble it belongs to that.
func NewNetwork() *Network {
	return &Network{dialled: make(chan net.Conn, 10_000), closed: make(chan struct{}), port: 10_000}
}

// NewOn makes a server on a network.
func NewOn(n *Network, c Config) (*Server, error) { return newServer(c, n) }

// Accept implements net.Listener.
func (n *Network) Accept() (net.Conn, error) {
	select {
	case c := <-n.dialled:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (n *Network) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

// Addr implements net.Listener.
func (n *Network) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// Dial connects from an IP address.
func (n *Network) Dial(from string) (net.Conn, error) {
	select {
	case <-n.closed:
		return nil, net.ErrClosed
	default:
	}
	n.mu.Lock()
	n.port++
	at := &net.TCPAddr{IP: net.ParseIP(from), Port: n.port}
	n.mu.Unlock()
	here, there := net.Pipe()
	n.dialled <- &addressed{there, n.Addr(), at}
	return &addressed{here, at, n.Addr()}, nil
}

// DialContext connects from this machine, wherever to: for a http.Transport.
func (n *Network) DialContext(context.Context, string, string) (net.Conn, error) {
	return n.Dial("127.0.0.1")
}

// addressed is a connection with addresses.
type addressed struct {
	net.Conn
	local, remote net.Addr
}

func (c *addressed) LocalAddr() net.Addr  { return c.local }
func (c *addressed) RemoteAddr() net.Addr { return c.remote }

// Addr is the address at which the server listens.
func (s *Server) Addr() net.Addr { return s.listen.Addr() }

// Methods lists the methods of the JSON interface, by their addresses.
func (s *Server) Methods() map[string][]string {
	list := make(map[string][]string)
	for path, m := range s.service.api() {
		list[path] = slices.Collect(maps.Keys(m))
	}
	return list
}
