// Package worker plays matches for a coordinator elsewhere; see package fleet for what
// they say to each other.
//
// From the bottom:
//
//	worker.go    a worker, and what ends it
//	dial.go      connections to servers, and why there is none
//	programs.go  programs are fetched, by digest
//	pause.go     a worker whose contestants wait for CPUs
//	runs.go      the runs of a server: what is known of each, whose turn it is, beats and orders
//	outbox.go    the records of a job, on their way
//	slot.go      a slot takes a job, plays it and stores its records
//	line.go      a worker's connection: runs are found, and slots play
//	look.go      an onlooker asks for the state of the run
package worker

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

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
	Build     fleet.Build // its executable; zero: not said
	Abilities []program.Ability
	Labels    []string // which runs may need
	NoPause   bool     // play on while contestants wait for CPUs
	Own       string   // run whose coordinator's it is, which has no need to read what it knows; it plays for no other
	// Local plays the matches: its games, and Jobs at a time on its CPUs. What it says for records
	// (Isolation, Umpire, CPU) runs are told, too. Players, if there are any, need not be fetched.
	Local arena.Local
	// Player makes a player of a package that has been fetched. Calls may be concurrent,
	// of different digests.
	Player func(ctx context.Context, digest string, p *program.Package) (referee.Player, error)
	// Game makes what prepares a runner for the matches of a game, of the package of its
	// folder; nil: Local is prepared. Calls may be concurrent, of different digests.
	Game func(ctx context.Context, digest string, p *program.Package) (prepare func(*arena.Local), err error)
	// Check, if not nil, returns why this machine can't play, such as a full disk.
	// It is asked when umpire has failed to play a match, which says nothing about the match
	// then: it is for another worker, and this one ends.
	Check func() error
	// Patience is how long a coordinator that can't be reached is waited for; 0:
	// for ever.
	Patience time.Duration
	// Idle is how long a server that is there may have no run; 0: for ever.
	Idle time.Duration
	// Note, if not nil, is told in a line what happens.
	Note func(format string, args ...any)
}

// Why work ends.
var (
	ErrEnded     = errors.New("the run has ended")                             // and with it its server, so a worker ends as well
	errUnbegun   = errors.New("it finishes what it plays, and begins no more") // when it is stopped, or after Drain of the coordinator
	errLeft      = errors.New("it ends")                                       // when it is stopped, or has been idle for too long
	errNotNeeded = errors.New("nobody waits for its records")                  // a job that others have finished
)

// missing returns an error when the coordinator has not been heard of since a
// time, and that is too long.
func (w *Worker) missing(since time.Time) error {
	if w.Patience > 0 && time.Since(since) > w.Patience {
		return fmt.Errorf("no coordinator at %s for %s", fleet.HideSecrets(w.URL), w.Patience)
	}
	return nil
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
