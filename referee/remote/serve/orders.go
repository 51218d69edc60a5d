package serve

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"umpire/referee/keys"
	"umpire/referee/program"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
)

// desk is the interface of the organiser, and of players who ask for matches.
type desk struct {
	directory *directory
	access    *access
	root      string       // path of the server's URL
	house     *house.House // nil: no match can be asked for
	often     *throttle    // matches that players ask for, by player
}

func (d *desk) addPlayer(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name string `json:"name"`
	}
	if err := readJSON(w, r, maxBody, &body); err != nil {
		return err
	}
	if err := keys.Player.CheckName(body.Name); err != nil {
		return failed(remote.CodeArgument, err.Error())
	}
	if d.access.keys.Has(body.Name) {
		return failed(remote.CodeArgument, body.Name+" has a key already: remove the player first")
	}
	key, err := d.access.keys.Add(body.Name)
	if err != nil {
		return err
	}
	send(w, http.StatusCreated, map[string]string{"name": body.Name, "key": key})
	return nil
}

func (d *desk) removePlayer(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	if !d.access.keys.Has(name) {
		return &failure{remote.CodeArgument, "there is no player " + remote.Quote(name), http.StatusNotFound}
	}
	if err := d.access.keys.Remove(name); err != nil {
		return err
	}
	d.directory.hub.Remove(name)
	return answer(w, struct{}{}, nil)
}

// makeMatch makes a match for the organiser or a player.
func (d *desk) makeMatch(w http.ResponseWriter, r *http.Request) error {
	if d.house == nil {
		return failed(codeMethod, "this umpire plays its own matches: POST is for umpire serve")
	}
	by, isPlayer := d.access.keys.Find(secret(r))
	if !isPlayer && !d.access.organises(r) {
		return d.access.refused(r, failed(codeToken, "making a match needs the organiser's token or a player's key"))
	}
	var o house.Order
	if err := readJSON(w, r, maxBody, &o); err != nil {
		return err
	}
	if isPlayer {
		o.By = by
		if err := d.playersOrder(o); err != nil {
			return err
		}
		if !d.often.take(by) {
			w.Header().Set("Retry-After", strconv.Itoa(orderEvery))
			return failed(remote.CodeRate, fmt.Sprintf("too many matches asked for by %s: one every %d s is begun", by, orderEvery))
		}
	}
	t, err := d.house.Make(r.Context(), o)
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
			one.Link = d.root + Link(t, i+1)
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
func (d *desk) playersOrder(o house.Order) error {
	if o.Case != "" || o.TimeMS != nil || o.MoveMS != nil {
		return forbidden(house.CodeSeats, "only the organiser chooses the case and the limits")
	}
	own := false
	g, err := d.directory.games.Find(o.Game)
	if err != nil {
		return err
	}
	for _, label := range o.Seats {
		kind, name, ok := program.SplitGuest(label)
		switch {
		case !ok && (strings.HasPrefix(label, "@") || g.Has(label)):
		case ok && name == o.By:
			own = true
		case ok && kind == remote.Program && d.directory.hub.WaitsFor(name, o.Game):
			if o.Seed != nil {
				return forbidden(house.CodeSeats, "found a seed, from which you could know the case before "+name+" does: leave it out")
			}
		default:
			return forbidden(house.CodeSeats, "found "+remote.Quote(label)+", expected yourself, one of the game's bots, or a player that waits for a seat in this game")
		}
	}
	if !own {
		return forbidden(house.CodeSeats, "found no seat for "+o.By+", who asks for the match")
	}
	return nil
}

// cancelMatch ends a match that is not over.
func (d *desk) cancelMatch(w http.ResponseWriter, r *http.Request) error {
	info, err := d.directory.match(r.PathValue("id"))
	if err != nil {
		return err
	}
	if d.house == nil {
		return failed(codeMethod, "this umpire plays its own matches: DELETE is for umpire serve")
	}
	if !d.house.Cancel(info.ID) {
		return failed(codeMatch, "the match has ended")
	}
	return answer(w, struct{}{}, nil)
}
