package serve

import (
	"net/http"
	"slices"
	"sync"

	"umpire/referee/remote"
	"umpire/referee/standings"
)

// finishedShown is how many finished matches a page of the lobby shows.
const finishedShown = 30

// lobby is what the lobby shows.
type lobby struct {
	chrome
	Games     []Game
	Players   []remote.PlayerInfo
	Current   []titled // matches that wait or run
	Finished  []titled
	Later     bool   // the finished matches are not the newest ones
	Older     string // the match before which older ones are; "" if there are none
	Standings *standings.Standings
	Offers    bool // matches can be asked for
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
	var ended []titled
	for _, m := range s.matches() {
		if m.State == remote.Waiting || m.State == remote.Running {
			view.Current = append(view.Current, s.titled(m))
		} else {
			ended = append(ended, s.titled(m))
		}
	}
	if before := r.URL.Query().Get("before"); before != "" {
		i := slices.IndexFunc(ended, func(m titled) bool { return m.ID == before })
		if i < 0 {
			return shown{}, failed(codeMatch, "there is no match "+quote(before))
		}
		ended, view.Later = ended[i+1:], true
	}
	view.Finished = ended[:min(len(ended), finishedShown)]
	if len(ended) > finishedShown {
		view.Older = ended[finishedShown-1].ID
	}
	var err error
	view.Standings, err = s.board.standings(s)
	return shown{"lobby", view}, err
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
