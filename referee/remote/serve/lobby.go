package serve

import (
	"html/template"
	"net/http"
	"net/url"
	"time"

	"umpire/referee/fleet/status"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/report"
	"umpire/referee/report/html"
)

// finishedShown is how many finished matches a page of the lobby shows.
const finishedShown = 30

// lobby shows which matches there are, and who plays.
type lobby struct {
	directory *directory
	access    *access
	easel     *easel
	report    *reporter
	ended     <-chan struct{}         // closed when event streams must end
	offers    bool                    // matches can be asked for
	standings func() report.Standings // nil: no tournament is being played
	fleet     func() *status.Fleet    // nil: no workers play
	watchers  crowd                   // event streams, by address
	feed      feed
}

// page shows the lobby, or finished matches that are not the newest.
func (l *lobby) page(r *http.Request, root string) (shown, error) {
	q := r.URL.Query()
	view, err := l.drawn(q.Get("before"), matched{q.Get("player"), q.Get("opponent")})
	view.chrome = chrome{"umpire", root}
	return shown{"lobby", view}, err
}

// drawn is view, with its lists drawn.
func (l *lobby) drawn(before string, of matched) (view lobbyView, err error) {
	err = l.easel.use(func() (err error) {
		if view, err = l.view(before, of); err == nil {
			view.Lists, err = view.draw()
		}
		return err
	})
	return view, err
}

// view describes the lobby, with the finished matches of some after match before, or
// the newest if it is "".
func (l *lobby) view(before string, of matched) (lobbyView, error) {
	view := lobbyView{Of: of, Games: l.directory.games, Players: l.directory.hub.Players(), Offers: l.offers}
	if l.fleet != nil {
		view.Fleet = l.fleet()
	}
	if err := l.list(&view, before); err != nil {
		return view, err
	}
	if l.standings != nil {
		if now := l.standings().Of; now.Matches+now.Failed > 0 {
			view.Standings = now
		}
	}
	return view, nil
}

// list lists the matches that are being played, and the finished ones after
// match before, or the newest if it is "".
func (l *lobby) list(view *lobbyView, before string) error {
	for _, t := range l.directory.hub.Tables() {
		if m := t.Info(); isCurrent(m) {
			view.Current = append(view.Current, titledOf(l.directory, m))
		}
	}
	list, ok := l.directory.list(before, view.Of.Player, "", "")
	if !ok {
		return failed(codeMatch, "there is no match "+remote.Quote(before))
	}
	view.Later = before != "" || view.Of != matched{}
	for m := range list {
		switch {
		case isCurrent(m), !view.Of.in(m), m.State == remote.Void && m.Steps == 0: // the latter may have been given up before it began
		case len(view.Finished) == finishedShown:
			view.Older = view.Finished[finishedShown-1].ID
			return nil
		default:
			view.Finished = append(view.Finished, titledOf(l.directory, m))
		}
	}
	return nil
}

// standingsPage shows the standings of the tournament that is being played.
func (l *lobby) standingsPage(_ *http.Request, root string) (shown, error) {
	if l.standings == nil || len(l.directory.games) == 0 {
		return shown{}, failed(codeNotFound, "no tournament is being played here")
	}
	view := struct {
		chrome
		Game    house.Game
		Matches int
		Tables  template.HTML
	}{chrome: chrome{"Standings so far", root}, Game: l.directory.games[0]} // of a tournament it is the only one
	err := l.easel.use(func() (err error) {
		v := l.standings()
		v.Game = view.Game.Game
		view.Matches = v.Of.Matches
		view.Tables, err = html.StandingsFragment(v, func(bot, opponent string) string {
			q := url.Values{"player": {bot}}
			if opponent != "" {
				q.Set("opponent", opponent)
			}
			return "./?" + q.Encode()
		})
		return err
	})
	return shown{"standings-page", view}, err
}

// draw draws the lists of the lobby as it is now.
func (l *lobby) draw() (lists, error) {
	view, err := l.drawn("", matched{})
	return view.Lists, err
}

// follow streams the lists of the lobby that have changed, all at first, unless the
// client has them.
func (l *lobby) follow(w http.ResponseWriter, r *http.Request) error {
	leave, err := l.watchers.enter(l.access.proxies.source(r))
	if err != nil {
		return err
	}
	defer leave()
	out := openStream(w)
	look := func() error {
		sent, tick := lists{Hash: r.Header.Get("Last-Event-ID")}, time.NewTicker(often)
		defer tick.Stop()
		for {
			now, err := l.feed.now(l.draw)
			if err != nil {
				return err
			}
			if text := now.since(sent); text != "" {
				if err := out.write(text); err != nil {
					return nil
				}
			}
			sent = now
			select {
			case <-tick.C:
			case <-l.ended:
				return nil
			case <-r.Context().Done():
				return nil
			}
		}
	}
	if err := out.live(look); err != nil {
		l.report.tell(r, err)
	}
	return nil
}
