package serve

import (
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/keys"
	"umpire/referee/program"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
)

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

func (s *Server) listGames(w http.ResponseWriter, _ *http.Request) error {
	list := make([]gameInfo, len(s.Games))
	for i, g := range s.Games {
		list[i] = infoOf(g)
	}
	send(w, http.StatusOK, list)
	return nil
}

// game finds a game by its name.
func (s *Server) game(name string) (house.Game, error) {
	i := slices.IndexFunc(s.Games, func(g house.Game) bool { return g.Name == name })
	if i < 0 {
		return house.Game{}, failed(codeGame, "there is no game "+remote.Quote(name))
	}
	return s.Games[i], nil
}

func (s *Server) describeGame(w http.ResponseWriter, r *http.Request) error {
	g, err := s.game(r.PathValue("game"))
	if err != nil {
		return err
	}
	send(w, http.StatusOK, struct {
		gameInfo
		Rules  string      `json:"rules"`
		Bots   []house.Bot `json:"bots"`
		Limits string      `json:"limits"`
	}{infoOf(g), g.Rules, append([]house.Bot{}, g.Bots...), g.Limits})
	return nil
}

func (s *Server) listPlayers(w http.ResponseWriter, _ *http.Request) error {
	send(w, http.StatusOK, s.Hub.Players())
	return nil
}

func (s *Server) addPlayer(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name string `json:"name"`
	}
	if err := readJSON(w, r, maxBody, &body); err != nil {
		return err
	}
	if err := keys.Player.CheckName(body.Name); err != nil {
		return failed(remote.CodeArgument, err.Error())
	}
	if s.Keys.Has(body.Name) {
		return failed(remote.CodeArgument, body.Name+" has a key already: remove the player first")
	}
	key, err := s.Keys.Add(body.Name)
	if err != nil {
		return err
	}
	send(w, http.StatusCreated, map[string]string{"name": body.Name, "key": key})
	return nil
}

func (s *Server) removePlayer(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	if !s.Keys.Has(name) {
		return &failure{remote.CodeArgument, "there is no player " + remote.Quote(name), http.StatusNotFound}
	}
	if err := s.Keys.Remove(name); err != nil {
		return err
	}
	for _, match := range s.Hub.Remove(name) {
		if s.Cancel != nil {
			s.Cancel(match)
		}
	}
	send(w, http.StatusOK, struct{}{})
	return nil
}

// How many matches are listed at a time.
const (
	usualMatches = 50
	mostMatches  = 200
)

// matches yields the matches that are known, newest first, from the one after
// match before on, if that is not ""; ok is false if there is no such match. Finished
// matches of others than a player, a game and a state may be left out, unless these are "".
func (s *Server) matches(before, player, game string, state remote.State) (list iter.Seq[remote.MatchInfo], ok bool) {
	var tables []remote.MatchInfo
	known := make(map[string]bool)
	for _, t := range s.Hub.Tables() {
		info := told(s, t.Info())
		known[info.ID] = true
		tables = append(tables, info)
	}
	end, ok := s.Archive.Position(before)
	if i := slices.IndexFunc(tables, func(m remote.MatchInfo) bool { return m.ID == before }); i >= 0 {
		tables = tables[i+1:]
		end, ok = s.Archive.Position("")
	} else if before != "" {
		tables = nil
	}
	return func(yield func(remote.MatchInfo) bool) {
		for _, info := range tables {
			if !yield(info) {
				return
			}
		}
		if isCurrent(remote.MatchInfo{State: state}) {
			return // none of these are finished
		}
		for info := range s.Archive.Before(end, player, game) {
			if !known[info.ID] && !yield(told(s, info)) {
				return
			}
		}
	}, ok
}

func (s *Server) listMatches(w http.ResponseWriter, r *http.Request) error {
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
	list, ok := s.matches(q.Get("before"), q.Get("player"), q.Get("game"), remote.State(q.Get("state")))
	if !ok {
		return failed(codeMatch, "before: there is no match "+remote.Quote(q.Get("before")))
	}
	found := []remote.MatchInfo{}
	_ = s.easel.use(func() error {
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
	send(w, http.StatusOK, found)
	return nil
}

// wanted reports whether a match is one of those asked for.
func wanted(q url.Values, m remote.MatchInfo) bool {
	return (!q.Has("state") || string(m.State) == q.Get("state")) && (!q.Has("game") || m.Game == q.Get("game")) &&
		(!q.Has("player") || slices.ContainsFunc(m.Seats, func(seat remote.SeatSeen) bool { return seat.Player == q.Get("player") }))
}

// match finds a match by its id or that of its record.
func (s *Server) match(id string) (remote.MatchInfo, error) {
	if t := s.Hub.Table(id); t != nil {
		return told(s, t.Info()), nil
	}
	if info, ok := s.Archive.Find(id); ok {
		return told(s, info), nil
	}
	return remote.MatchInfo{}, failed(codeMatch, "there is no match "+remote.Quote(id))
}

func (s *Server) describeMatch(w http.ResponseWriter, r *http.Request) error {
	info, err := s.match(r.PathValue("id"))
	if err != nil {
		return err
	}
	send(w, http.StatusOK, info)
	return nil
}

// showRecord shows the record of a match that is over.
func (s *Server) showRecord(w http.ResponseWriter, r *http.Request) error {
	info, err := s.match(r.PathValue("id"))
	if err != nil {
		return err
	}
	switch {
	case info.State == remote.Waiting || info.State == remote.Running:
		return failed(codeRunning, "the match is not over")
	case info.State == remote.Void && !s.organises(r): // its case may be played again
		return failed(codeRunning, "the match was cut off before it was over")
	}
	if err := concealed(s, info); err != nil && !s.organises(r) {
		return err
	}
	found, ok, err := s.Archive.Record(info.ID)
	switch {
	case err != nil:
		return err
	case !ok:
		return failed(codeMatch, "there is no record of this match")
	}
	if !s.organises(r) {
		found = remote.Public(found)
	}
	send(w, http.StatusOK, found)
	return nil
}

// makeMatch makes a match for the organiser or a player.
func (s *Server) makeMatch(w http.ResponseWriter, r *http.Request) error {
	if s.Make == nil {
		return &failure{codeMethod, "this umpire plays its own matches: POST is for umpire serve", http.StatusMethodNotAllowed}
	}
	by, isPlayer := s.Keys.Find(secret(r))
	if !isPlayer && !s.organises(r) {
		return s.refused(r, failed(codeToken, "making a match needs the organiser's token or a player's key"))
	}
	var o house.Order
	if err := readJSON(w, r, maxBody, &o); err != nil {
		return err
	}
	if isPlayer {
		o.By = by
		if err := s.playersOrder(o); err != nil {
			return err
		}
		if !s.orders.take(by) {
			w.Header().Set("Retry-After", strconv.Itoa(orderEvery))
			return failed(codeRate, fmt.Sprintf("too many matches asked for by %s: one every %d s is begun", by, orderEvery))
		}
	}
	t, err := s.Make(r.Context(), o)
	if err != nil {
		return err
	}
	type seat struct {
		remote.SeatSeen
		Link string `json:"link,omitempty"`
	}
	info := t.Info()
	made := struct {
		remote.MatchInfo
		Seats []seat `json:"seats"`
	}{MatchInfo: info}
	for i, seen := range info.Seats {
		one := seat{SeatSeen: seen}
		if t.Fixture().Seats[i].Kind == remote.Human && (!isPlayer || t.Fixture().Seats[i].Guest == by) {
			one.Link = s.base.Path + Link(t, i+1)
		}
		made.Seats = append(made.Seats, one)
	}
	send(w, http.StatusCreated, made)
	return nil
}

// PersonPage is where a person finds all its matches, below the server's URL, before the
// person's key.
const PersonPage = "/play#"

// Link is where a person takes a seat, below the server's URL. What follows the
// # is never sent to a server.
func Link(t *remote.Table, seat int) string { return "/play/" + t.ID() + "#" + t.Ticket(seat) }

// playersOrder checks a match that a player asks for: it takes a seat of its
// own, and its opponents have agreed to play or are bots of the game.
func (s *Server) playersOrder(o house.Order) error {
	if o.Case != "" || o.TimeMS != nil || o.MoveMS != nil {
		return forbidden(codeSeats, "only the organiser chooses the case and the limits")
	}
	own := false
	g, err := s.game(o.Game)
	if err != nil {
		return err
	}
	for _, label := range o.Seats {
		kind, name, ok := program.SplitGuest(label)
		switch {
		case !ok && (strings.HasPrefix(label, "@") || g.Has(label)):
		case ok && name == o.By:
			own = true
		case ok && kind == remote.Program && s.Hub.WaitsFor(name, o.Game):
			if o.Seed != nil {
				return forbidden(codeSeats, "found a seed, from which you could know the case before "+name+" does: leave it out")
			}
		default:
			return forbidden(codeSeats, "found "+remote.Quote(label)+", expected yourself, one of the game's bots, or a player that waits for a seat in this game")
		}
	}
	if !own {
		return forbidden(codeSeats, "found no seat for "+o.By+", who asks for the match")
	}
	return nil
}

// cancelMatch ends a match that is not over.
func (s *Server) cancelMatch(w http.ResponseWriter, r *http.Request) error {
	info, err := s.match(r.PathValue("id"))
	if err != nil {
		return err
	}
	if s.Cancel == nil {
		return &failure{codeMethod, "this umpire plays its own matches: DELETE is for umpire serve", http.StatusMethodNotAllowed}
	}
	if !s.Cancel(info.ID) {
		return failed(codeMatch, "the match has ended")
	}
	send(w, http.StatusOK, struct{}{})
	return nil
}
