package session

import (
	"context"

	"umpire/referee/program"
	"umpire/referee/remote"
	"umpire/referee/report"
)

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
	h.Shared = standings == nil && s.several && len(h.Players)+len(h.People) > 1
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
