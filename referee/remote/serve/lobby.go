package serve

import (
	"net/http"
	"sync"

	"umpire/referee/remote"
	"umpire/referee/report"
	"umpire/referee/standings"
)

// finishedShown is how many finished matches a page of the lobby shows.
const finishedShown = 30

// lobby holds the contents of the lobby.
type lobby struct {
	chrome
	Games     []Game
	Players   []remote.PlayerInfo
	Current   []titled // matches that wait or run
	Finished  []titled
	Later     bool   // the finished matches are not the newest ones
	Older     string // the match before which older ones are; "" if there are none
	Standings *standings.Standings
	Fleet     *report.Fleet // nil if no workers play
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
	view := lobby{chrome: chrome{"umpire", root}, Games: s.Games, Players: s.Hub.Players(), Offers: s.Make != nil}
	if s.Fleet != nil {
		view.Fleet = s.Fleet()
	}
	if err := view.list(s, r.URL.Query().Get("before")); err != nil {
		return shown{}, err
	}
	var err error
	view.Standings, err = s.board.standings(s)
	return shown{"lobby", view}, err
}

// list lists the matches that are being played, and the finished ones after
// match before, or the newest if it is "".
func (l *lobby) list(s *Server, before string) error {
	for _, t := range s.Hub.Tables() {
		if m := t.Info(); isCurrent(m) {
			l.Current = append(l.Current, s.titled(m))
		}
	}
	found := before == ""
	l.Later = !found
	for m := range s.matches() {
		switch {
		case isCurrent(m):
		case !found:
			found = m.ID == before
		case len(l.Finished) == finishedShown:
			l.Older = l.Finished[finishedShown-1].ID
			return nil
		default:
			l.Finished = append(l.Finished, s.titled(m))
		}
	}
	if !found {
		return failed(codeMatch, "there is no match "+quote(before))
	}
	return nil
}

func isCurrent(m remote.MatchInfo) bool {
	return m.State == remote.Waiting || m.State == remote.Running
}

// scoreboard keeps the standings for as long as no match has been added.
type scoreboard struct {
	mu      sync.Mutex
	matches int // of which it is; 0: none
	last    *standings.Standings
}

// standings returns the standings of the tournament that is being played; nil
// if none is.
func (b *scoreboard) standings(s *Server) (*standings.Standings, error) {
	matches := s.Archive.count()
	if s.Standings == nil || matches == 0 {
		return nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.matches != matches {
		last, err := s.Standings()
		if err != nil {
			return nil, err
		}
		b.matches, b.last = matches, &last
	}
	return b.last, nil
}

// count is the number of matches that have been kept.
func (a *Archive) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.entries)
}
