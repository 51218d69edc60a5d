package broker

import (
	"context"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
)

// maxHosts is how many workers' hosts are remembered: four times as many as workers.
const maxHosts = 1 << 14

// hosts knows from which addresses workers come to an embedded server, which
// itself sees only the Handler's connections.
type hosts struct {
	mu       sync.Mutex
	byLine   map[string]string // by the Handler's own address of a connection
	byWorker map[string]origin // by the worker's id
}

// origin is where a worker's latest connection comes from.
type origin struct {
	host   string // "": that is not known
	client uint64 // its number
	key    string // name of the worker's key; "": it has the token
	secret string // the key, or the token
}

// forKey is the key of a context's value: the host that a connection is for.
type forKey struct{}

// handler passes the WebSocket connections of workers on to the server at an address.
func (h *hosts) handler(address string) http.Handler {
	to, err := url.Parse(strings.Replace(address, "ws://", "http://", 1))
	if err != nil {
		return http.NotFoundHandler()
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.URL.Path, r.Out.URL.RawQuery = "/", ""
		},
		Transport: &http.Transport{DisableKeepAlives: true, DialContext: h.dial}, // each has a connection of its own
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

// connected notes from where a worker connects, as which of the server's clients, and
// with which secret. It reports false if the worker has connected with another before, or
// has gone meanwhile.
func (h *hosts) connected(id string, by net.Addr, client uint64, key, secret string) bool {
	if by == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	full := len(h.byWorker) >= maxHosts
	maps.DeleteFunc(h.byWorker, func(other string, o origin) bool {
		return other != id && (full && o.key == "" || key != "" && o.key == key) // a key has one worker, the newest
	})
	if old, ok := h.byWorker[id]; ok && old.secret != secret {
		return false
	}
	h.byWorker[id] = origin{h.byLine[by.String()], client, key, secret}
	return true
}

// of returns from where a worker has connected; the zero value if that is not known.
func (h *hosts) of(id string) origin {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.byWorker[id]
}

// keyed returns the latest connections of workers with keys.
func (h *hosts) keyed() (list []origin) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range h.byWorker {
		if one.key != "" {
			list = append(list, one)
		}
	}
	return list
}
