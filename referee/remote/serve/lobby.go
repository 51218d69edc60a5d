package serve

import (
	"net/http"

	"umpire/referee/fleet/status"
	"umpire/referee/remote"
	"umpire/referee/standings"
)

// finishedShown is how many finished matches a page of the lobby shows.
const finishedShown = 30

// lobby holds the contents of the lobby.
type lobby struct {
	chrome
	Games     []Game
	Lists     lists
	Players   []remote.PlayerInfo
	Current   []titled // matches that wait or run
	Finished  []titled
	Later     bool   // the finished matches are not the newest ones
	Older     string // the match before which older ones are; "" if there are none
	Standings *standings.Standings
	Fleet     *status.Fleet // nil if no workers play
	Offers    bool          // matches can be asked for
}

// Online lists the players that are there.
func (l lobby) Online() (list []remote.PlayerInfo) {
	for _, p := range l.Players {
		if p.Online {
			list = append(list, p)
		}
	}
	return list
}

func (s *Server) lobbyPage(r *http.Request, root string) (shown, error) {
	view, err := newLobby(s, r.URL.Query().Get("before"))
	if err != nil {
		return shown{}, err
	}
	view.chrome = chrome{"umpire", root}
	err = s.easel.use(func() (err error) { view.Lists, err = view.draw(); return err })
	return shown{"lobby", view}, err
}

// newLobby describes the lobby, with the finished matches after match before, or the newest
// if it is "".
func newLobby(s *Server, before string) (lobby, error) {
	view := lobby{Games: s.Games, Players: s.Hub.Players(), Offers: s.Make != nil}
	if s.Fleet != nil {
		view.Fleet = s.Fleet()
	}
	if err := view.list(s, before); err != nil {
		return view, err
	}
	if s.Standings != nil {
		if now := s.Standings(); now.Matches+now.Failed > 0 {
			view.Standings = now
		}
	}
	return view, nil
}

// list lists the matches that are being played, and the finished ones after
// match before, or the newest if it is "".
func (l *lobby) list(s *Server, before string) error {
	for _, t := range s.Hub.Tables() {
		if m := t.Info(); isCurrent(m) {
			l.Current = append(l.Current, s.titled(m))
		}
	}
	list, ok := s.matches(before, "", "", "")
	if !ok {
		return failed(codeMatch, "there is no match "+quote(before))
	}
	l.Later = before != ""
	for m := range list {
		switch {
		case isCurrent(m), m.State == remote.Void && m.Steps == 0: // the latter may have been given up before it began
		case len(l.Finished) == finishedShown:
			l.Older = l.Finished[finishedShown-1].ID
			return nil
		default:
			l.Finished = append(l.Finished, s.titled(m))
		}
	}
	return nil
}

func isCurrent(m remote.MatchInfo) bool {
	return m.State == remote.Waiting || m.State == remote.Running
}
