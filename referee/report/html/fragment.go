package html

import (
	"bytes"
	"html/template"
	"sync"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee/record"
)

// Fragment is a match that is played back on a page of a server, which offers
// ReplayStyle and ReplayScript under addresses of their own.
type Fragment struct {
	Title string
	Body  template.HTML // the contents of the page's body
}

var fragmentPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.Must(template.New("replay").Parse(replayText)).New("fragment").
		Parse(`{{template "match" .}}<script type="application/gzip" id="data">{{.Packed}}</script>`))
})

// ReplayFragment returns the contents of the page that Replay returns. It leaves
// out what contestants wrote to standard error, which is not for onlookers. Viewer is the
// address of the game's viewer; "" if there is none.
func ReplayFragment(r record.Record, games []protocols.Game, viewer string) (Fragment, error) {
	view, err := newReplay(r, games, viewer, nil)
	if err != nil {
		return Fragment{}, err
	}
	view.NoErrors = true
	var body bytes.Buffer
	err = fragmentPage().ExecuteTemplate(&body, "fragment", view)
	return Fragment{view.Title, template.HTML(body.String())}, err // escaped by its own template
}

// ReplayStyle is the style sheet of pages that play a match back.
func ReplayStyle() string { return BaseStyle() + boardStyle + styleText }

// BoardStyle is the style sheet of pages that show a match while it is played.
func BoardStyle() string { return BaseStyle() + boardStyle }

// BoardScript defines what these pages and those that play a match back have in common.
func BoardScript() string { return boardScript }

// BaseStyle is the style sheet that all pages have in common, with that of the
// pictures.
func BaseStyle() string { return svg.Style + "\n" + baseText }

// ReplayScript is the script of pages that play a match back.
func ReplayScript() string { return boardScript + unpackText + scriptText }
