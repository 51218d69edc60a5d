package session

import (
	"context"

	"umpire/protocols"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/fleet/status"
	"umpire/referee/program"
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
	Server    *coordinator.Server     // which workers come to; nil if none do
	Several   bool                    // matches, which may be on the same deal
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

// listen begins to listen if players from outside take part.
func (s *Session) listen(standings func() report.Standings) (err error) {
	if !s.hasGuests() || s.Person != nil {
		return nil
	}
	h := Hosting{Games: s.runner.Games, Dir: s.Results.Dir, Standings: standings}
	for _, b := range append([]program.Bot{s.House}, s.Bots...) {
		switch {
		case b.Kind == remote.Program:
			h.Players = append(h.Players, b.Guest)
		case b.Kind == remote.Human && !s.single:
			h.People = append(h.People, b.Guest)
		}
	}
	s.runner.Cut = s.store.KeepCut
	return s.host(h)
}

// host begins to listen: the matches of this machine are shown.
func (s *Session) host(h Hosting) (err error) {
	h.Several = !s.single
	if s.outside, err = s.Listen(h); err != nil {
		return err
	}
	s.store.Archive, s.store.Withdrawn, s.runner.Host = s.outside.Archive, s.outside.Withdrawn, s.outside.Hub
	return nil
}

// closeOutside ends the listening.
func (s *Session) closeOutside(ctx context.Context) {
	if s.outside == nil {
		return
	}
	if err := s.outside.Close(ctx); err != nil {
		s.Machine.Tell.Warn("umpire: warning: %v\n", err)
	}
}
