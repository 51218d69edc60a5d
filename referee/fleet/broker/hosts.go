package broker

import (
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
	secret   string // which the Handler shows to the server, and workers don't know
	mu       sync.Mutex
	byWorker map[string]origin // by the worker's id
}

// hostCookie names the cookie by which the Handler tells the server from which host a
// connection comes. The server takes it for the name of a user.
const hostCookie = "umpire-host"

// origin is where a worker's latest connection comes from.
type origin struct {
	host   string
	client uint64 // the connection's number at the server
	key    string // name of the worker's key; "": it has the token
	secret string // the key, or the token
}

// handler passes the WebSocket connections of workers on to the server at an address.
func (h *hosts) handler(address string) http.Handler {
	to, err := url.Parse(strings.Replace(address, "ws://", "http://", 1))
	if err != nil {
		return http.NotFoundHandler()
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.URL.Path, r.Out.URL.RawQuery = "/", ""
			host, _, _ := net.SplitHostPort(r.In.RemoteAddr)
			r.Out.Header.Set("Cookie", hostCookie+"="+h.secret+host)
		},
		Transport: &http.Transport{DisableKeepAlives: true},
	}
}

// from returns the host of a connection, whose user the Handler has named; ok is false if
// somebody else has.
func (h *hosts) from(user string) (host string, ok bool) {
	return strings.CutPrefix(user, h.secret)
}

// connected notes from where a worker connects, and with which secret. It reports false if
// the worker has connected with another before.
func (h *hosts) connected(id string, from origin) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	full := len(h.byWorker) >= maxHosts
	maps.DeleteFunc(h.byWorker, func(other string, o origin) bool {
		return other != id && (full && o.key == "" || from.key != "" && o.key == from.key) // a key has one worker, the newest
	})
	if old, ok := h.byWorker[id]; ok && old.secret != from.secret {
		return false
	}
	h.byWorker[id] = from
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
