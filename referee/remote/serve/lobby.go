package serve

import (
	"net/http"
	"slices"

	"umpire/referee/fleet/status"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/standings"
)

// finishedShown is how many finished matches a page of the lobby shows.
const finishedShown = 30

// lobby holds the contents of the lobby.
type lobby struct {
	chrome
	Games     []house.Game
	Lists     lists
	Players   []remote.PlayerInfo
	Current   []titled // matches that wait or run
	Finished  []titled
	Of        matched // whose finished matches they are
	Later     bool    // the finished matches are not the newest ones
	Older     string  // the match before which older ones are; "" if there are none
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
	q := r.URL.Query()
	var view lobby
	err := s.easel.use(func() (err error) {
		if view, err = newLobby(s, q.Get("before"), matched{q.Get("player"), q.Get("opponent")}); err == nil {
			view.Lists, err = view.draw()
		}
		return err
	})
	view.chrome = chrome{"umpire", root}
	return shown{"lobby", view}, err
}

// matched are the players of matches that are looked for; "" is anybody.
type matched struct{ Player, Opponent string }

// in reports whether they play in a match.
func (p matched) in(m remote.MatchInfo) bool {
	for _, name := range []string{p.Player, p.Opponent} {
		if name != "" && !slices.ContainsFunc(m.Seats, func(s remote.SeatSeen) bool { return s.Player == name }) {
			return false
		}
	}
	return true
}

// newLobby describes the lobby, with the finished matches of some after match before, or
// the newest if it is "".
func newLobby(s *Server, before string, of matched) (lobby, error) {
	view := lobby{Of: of, Games: s.Games, Players: s.Hub.Players(), Offers: s.Make != nil}
	if s.Fleet != nil {
		view.Fleet = s.Fleet()
	}
	if err := view.list(s, before); err != nil {
		return view, err
	}
	if s.Standings != nil {
		if now := s.Standings().Of; now.Matches+now.Failed > 0 {
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
	list, ok := s.matches(before, l.Of.Player, "", "")
	if !ok {
		return failed(codeMatch, "there is no match "+remote.Quote(before))
	}
	l.Later = before != "" || l.Of != matched{}
	for m := range list {
		switch {
		case isCurrent(m), !l.Of.in(m), m.State == remote.Void && m.Steps == 0: // the latter may have been given up before it began
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
