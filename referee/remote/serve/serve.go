// Package serve offers a remote.Hub over HTTP: a JSON interface for programs
// and people, SOAP, and a stream of events for onlookers. It takes no path and
// no command from outside. It knows no game.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"umpire/referee/fleet/status"
	"umpire/referee/keys"
	"umpire/referee/remote"
	"umpire/referee/remote/archive"
	"umpire/referee/remote/house"
	"umpire/referee/report"
	"umpire/referee/report/html"
)

// Config configures a Server.
type Config struct {
	Hub     *remote.Hub
	Keys    *keys.File
	Games   []house.Game
	Archive *archive.Archive // finished matches
	Listen  string           // address, as net.Listen takes it
	URL     string           // public base, without a slash at the end; "": where it listens
	Token   string           // the organiser's secret
	Private bool             // looking needs a secret
	Embed   string           // the origin whose pages may frame those of matches, as in https://example.org; "": none
	TLS     *tls.Config
	Proxies []netip.Prefix // addresses of proxies whose X-Forwarded-For counts
	Access  io.WriteCloser // log of requests, which the server closes; nil: there is none

	// Make makes a match that has been asked for, and returns its table when it
	// is open. An error that is a *remote.Problem is for the one who asked. If it is nil, no match can be asked for.
	Make func(ctx context.Context, o house.Order) (*remote.Table, error)
	// Cancel ends a match that is not over; ok is false if there is none with
	// the id. It is not nil where Make is not.
	Cancel func(id string) (ok bool)
	// Clients holds programs that play here, in several languages: see client.
	Clients fs.FS
	// Standings, if not nil, returns those of the tournament that is being
	// played, with its rounds. Calls may be concurrent.
	Standings func() report.Standings
	// Workers, if not nil, answers WebSocket connections, which are those of
	// workers.
	Workers http.Handler
	// WorkersToken is their secret, with which metrics may be read as well.
	WorkersToken string
	// Fleet, if not nil, describes the workers that play; nil before they do.
	Fleet func() *status.Fleet
	// Several says that matches may be on the same deal: what was played in a hidden one
	// is not shown when it is over.
	Several bool
	// Failed, if not nil, is called with why umpire could not answer a request:
	// at most ten times, then once a minute. Calls may be concurrent.
	Failed func(error)
}

// Limits of a server.
const (
	maxConnections = 1000 // but for those of players
	maxAddress     = 800  // of these from one address: a class of 130 behind it, whose browsers open 6 each
	maxPlayers     = 4000 // connections of players
	maxPlayer      = 1000 // of these of one player: for each of its sessions some
	maxSurplus     = 1000 // connections beyond these bounds
	maxOnlookers   = 500  // event streams of strangers, and as many of players, so that half of the connections stay free for other requests
	maxOnlooking   = 400  // event streams of an address: that class, looking on at several matches each
	maxWatchers    = 250  // event streams of lobbies, of the other half
	maxWatching    = 200  // of these of one address
	orderEvery     = 10   // seconds between matches that a player asks for, but for the first five
	maxOwnLooks    = 100  // event streams of a player
	maxHeader      = 16 << 10
	headerTime     = 5 * time.Second
	bodyTime       = 10 * time.Second
	writeTime      = 10 * time.Second // in addition to the time a request waits
	drainTime      = 4 * time.Second
)

// Server serves a hub.
type Server struct {
	Config
	public bool // its URL was given
	base   *url.URL
	listen net.Listener
	http   http.Server
	fresh  *throttle // requests that bring nothing new, by secret
	wrong  *throttle // wrong secrets, by address
	past   *throttle // looks at all that happened in matches that are over, by address
	orders *throttle // matches that players ask for, by player
	looks  crowd     // event streams of strangers, by address
	guests crowd     // event streams of players and people, by their secrets' holders
	// watchers are the event streams of lobbies, by address.
	watchers crowd
	feed     feed
	proxies  proxies
	// failures bounds how often Failed is called.
	failures *throttle
	done     chan error
	ended    chan struct{} // closed when event streams must end

	showings showings // matches with onlookers
	replays  cache[html.Fragment]
	recorded cache[[]frame] // events of matches that are over
	easel    easel
}

// New listens on the configured address. Start begins to answer.
func New(c Config) (*Server, error) {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, err
	}
	s, err := newServer(c, listener)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return s, nil
}

// newServer makes a server that accepts the connections of a listener.
func newServer(c Config, listener net.Listener) (_ *Server, err error) {
	s := &Server{
		Config: c, done: make(chan error, 1), ended: make(chan struct{}),
		fresh: newThrottle(20, 10), wrong: newThrottle(20, 1),
		orders: newThrottle(5, 1.0/orderEvery), past: newThrottle(30, 2), failures: newThrottle(10, 1.0/60),
		looks:    crowd{most: maxOnlookers, each: maxOnlooking, cause: "from this address"},
		guests:   crowd{most: maxOnlookers, each: maxOwnLooks, cause: "with this secret"},
		watchers: crowd{most: maxWatchers, each: maxWatching, cause: "of the lobby from this address"},
		proxies:  c.Proxies, replays: cache[html.Fragment]{most: replaysKept}, recorded: cache[[]frame]{most: recordedKept},
	}
	s.listen = limitConnections(listener, connectionLimits{
		proxies: c.Proxies, strangers: maxConnections, address: maxAddress, players: maxPlayers, player: maxPlayer, surplus: maxSurplus,
		patience: headerTime + time.Second, // by then those who send nothing are gone
	})
	if c.TLS != nil {
		// Not HTTP/2: there a header may take a minute, and a connection holds
		// many requests, so that the limits would mean little.
		secure := c.TLS.Clone()
		secure.NextProtos = []string{"http/1.1"}
		s.listen = tls.NewListener(s.listen, secure)
	}
	s.listen = answerListener{s.listen}
	if s.public = s.URL != ""; !s.public {
		s.URL = s.ownURL()
	}
	if s.base, err = url.Parse(s.URL); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	s.http = http.Server{
		Handler: s.handler(), ReadHeaderTimeout: headerTime, IdleTimeout: time.Minute,
		MaxHeaderBytes: maxHeader - 4096, // to which net/http adds this
		ConnContext:    withConnection,
		ConnState:      noteState,
		ErrorLog:       quiet(),
		// Every answer has the guard's headers, also that to OPTIONS *.
		DisableGeneralOptionsHandler: true,
	}
	return s, nil
}

// ownURL is the URL of the address at which the server listens.
func (s *Server) ownURL() string {
	scheme := "http"
	if s.TLS != nil {
		scheme = "https"
	}
	host := s.listen.Addr().String()
	if _, port, err := net.SplitHostPort(host); err == nil && s.Everywhere() {
		host = net.JoinHostPort("localhost", port)
	}
	return scheme + "://" + host
}

// Everywhere reports whether it listens at all addresses of this machine, and
// no URL was given, so that URL, with localhost, is for this machine alone.
func (s *Server) Everywhere() bool {
	at, ok := s.listen.Addr().(*net.TCPAddr)
	return ok && at.IP.IsUnspecified() && !s.public
}

// Addr is the address at which the server listens.
func (s *Server) Addr() net.Addr { return s.listen.Addr() }

// Start begins to answer. Close must be called.
func (s *Server) Start() { go func() { s.done <- s.http.Serve(s.listen) }() }

// Close ends the server: waiting requests get a problem, those in progress are
// answered. The hub must have been stopped, or no player will come any more.
func (s *Server) Close() error {
	close(s.ended)
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	if s.Access != nil {
		defer s.Access.Close()
	}
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// handler returns everything that the server answers.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, m := range s.api() {
		mux.Handle("/api/v1/"+pattern, s.by(m))
	}
	mux.HandleFunc("/soap", s.soap)
	mux.Handle("/healthz", s.by(methods{"GET": func(w http.ResponseWriter, _ *http.Request) error {
		_, err := io.WriteString(w, "ok\n")
		return err
	}}))
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, codeNotFound, "no such address: "+r.URL.Path)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, codeNotFound, "no such address: "+r.URL.Path)
	})
	s.addPages(mux)
	s.addMetrics(mux)
	return handled(s.withWorkers(compressed(logged(s, s.guard(mux)))))
}

// compressed compresses what is long, but for streams of events: each would need a
// compressor of its own for as long as it is open.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.ExceptContentTypes([]string{eventStream}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(next)
}

// withWorkers gives the connections of workers to Workers.
func (s *Server) withWorkers(next http.Handler) http.Handler {
	if s.Workers == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			s.Workers.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
