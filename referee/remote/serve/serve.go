// Package serve offers a remote.Hub over HTTP: a JSON interface for programs
// and people, SOAP, and a stream of events for onlookers. It takes no path and
// no command from outside. It knows no game.
//
// Its files stand in layers, and none uses one above its own. At the bottom are
// answers and the bodies of requests, bounds, addresses and connections; then
// who asks, in access.go, and what there is to see, in directory.go; then how
// that is drawn, in replays.go and showing.go. Upon these are the interfaces of
// players, of SOAP, of onlookers and of the organiser, and the pages. service.go
// puts all together, and serve.go listens.
package serve

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server serves a hub.
type Server struct {
	Config
	address address
	listen  net.Listener
	service *service
	http    http.Server
	done    chan error
	ended   chan struct{}  // closed when event streams must end
	watch   sync.WaitGroup // for what watches the keys
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
	s := &Server{Config: c, done: make(chan error, 1), ended: make(chan struct{})}
	limited := limitConnections(listener, connectionLimits{
		proxies: c.Proxies, strangers: maxConnections, address: maxAddress, players: maxPlayers, player: maxPlayer, surplus: maxSurplus,
		patience: headerTime + time.Second, // by then those who send nothing are gone
	})
	secure := c.TLS.Clone()
	if secure != nil {
		// Not HTTP/2: there a header may take a minute, and a connection holds
		// many requests, so that the limits would mean little.
		secure.NextProtos = []string{"http/1.1"}
	}
	s.listen = answerListener{limited, secure}
	if s.address, err = addressOf(c, listener.Addr()); err != nil {
		return nil, err
	}
	s.URL = s.address.url
	s.service = newService(c, s.address, s.ended)
	s.http = http.Server{
		Handler: handled(s.withWorkers(s.service.handler(c.Access))), ReadHeaderTimeout: headerTime, IdleTimeout: time.Minute,
		MaxHeaderBytes: maxHeader - 4096, // to which net/http adds this
		ConnContext:    withConnection,
		ConnState:      noteState,
		ErrorLog:       log.New(io.Discard, "", 0), // of broken connections
		// Every answer has the guard's headers, also that to OPTIONS *.
		DisableGeneralOptionsHandler: true,
	}
	return s, nil
}

// Everywhere reports whether it listens at all addresses of this machine, and
// no URL was given, so that URL, with localhost, is for this machine alone.
func (s *Server) Everywhere() bool { return s.address.everywhere() }

// Start begins to answer. Close must be called.
func (s *Server) Start() {
	go func() { s.done <- s.http.Serve(s.listen) }()
	s.watch.Go(s.watchKeys)
}

// watchKeys has the hub notice that other programs remove players, until the server ends.
func (s *Server) watchKeys() {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			s.Hub.CheckKeys()
		case <-s.ended:
			return
		}
	}
}

// Close ends the server: waiting requests get a problem, those in progress are
// answered. The hub must have been stopped, or no player will come any more.
func (s *Server) Close() error {
	close(s.ended)
	s.watch.Wait()
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
