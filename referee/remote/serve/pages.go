package serve

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/report"
	"umpire/referee/report/html"
)

// matchPages are the pages of games, and of matches.
type matchPages struct {
	matches *directory
	replays *replays
	embed   string // the origin whose pages may frame those of matches; "": none
}

// game describes a game: its rules are on no other page.
func (p *matchPages) game(r *http.Request, root string) (shown, error) {
	g, err := p.matches.game(r.PathValue("game"))
	return shown{"game", struct {
		chrome
		house.Game
	}{chrome{g.Title, root}, g}}, err
}

// match shows a match: live while it is played, then as a replay.
func (p *matchPages) match(r *http.Request, root string) (shown, error) {
	info, err := p.matches.match(r.PathValue("id"))
	if err != nil {
		return shown{}, err
	}
	m := titledOf(p.matches, info)
	view := struct {
		chrome
		Match  titled
		Replay html.Fragment
	}{chrome: chrome{m.Title + ": " + safeLine(m.Names()), root}, Match: m}
	if info.State != remote.Over {
		return shown{"live", view}, nil
	}
	if err := p.matches.concealed(info); err != nil {
		return shown{}, err
	}
	if view.Replay, err = p.replays.of(info); err != nil {
		return shown{}, err
	}
	return shown{"replay", view}, nil
}

// play is where a person plays. It shows nothing that needs the ticket,
// which only its script knows.
func (p *matchPages) play(r *http.Request, root string) (shown, error) {
	info, err := p.matches.match(r.PathValue("id"))
	if err != nil {
		var gone *failure
		if errors.As(err, &gone) && gone.code == codeMatch {
			gone.message += ": it did not count, or this umpire was started again since"
		}
		return shown{}, err
	}
	m := titledOf(p.matches, info)
	return shown{"play", struct {
		chrome
		Match titled
	}{chrome{"Play " + m.Title, root}, m}}, nil
}

// standingsPage is the page of the standings of the tournament that is being played.
type standingsPage struct {
	games []house.Game
	now   func() report.Standings // nil: there is no tournament
	easel *easel
}

func (p *standingsPage) show(_ *http.Request, root string) (shown, error) {
	if p.now == nil || len(p.games) == 0 {
		return shown{}, failed(codeNotFound, "no tournament is being played here")
	}
	view := struct {
		chrome
		Game    house.Game
		Matches int
		Tables  template.HTML
	}{chrome: chrome{"Standings so far", root}, Game: p.games[0]} // of a tournament it is the only one
	err := p.easel.use(func() (err error) {
		v := p.now()
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

// viewer answers with the viewer of a game, which is a page of nobody's.
func (p *matchPages) viewer(w http.ResponseWriter, r *http.Request) error {
	viewer := p.matches.viewer(r.PathValue("game"))
	if viewer == nil {
		return noAddress(r)
	}
	policy := html.ViewerPolicy
	if p.embed != "" { // it is framed by a page that may be framed
		policy += " " + p.embed
	}
	w.Header().Set("Content-Security-Policy", policy)
	write(w, http.StatusOK, "text/html; charset=utf-8", viewer)
	return nil
}

// framing has the pages of matches allow the viewer of their game, if it has one, and
// those for onlookers be framed where Embed says.
func (p *matchPages) framing(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		policy := headers["Content-Security-Policy"]
		if p.embed != "" && strings.HasPrefix(r.URL.Path, "/matches/") {
			policy = strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+p.embed, 1)
		}
		if info, err := p.matches.match(r.PathValue("id")); err == nil && p.matches.viewer(info.Game) != nil {
			policy += "; " + html.FramePolicy
		}
		w.Header().Set("Content-Security-Policy", policy)
		next(w, r)
	}
}
