package serve

import (
	"net/http"

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
	w.Header().Set("Content-Security-Policy", html.ViewerPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(viewer)
}

// withViewer has the pages of matches allow the viewer of their game, if it has one.
func withViewer(s *Server, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if info, err := s.match(r.PathValue("id")); err == nil && viewerOf(s, info.Game) != nil {
			w.Header().Set("Content-Security-Policy", headers["Content-Security-Policy"]+"; "+html.FramePolicy)
		}
		next(w, r)
	}
}
