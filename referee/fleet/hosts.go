package fleet

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
)

// hosts knows from which addresses workers come to an embedded server, which
// itself sees only the Handler's connections.
type hosts struct {
	mu       sync.Mutex
	byLine   map[string]string // by the Handler's own address of a connection
	byWorker map[string]string // by the worker's id
}

// forKey is the key of a context's value: the host that a connection is for.
type forKey struct{}

// Handler passes the WebSocket connections of workers on to the server.
func (s *Server) Handler() http.Handler {
	to, err := url.Parse(strings.Replace(s.nats.WebsocketURL(), "ws://", "http://", 1))
	if err != nil {
		return http.NotFoundHandler()
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.URL.Path, r.Out.URL.RawQuery = "/", ""
		},
		Transport: &http.Transport{DisableKeepAlives: true, DialContext: s.hosts.dial}, // each has a connection of its own
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), forKey{}, host)))
	})
}

// dial connects the Handler to the server.
func (h *hosts) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	host, _ := ctx.Value(forKey{}).(string)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byLine == nil {
		h.byLine, h.byWorker = make(map[string]string), make(map[string]string)
	}
	h.byLine[conn.LocalAddr().String()] = host
	return &line{conn, h}, nil
}

// line is a connection of the Handler to the server.
type line struct {
	net.Conn
	hosts *hosts
}

func (l *line) Close() error {
	l.hosts.mu.Lock()
	delete(l.hosts.byLine, l.LocalAddr().String())
	l.hosts.mu.Unlock()
	return l.Conn.Close()
}

// connected notes from where a worker connects.
func (h *hosts) connected(worker string, by net.Addr) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if host := h.byLine[by.String()]; host != "" {
		h.byWorker[worker] = host
	}
}

// take returns from where a worker has connected, "" if that is not known, and
// forgets it.
func (h *hosts) take(worker string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	host := h.byWorker[worker]
	delete(h.byWorker, worker)
	return host
}

// maxDropped is how many workers from a host may be dropped until none is let in
// from there. One worker may be many, since it can choose its name and its id,
// and many may be behind one address.
const maxDropped = 3

// hostOf returns from where a worker comes.
func (c *crew) hostOf(id string) string {
	if c.Server == nil {
		return ""
	}
	if host := c.Server.hosts.take(id); host != "" {
		return host
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[id].host
}

// isSuspect reports whether workers from a host are let in no more. Those from
// this machine are: whoever comes through a proxy or a tunnel comes from here.
func (c *crew) isSuspect(host string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !isLoopback(host) && len(c.droppedFrom[host]) >= maxDropped
}

// past says which workers from a host have been dropped; "" if none. The caller
// holds mu.
func (c *crew) past(host string) string {
	if len(c.droppedFrom[host]) == 0 {
		return ""
	}
	return fmt.Sprintf("; from its address, %s, %s was dropped before", host, strings.Join(c.droppedFrom[host], ", "))
}

// kick ends the connection of a worker, and lets it connect no more.
func (s *Server) kick(worker string, client uint64) {
	s.barred.Store(worker, true)
	_ = s.nats.DisconnectClientByID(client)
}
