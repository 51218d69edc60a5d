package serve

import (
	"net/http"
	"strings"

	"umpire/referee/report/html"
)

// viewerOf is the viewer of a game; nil if it has none.
func viewerOf(s *Server, game string) []byte {
	g, err := s.game(game)
	if err != nil {
		return nil
	}
	return g.Viewer
}

// sendViewer answers with the viewer of a game, which is a page of nobody's.
func sendViewer(s *Server, w http.ResponseWriter, r *http.Request) {
	viewer := viewerOf(s, r.PathValue("game"))
	if viewer == nil {
		fail(w, codeNotFound, "no such address: "+r.URL.Path)
		return
	}
	policy := html.ViewerPolicy
	if s.Embed != "" { // it is framed by a page that may be framed
		policy += " " + s.Embed
	}
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(viewer)
}

// withViewer has the pages of matches allow the viewer of their game, if it has one, and
// those for onlookers be framed where Embed says.
func withViewer(s *Server, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		policy := headers["Content-Security-Policy"]
		if s.Embed != "" && strings.HasPrefix(r.URL.Path, "/matches/") {
			policy = strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+s.Embed, 1)
		}
		if info, err := s.match(r.PathValue("id")); err == nil && viewerOf(s, info.Game) != nil {
			policy += "; " + html.FramePolicy
		}
		w.Header().Set("Content-Security-Policy", policy)
		next(w, r)
	}
}
