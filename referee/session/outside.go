package session

import (
	"context"

	"umpire/protocols"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/report"
)

// Hosting is what those who come from outside get from a session.
type Hosting struct {
	Games     []protocols.Game
	Dir       string                  // folder of the results; "" if they are not kept
	Players   []string                // remote players, who need keys
	People    []string                // people, of whom each needs a page for all its matches
	Standings func() report.Standings // so far; nil if there are none
	Fleet     func() *status.Fleet    // the workers; nil if none can come
	Server    *broker.Server          // which workers come to; nil if none do
	Several   bool                    // matches, which may be on the same deal
	Shared    bool                    // several players from outside play the same cases, one after the other
}

// Outside is where players from outside and onlookers come to the matches.
type Outside struct {
	Hub     *remote.Hub
	Archive func(r record.Record, line []byte) error // see Store
	// Withdrawn is told that the results file has been replaced.
	Withdrawn func() error
	// Close ends the listening, when the players have been told how their matches
	// ended, or ctx ends.
	Close func(ctx context.Context) error
}
