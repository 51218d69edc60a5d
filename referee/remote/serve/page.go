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
		return p.send(w, status, page)
	})
}

func problemPage(problem *failure, root string) (shown, int) {
	return shown{"problem", struct {
		chrome
		Message string
	}{chrome{"Not shown", root}, problem.message}}, problem.httpStatus()
}

func (p *pages) send(w http.ResponseWriter, code int, page shown) error {
	var text bytes.Buffer
	if err := p.easel.use(func() error { return templates().ExecuteTemplate(&text, page.template, page.data) }); err != nil {
		return err
	}
	write(w, code, "text/html; charset=utf-8", text.Bytes())
	return nil
}
