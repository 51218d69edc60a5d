package serve

import (
	"errors"
	"net/http"
	"strings"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/report/html/replay"
)

// matchPages are the pages of games, and of matches.
type matchPages struct {
	directory *directory
	replays   *replays
	embed     string // the origin whose pages may frame those of matches; "": none
}

// game describes a game: its rules are on no other page.
func (p *matchPages) game(r *http.Request, root string) (shown, error) {
	g, err := p.directory.games.Find(r.PathValue("game"))
	return shown{"game", struct {
		chrome
		house.Game
	}{chrome{g.Title, root}, g}}, err
}

// match shows a match: live while it is played, then as a replay.
func (p *matchPages) match(r *http.Request, root string) (shown, error) {
	info, err := p.directory.match(r.PathValue("id"))
	if err != nil {
		return shown{}, err
	}
	m := titledOf(p.directory, info)
	view := struct {
		chrome
		Match  titled
		Replay replay.Fragment
	}{chrome: chrome{m.Title + ": " + safeLine(m.Names()), root}, Match: m}
	if info.State != remote.Over {
		return shown{"live", view}, nil
	}
	if err := p.directory.concealed(info); err != nil {
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
	info, err := p.directory.match(r.PathValue("id"))
	if err != nil {
		if gone, ok := errors.AsType[*failure](err); ok && gone.code == codeMatch {
			gone.message += ": it did not count, or this umpire was started again since"
		}
		return shown{}, err
	}
	m := titledOf(p.directory, info)
	return shown{"play", struct {
		chrome
		Match titled
	}{chrome{"Play " + m.Title, root}, m}}, nil
}

// viewer answers with the viewer of a game, which is a page of nobody's.
func (p *matchPages) viewer(w http.ResponseWriter, r *http.Request) error {
	viewer := p.directory.viewer(r.PathValue("game"))
	if viewer == nil {
		return noAddress(r)
	}
	policy := replay.ViewerPolicy
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
		if info, err := p.directory.match(r.PathValue("id")); err == nil && p.directory.viewer(info.Game) != nil {
			policy += "; " + replay.FramePolicy
		}
		w.Header().Set("Content-Security-Policy", policy)
		next(w, r)
	}
}
