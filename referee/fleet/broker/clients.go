package broker

import (
	"context"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/keys"
)

// maxClients is how many workers are remembered: four times as many as play.
const maxClients = 1 << 14

// maxConnections is how many connections a key may have: a worker, those that it replaces, and who looks.
const maxConnections = 4

// client is a connection to the server.
type client struct {
	number uint64     // of the connection at the server
	host   string     // from where it comes
	secret string     // a key, or the workers' token
	keys   *keys.File // that has the key; nil: it is the token
	key    string     // its name; "": it is the token
	first  time.Time  // when it connected first
	barred bool       // the worker may connect no more
}

// find reports whether a file, which may be nil, has the client's key.
func (c *client) find(file *keys.File) (ok bool) {
	if file != nil {
		c.key, ok = file.Find(c.secret)
	}
	if ok {
		c.keys = file
	}
	return ok
}

// isValid reports whether the client may still be connected.
func (c *client) isValid() bool {
	if c.keys == nil {
		return true
	}
	name, ok := c.keys.Find(c.secret)
	return ok && name == c.key
}

// add notes the latest connection of a worker, or one of a run or of somebody who looks, and ends the one
// before, and of those with a worker's key the oldest if they are too many. It reports false if the worker
// is barred, or has connected with another secret before.
func (s *Server) add(id string, from client) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.clients) >= maxClients { // a connection with a key is forgotten when it has gone: it ends with the key
		maps.DeleteFunc(s.clients, func(other string, o client) bool {
			return other != id && !o.barred && (o.keys == nil || s.nats.GetClient(o.number) == nil)
		})
	}
	from.first = time.Now()
	if old, ok := s.clients[id]; ok && (old.barred || old.secret != from.secret) {
		return false
	} else if ok {
		from.first = old.first
		_ = s.nats.DisconnectClientByID(old.number)
	}
	s.clients[id] = from
	if from.keys == nil || from.keys != s.keys {
		return true
	}
	var same []uint64
	for _, o := range s.clients {
		if o.keys == from.keys && o.key == from.key && (o.number == from.number || s.nats.GetClient(o.number) != nil) {
			same = append(same, o.number)
		}
	}
	if len(same) > maxConnections {
		_ = s.nats.DisconnectClientByID(slices.Min(same))
	}
	return true
}

// Origins returns from where workers connect, by their ids, and what is known of keys, by their hashes
// or names.
func (s *Server) Origins(ids []string) fleet.Origins {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make(fleet.Origins)
	for _, id := range ids {
		at := s.clients[id]
		o := fleet.Origin{Host: at.host, Key: at.key, Removed: !at.isValid(), First: at.first}
		if s.keys != nil {
			o.Revoked, o.Named = s.keys.IsRevoked(id), s.keys.Has(id)
		}
		if at.key != "" {
			o.Hash = keys.Hash(at.secret)
		}
		list[id] = o
	}
	return list
}

// EndRemoved ends the connections of workers and runs whose keys have been removed, and forgets
// runs that have left.
func (s *Server) EndRemoved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, one := range s.clients {
		if s.runs != nil && one.keys == s.runs && s.nats.GetClient(one.number) == nil {
			delete(s.clients, id)
		} else if !one.isValid() {
			_ = s.nats.DisconnectClientByID(one.number)
		}
	}
}

// Kick ends the connection of a worker, and lets it connect no more.
func (s *Server) Kick(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.clients[id]
	_ = s.nats.DisconnectClientByID(one.number)
	one.barred = true
	s.clients[id] = one
}

// hostCookie names the cookie by which the Handler tells the server, which itself sees only the
// Handler's connections, from which host a connection comes. The server takes it for the name
// of a user.
const hostCookie = "umpire-host"

// Handler passes the WebSocket connections of workers on to the server.
func (s *Server) Handler() http.Handler {
	to, err := url.Parse(strings.Replace(s.nats.WebsocketURL(), "ws://", "http://", 1))
	if err != nil {
		return http.NotFoundHandler()
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.URL.Path, r.Out.URL.RawQuery = "/", ""
			host, _, _ := net.SplitHostPort(r.In.RemoteAddr)
			r.Out.Header.Set("Cookie", hostCookie+"="+s.hosts+host)
		},
		Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if !s.nats.Running() { // the port may be another's by now
				return nil, net.ErrClosed
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		}},
	}
}
