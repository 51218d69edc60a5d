package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"slices"
	"sync"
	"time"

	"umpire/referee/fleet/status"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/standings"
)

// lobbyView holds the contents of the lobby.
type lobbyView struct {
	chrome
	Games     house.Games
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
func (l lobbyView) Online() []remote.PlayerInfo {
	return slices.DeleteFunc(slices.Clone(l.Players), func(p remote.PlayerInfo) bool { return !p.Online })
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

// listNames are the templates of the lists, which are the ids of their sections as well.
var listNames = []string{"current", "workers", "standings", "finished", "players"}

// lists are those of the lobby, by name, as parts of its page.
type lists struct {
	Of   map[string]template.HTML
	Hash string // of their texts
}

// draw draws the lists of a lobby.
func (l lobbyView) draw() (lists, error) {
	drawn, sum := lists{Of: make(map[string]template.HTML)}, sha256.New()
	for _, name := range listNames {
		var text bytes.Buffer
		if err := templates().ExecuteTemplate(&text, name, l); err != nil {
			return lists{}, err
		}
		fmt.Fprintf(sum, "%d %s", text.Len(), text.Bytes())
		drawn.Of[name] = template.HTML(text.String()) // the templates have escaped it
	}
	drawn.Hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return drawn, nil
}

// since returns an event with the lists that are others than those sent; "" if none is.
func (l lists) since(sent lists) string {
	if l.Hash == sent.Hash {
		return ""
	}
	changed := make(map[string]template.HTML)
	for name, text := range l.Of {
		if text != sent.Of[name] {
			changed[name] = text
		}
	}
	text, err := eventText(-1, "lists", changed)
	if err != nil {
		return "" // texts can be encoded
	}
	return "id: " + l.Hash + "\n" + text
}

// often is how often the lists of the lobby are drawn for those who follow them: once
// for all.
const often = 2 * time.Second

// feed keeps the lists of the lobby as they were drawn last.
type feed struct {
	mu    sync.Mutex
	drawn lists
	at    time.Time
}

// now returns lists that were drawn not long ago.
func (f *feed) now(draw func() (lists, error)) (lists, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.at) < often && f.drawn.Hash != "" {
		return f.drawn, nil
	}
	drawn, err := draw()
	if err == nil {
		f.drawn, f.at = drawn, time.Now()
	}
	return f.drawn, err
}
