package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"umpire/referee"
	"umpire/referee/pattern"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/report"
	"umpire/referee/report/html"
)

//go:embed web
var web embed.FS

// pages are the templates of all pages. They escape what they show, and hold no
// script and no style: those come from /web/.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"safe": safeLine, "list": listOf, "markdown": markdown, "progress": report.FleetProgress, "web": func() string { return "web/" + webHash() }}).ParseFS(web, "web/*.html"))
})

// safeLine shows what can't be seen, as on a terminal.
func safeLine(text string) string { return report.SafeLine(text).String() }

// labelled is a list of matches.
type labelled struct {
	Label string
	List  []titled
}

func listOf(label string, list []titled) labelled { return labelled{label, list} }

// webFile returns a file under /web/; ok is false if there is none with the
// name.
func webFile(name string) (text []byte, ok bool) {
	switch name {
	case "replay.css":
		return []byte(html.ReplayStyle()), true
	case "site.css":
		return []byte(html.SiteStyle()), true
	case "replay.js":
		return []byte(html.ReplayScript()), true
	case "board.js":
		return remarks().ReplaceAll([]byte(html.BoardScript()+"export {crop, paintSeat, scoreIn};\n"), nil), true
	}
	text, err := web.ReadFile("web/" + name)
	if err != nil || path.Ext(name) == ".html" {
		return nil, false
	}
	if name == "pages.css" {
		text = append([]byte(html.BoardStyle()), text...)
	}
	if path.Ext(name) == ".js" {
		text = remarks().ReplaceAll(text, nil)
	}
	return text, true
}

// remarks are the lines of a script that are for its readers alone, and indents.
var remarks = pattern.New(`(?m)^\t*(//.*\n)?`)

// webHash is a hash of all files under /web/, below which they may be kept for ever.
var webHash = sync.OnceValue(func() string {
	sum := sha256.New()
	entries, _ := web.ReadDir("web") // it is in the executable
	for _, e := range entries {
		text, _ := webFile(e.Name())
		fmt.Fprintf(sum, "%s %d\n%s", e.Name(), len(text), text)
	}
	fmt.Fprint(sum, html.ReplayStyle(), html.ReplayScript(), html.SiteStyle())
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// addPages adds the pages, and what they load.
func (s *Server) addPages(mux *http.ServeMux) {
	file := toRead(func(w http.ResponseWriter, r *http.Request) {
		text, ok := webFile(r.PathValue("file"))
		hash := r.PathValue("hash")
		if !ok || hash != "" && hash != webHash() {
			fail(w, codeNotFound, "no such address: "+r.URL.Path)
			return
		}
		if hash != "" {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(r.PathValue("file"))))
		_, _ = w.Write(text)
	})
	mux.HandleFunc("/web/{file}", file)
	mux.HandleFunc("/web/{hash}/{file}", file)
	mux.HandleFunc("/{$}", toRead(s.page("", s.lobbyPage)))
	mux.HandleFunc("/games/{game}", toRead(s.page("../", func(r *http.Request, root string) (shown, error) { return gamePage(s, r, root) })))
	mux.HandleFunc("/how-to-play", toRead(s.page("", func(r *http.Request, root string) (shown, error) { return howToPlay(s, r, root) })))
	client := func(w http.ResponseWriter, r *http.Request) error { return sendClient(s, w, r) }
	mux.HandleFunc("/how-to-play/{file}", s.by(methods{"GET": client, "HEAD": client}))
	mux.HandleFunc("/standings", toRead(s.page("", func(_ *http.Request, root string) (shown, error) { return standingsPage(s, root) })))
	mux.HandleFunc("/matches/{id}", withViewer(s, toRead(s.page("../", s.matchPage))))
	mux.HandleFunc("/play/{id}", withViewer(s, toRead(s.page("../", s.playPage))))
	mux.HandleFunc("/viewers/{game}", toRead(func(w http.ResponseWriter, r *http.Request) { sendViewer(s, w, r) }))
	mux.HandleFunc("/play", toRead(s.page("", func(_ *http.Request, root string) (shown, error) {
		return shown{"person", chrome{"Your matches", root}}, nil
	})))
}

// toRead admits the methods that only read.
func toRead(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			otherMethod(w, r, http.MethodGet, http.MethodHead)
			return
		}
		f(w, r)
	}
}

// shown is a page: a template and what it shows.
type shown struct {
	template string
	data     any
}

// chrome holds the parts that all pages share.
type chrome struct {
	Title string
	Root  string // the way to the server's base: addresses are relative, since a proxy may add a path
}

// page answers with a page, or with one that says why there is none.
func (s *Server) page(root string, f func(r *http.Request, root string) (shown, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var p shown
		look := func(_ http.ResponseWriter, r *http.Request) (err error) {
			p, err = f(r, root)
			return err
		}
		status, err := http.StatusOK, error(nil)
		if s.Private && secret(r) == "" {
			p, status = shown{"private", chrome{"Private", root}}, http.StatusUnauthorized
		} else if err = s.looking(look)(w, r); err != nil {
			p, status = s.problemPage(r, root, err)
		}
		s.sendPage(w, r, status, p)
	}
}

func (s *Server) problemPage(r *http.Request, root string, err error) (shown, int) {
	problem := s.failureOf(r, err)
	code := problem.status
	if code == 0 {
		code = httpStatus(problem.code)
	}
	return shown{"problem", struct {
		chrome
		Message string
	}{chrome{"Not shown", root}, problem.message}}, code
}

func (s *Server) sendPage(w http.ResponseWriter, r *http.Request, code int, p shown) {
	var text bytes.Buffer
	if err := s.easel.use(func() error { return pages().ExecuteTemplate(&text, p.template, p.data) }); err != nil {
		sendFailure(w, s.failureOf(r, err))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(text.Bytes())
}

// titled is a match with its game's title.
type titled struct {
	remote.MatchInfo
	Title  string
	Viewer bool // the game has one
}

func (s *Server) titled(m remote.MatchInfo) titled {
	t := titled{m, m.Game, viewerOf(s, m.Game) != nil}
	if g, err := s.game(m.Game); err == nil {
		t.Title = g.Title
	}
	return t
}

// Result is how the match ended for a seat; nil if it did not.
func (t titled) Result(seat int) *remote.Result {
	if seat > len(t.Results) {
		return nil
	}
	return &t.Results[seat-1]
}

// Word is a seat's verdict as people read it; "" if it is ok.
func (t titled) Word(s remote.SeatSeen) string {
	word := referee.Verdict(s.Verdict)
	if r := t.Result(s.Seat); r != nil {
		word = referee.Verdict(word.Word(r.Detail))
	}
	if word == referee.OK {
		return ""
	}
	return string(word)
}

// Names lists the players, as in a title.
func (t titled) Names() string {
	var names []string
	for _, seat := range t.Seats {
		names = append(names, seat.Player)
	}
	return strings.Join(names, ", ")
}

// gamePage describes a game: its rules are on no other page.
func gamePage(s *Server, r *http.Request, root string) (shown, error) {
	g, err := s.game(r.PathValue("game"))
	return shown{"game", struct {
		chrome
		house.Game
	}{chrome{g.Title, root}, g}}, err
}

// standingsPage shows the standings of the tournament that is being played.
func standingsPage(s *Server, root string) (shown, error) {
	if s.Standings == nil || len(s.Games) == 0 {
		return shown{}, failed(codeNotFound, "no tournament is being played here")
	}
	view := struct {
		chrome
		Game    house.Game
		Matches int
		Tables  template.HTML
	}{chrome: chrome{"Standings so far", root}, Game: s.Games[0]} // of a tournament it is the only one
	err := s.easel.use(func() (err error) {
		v := s.Standings()
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

// matchPage shows a match: live while it is played, then as a replay.
func (s *Server) matchPage(r *http.Request, root string) (shown, error) {
	info, err := s.match(r.PathValue("id"))
	if err != nil {
		return shown{}, err
	}
	m := s.titled(info)
	view := struct {
		chrome
		Match  titled
		Replay html.Fragment
	}{chrome: chrome{m.Title + ": " + safeLine(m.Names()), root}, Match: m}
	if info.State != remote.Over {
		return shown{"live", view}, nil
	}
	if err := concealed(s, info); err != nil {
		return shown{}, err
	}
	if view.Replay, err = s.replayOf(info); err != nil {
		return shown{}, err
	}
	return shown{"replay", view}, nil
}

// playPage is where a person plays. It shows nothing that needs the ticket,
// which only its script knows.
func (s *Server) playPage(r *http.Request, root string) (shown, error) {
	info, err := s.match(r.PathValue("id"))
	if err != nil {
		var gone *failure
		if errors.As(err, &gone) && gone.code == codeMatch {
			gone.message += ": it did not count, or this umpire was started again since"
		}
		return shown{}, err
	}
	m := s.titled(info)
	return shown{"play", struct {
		chrome
		Match titled
	}{chrome{"Play " + m.Title, root}, m}}, nil
}
