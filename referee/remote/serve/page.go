package serve

import (
	"bytes"
	"net/http"
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
	return p.report.reading(func(w http.ResponseWriter, r *http.Request) error {
		if p.access.private && secret(r) == "" {
			return p.send(w, http.StatusUnauthorized, shown{"private", chrome{"Private", root}})
		}
		var page shown
		err := p.access.look(r)
		if err == nil {
			page, err = f(r, root)
		}
		if err != nil {
			return p.sendProblem(w, p.report.failureOf(r, err), root)
		}
		return p.send(w, http.StatusOK, page)
	})
}

func (p *pages) sendProblem(w http.ResponseWriter, problem *failure, root string) error {
	return p.send(w, problem.httpStatus(), shown{"problem", struct {
		chrome
		Message string
	}{chrome{"Not shown", root}, problem.message}})
}

func (p *pages) send(w http.ResponseWriter, code int, page shown) error {
	var text bytes.Buffer
	if err := p.easel.use(func() error { return templates().ExecuteTemplate(&text, page.template, page.data) }); err != nil {
		return err
	}
	write(w, code, "text/html; charset=utf-8", text.Bytes())
	return nil
}
