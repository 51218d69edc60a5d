package serve

import (
	"net/http"
	"strings"

	"umpire/referee/report/html"
)

// viewers are the pages by which games' authors show positions.
type viewers struct {
	matches *directory
	embed   string // the origin whose pages may frame those of matches; "": none
}

// send answers with the viewer of a game, which is a page of nobody's.
func (v *viewers) send(w http.ResponseWriter, r *http.Request) {
	viewer := v.matches.viewer(r.PathValue("game"))
	if viewer == nil {
		fail(w, codeNotFound, "no such address: "+r.URL.Path)
		return
	}
	policy := html.ViewerPolicy
	if v.embed != "" { // it is framed by a page that may be framed
		policy += " " + v.embed
	}
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(viewer)
}

// allowed has the pages of matches allow the viewer of their game, if it has one, and
// those for onlookers be framed where Embed says.
func (v *viewers) allowed(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		policy := headers["Content-Security-Policy"]
		if v.embed != "" && strings.HasPrefix(r.URL.Path, "/matches/") {
			policy = strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+v.embed, 1)
		}
		if info, err := v.matches.match(r.PathValue("id")); err == nil && v.matches.viewer(info.Game) != nil {
			policy += "; " + html.FramePolicy
		}
		w.Header().Set("Content-Security-Policy", policy)
		next(w, r)
	}
}
