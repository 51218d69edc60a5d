package serve

import (
	"bytes"
	"net/http"
	"strings"

	"umpire/referee"
	"umpire/referee/remote"
)

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

// pages answers with pages.
type pages struct {
	access *access
	report *reporter
	easel  *easel
}

// of answers with a page, or with one that says why there is none.
func (p *pages) of(root string, f func(r *http.Request, root string) (shown, error)) http.HandlerFunc {
	return toRead(func(w http.ResponseWriter, r *http.Request) {
		var page shown
		look := func(_ http.ResponseWriter, r *http.Request) (err error) {
			page, err = f(r, root)
			return err
		}
		status, err := http.StatusOK, error(nil)
		if p.access.private && secret(r) == "" {
			page, status = shown{"private", chrome{"Private", root}}, http.StatusUnauthorized
		} else if err = p.access.looking(look)(w, r); err != nil {
			page, status = problemPage(p.report.failureOf(r, err), root)
		}
		p.send(w, r, status, page)
	})
}

func problemPage(problem *failure, root string) (shown, int) {
	return shown{"problem", struct {
		chrome
		Message string
	}{chrome{"Not shown", root}, problem.message}}, problem.httpStatus()
}

func (p *pages) send(w http.ResponseWriter, r *http.Request, code int, page shown) {
	var text bytes.Buffer
	if err := p.easel.use(func() error { return templates().ExecuteTemplate(&text, page.template, page.data) }); err != nil {
		sendFailure(w, p.report.failureOf(r, err))
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

func titledOf(d *directory, m remote.MatchInfo) titled {
	t := titled{m, m.Game, d.viewer(m.Game) != nil}
	if g, err := d.game(m.Game); err == nil {
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
