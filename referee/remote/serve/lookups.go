package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
)

// lookups is the interface of those who look for games, players and matches.
type lookups struct {
	directory *directory
	access    *access
	easel     *easel
}

// gameInfo is a game as listed.
type gameInfo struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	MinSeats int    `json:"min_seats"`
	MaxSeats int    `json:"max_seats"`
	Human    bool   `json:"human"`
	Batch    bool   `json:"batch"`
}

func infoOf(g house.Game) gameInfo {
	return gameInfo{g.Name, g.Title, g.MinSeats, g.MaxSeats, g.Human, g.Batch}
}

func (l *lookups) listGames(w http.ResponseWriter, _ *http.Request) error {
	list := make([]gameInfo, len(l.directory.games))
	for i, g := range l.directory.games {
		list[i] = infoOf(g)
	}
	return answer(w, list, nil)
}

func (l *lookups) describeGame(w http.ResponseWriter, r *http.Request) error {
	g, err := l.directory.games.Find(r.PathValue("game"))
	return answer(w, struct {
		gameInfo
		Rules  string      `json:"rules"`
		Bots   []house.Bot `json:"bots"`
		Limits string      `json:"limits"`
	}{infoOf(g), g.Rules, append([]house.Bot{}, g.Bots...), g.Limits}, err)
}

func (l *lookups) listPlayers(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, l.directory.hub.Players(), nil)
}

// How many matches are listed at a time.
const (
	usualMatches = 50
	mostMatches  = 200
)

func (l *lookups) listMatches(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	most := usualMatches
	if q.Has("limit") {
		n, err := strconv.Atoi(q.Get("limit"))
		if err != nil || n < 1 || n > mostMatches {
			return failed(remote.CodeArgument, "limit: found "+remote.Quote(q.Get("limit"))+", expected 1 to "+strconv.Itoa(mostMatches))
		}
		most = n
	}
	states := []string{string(remote.Waiting), string(remote.Running), string(remote.Over), string(remote.Void)}
	if q.Has("state") && !slices.Contains(states, q.Get("state")) {
		return failed(remote.CodeArgument, "state: found "+remote.Quote(q.Get("state"))+", expected waiting, running, over or void")
	}
	list, ok := l.directory.list(q.Get("before"), q.Get("player"), q.Get("game"), remote.State(q.Get("state")))
	if !ok {
		return failed(codeMatch, "before: there is no match "+remote.Quote(q.Get("before")))
	}
	found := []remote.MatchInfo{}
	_ = l.easel.use(func() error {
		for m := range list {
			if wanted(q, m) {
				found = append(found, m)
			}
			if len(found) == most {
				break
			}
		}
		return nil
	})
	return answer(w, found, nil)
}

// wanted reports whether a match is one of those asked for.
func wanted(q url.Values, m remote.MatchInfo) bool {
	return (!q.Has("state") || string(m.State) == q.Get("state")) && (!q.Has("game") || m.Game == q.Get("game")) &&
		(!q.Has("player") || slices.ContainsFunc(m.Seats, func(seat remote.SeatSeen) bool { return seat.Player == q.Get("player") }))
}

func (l *lookups) describeMatch(w http.ResponseWriter, r *http.Request) error {
	info, err := l.directory.match(r.PathValue("id"))
	return answer(w, info, err)
}

// showRecord shows the record of a match that is over.
func (l *lookups) showRecord(w http.ResponseWriter, r *http.Request) error {
	info, err := l.directory.match(r.PathValue("id"))
	if err != nil {
		return err
	}
	switch {
	case isCurrent(info):
		return failed(codeRunning, "the match is not over")
	case info.State == remote.Void && !l.access.organises(r): // its case may be played again
		return failed(codeRunning, "the match was cut off before it was over")
	}
	if err := l.directory.concealed(info); err != nil && !l.access.organises(r) {
		return err
	}
	found, err := l.directory.record(info.ID)
	if err != nil {
		return err
	}
	if !l.access.organises(r) {
		found = remote.Public(found)
	}
	return answer(w, found, nil)
}
