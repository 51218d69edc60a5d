// Package worker plays matches for a coordinator elsewhere; see package fleet for what
// they say to each other.
//
//	worker.go    a worker, and its connection
//	line.go      the runs of a server, and whose turn it is
//	playing.go   a run that the worker plays for: beats, orders
//	slot.go      a slot takes a job, plays it and stores its records
//	outbox.go    the records of a job, on their way
//	programs.go  programs are fetched, by digest
//	pause.go     a worker whose contestants wait for CPUs
//	dial.go      connections to servers, and why there is none
//	look.go      an onlooker asks for the state of the run
package worker

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
)

// Worker plays what a coordinator elsewhere wants played.
type Worker struct {
	URL       string      // http:, https:, nats: or tls:, where the coordinator or its NATS server is
	Token     string      // the workers' secret
	Insecure  bool        // the secret may go beyond this machine without TLS
	TLS       *tls.Config // nil: the system's
	Name      string      // for people; "": that of the machine
	Version   string      // umpire's
	Build     fleet.Build // its executable; zero: not said
	Isolation string      // level
	CPU       string      // model of the processors
	Abilities []program.Ability
	Labels    []string // which runs may need
	NoPause   bool     // play on while contestants wait for CPUs
	Own       bool     // it is the coordinator's, which has no need to read what it knows, and plays for no other run
	// Local plays the matches: its games, and Jobs at a time on its
	// CPUs. Players, if there are any, need not be fetched.
	Local arena.Local
	// Player makes a player of a package that has been fetched. Calls may be concurrent,
	// of different digests.
	Player func(ctx context.Context, digest string, p *program.Package) (referee.Player, error)
	// Game makes what prepares a runner for the matches of a game, of the package of its
	// folder; nil: Local is prepared. Calls may be concurrent, of different digests.
	Game func(ctx context.Context, digest string, p *program.Package) (prepare func(*arena.Local), err error)
	// Check, if not nil, returns why this machine can't play, such as a full disk.
	// It is asked when umpire has failed to play a match; the worker then ends.
	Check func() error
	// Patience is how long a coordinator that can't be reached is waited for; 0:
	// for ever.
	Patience time.Duration
	// Idle is how long a server that is there may have no run; 0: for ever.
	Idle time.Duration
	// Stop, once it is closed, has the worker finish the matches that it plays,
	// begin no more, and end; nil: never.
	Stop <-chan struct{}
	// Note, if not nil, is told in a line what happens.
	Note func(format string, args ...any)
}

// Why work ends.
var (
	ErrEnded     = errors.New("the run has ended")                             // and with it its server, so a worker ends as well
	errUnbegun   = errors.New("it finishes what it plays, and begins no more") // after Stop, or Drain of the coordinator
	errLeft      = errors.New("it ends")                                       // after Stop
	errNotNeeded = errors.New("nobody waits for its records")                  // a job that others have finished
)

// Run plays until Stop is closed, or the run has ended of a server that ends with it,
// which are no errors, or ctx ends. It waits for a coordinator that is not there.
func (w *Worker) Run(ctx context.Context) error {
	address, err := fleet.Addresses(w.URL, w.Insecure || w.TLS != nil)
	if err != nil {
		return err
	}
	if w.Note == nil {
		w.Note = func(string, ...any) {}
	}
	joining, joined := until(ctx, w.Stop)
	defer joined()
	secret := fleet.NewSecret()
	id, err := w.whoAmI(joining, address, secret)
	if err != nil {
		return err
	}
	nc, err := w.connect(joining, address, Options(id, secret))
	if err == nil {
		err = w.Play(ctx, nc, fleet.Names{}, id, secret)
	}
	if errors.Is(err, ErrEnded) || errors.Is(err, errLeft) {
		return nil
	}
	return err
}

// whoAmI returns the worker's id: that of its secret, unless an existing server does not
// let the worker's user speak as anybody. Then it is the name of the user.
func (w *Worker) whoAmI(ctx context.Context, address, secret string) (id string, err error) {
	user := fleet.UserOf(w.URL)
	if !fleet.IsUser(user) {
		return fleet.IDOf(secret), nil
	}
	nc, err := w.connect(ctx, address, nil)
	if err != nil {
		return "", err
	}
	defer nc.Close()
	if err = nc.Publish(fleet.HelloTo(fleet.Probe), nil); err == nil {
		err = nc.FlushTimeout(fleet.AskWait)
	}
	switch {
	case errors.Is(nc.LastError(), nats.ErrPermissionViolation):
		return user, nil
	case err != nil:
		return "", fmt.Errorf("ask the NATS server what this worker may do: %w", err)
	}
	return fleet.IDOf(secret), nil
}

// missing returns an error when the coordinator has not been heard of since a
// time, and that is too long.
func (w *Worker) missing(since time.Time) error {
	if w.Patience > 0 && time.Since(since) > w.Patience {
		return fmt.Errorf("no coordinator at %s for %s", fleet.HideSecrets(w.URL), w.Patience)
	}
	return nil
}

// connect waits for a server. A wrong token, and a certificate that is not
// trusted, are errors at once.
func (w *Worker) connect(ctx context.Context, address string, options []nats.Option) (*nats.Conn, error) {
	since := time.Now()
	for first := true; ; first = false {
		nc, err := Dial(address, w.Token, w.TLS, w.Note, options...)
		if err == nil {
			return nc, nil
		}
		if errors.Is(err, nats.ErrAuthorization) {
			return nil, w.unauthorized()
		}
		if IsUntrusted(err) {
			return nil, &fleet.AddressError{Err: err}
		}
		if first {
			w.Note("umpire: no coordinator at %s (%v); trying again\n", fleet.HideSecrets(w.URL), err)
		}
		if err := w.missing(since); err != nil {
			return nil, err
		}
		if err := Wait(ctx, fleet.BeatEvery); err != nil {
			return nil, err
		}
	}
}

// until returns a context that also ends when a channel is closed; nil never is.
func until(ctx context.Context, stop <-chan struct{}) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-stop:
			cancel(errLeft)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Wait waits for a time, or until ctx ends.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
