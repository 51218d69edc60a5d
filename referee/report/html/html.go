// Package html writes pages: views of results for a browser. A page is one file
// that loads nothing from elsewhere and opens from a disk. What others wrote, as
// names, replies and standard error, is text on it and nothing else. The package
// knows records and games, but no running match.
package html

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"

	"umpire/protocols"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
)

var (
	//go:embed head.html
	headText string
	//go:embed replay.html
	replayText string
	//go:embed base.css
	baseText string
	//go:embed board.css
	boardStyle string
	//go:embed board.js
	boardScript string
	//go:embed page.css
	styleText string
	//go:embed unpack.js
	unpackText string
	//go:embed replay.js
	scriptText string
)

// Templates are parsed when they are first needed: umpire starts again for each
// of its own bots, which need none.
var replayPage = sync.OnceValue(func() *template.Template { return newPages("replay", replayText) })

// newPages parses the templates of pages, which have the template "head" in
// common.
func newPages(name, text string) *template.Template {
	return template.Must(template.Must(template.New("").Parse(headText)).New(name).Parse(text))
}

// Replay returns the page on which a recorded match is played back. It plays the
// match again by the games' rules; the error says what is wrong with the record.
func Replay(r record.Record, games []protocols.Game) ([]byte, error) {
	return AnalysedReplay(r, games, nil)
}

// AnalysedReplay returns the page with an analysis of the match, unless that is
// nil: what each reply was worth, and the best one.
func AnalysedReplay(r record.Record, games []protocols.Game, m *analysis.Match) ([]byte, error) {
	return replayWith("", r, games, m)
}

// replayWith returns the page with a script before its own; "": none.
func replayWith(script string, r record.Record, games []protocols.Game, m *analysis.Match) ([]byte, error) {
	view, err := newReplay(r, games, "", m)
	if err != nil {
		return nil, err
	}
	style, allowed := ReplayStyle(), []string{ReplayScript()}
	own := template.HTML("<script>" + ReplayScript() + "</script>")
	if script != "" {
		allowed, own = append(allowed, script), template.HTML("<script>"+script+"</script>\n")+own
	}
	var page bytes.Buffer
	err = replayPage().Execute(&page, struct {
		*replay
		Policy        string
		Style, Script template.HTML // elements of the page's own, none of it from a record
	}{view, policy(style, allowed...), template.HTML("<style>" + style + "</style>"), own})
	return page.Bytes(), err
}

// policy is a content security policy that allows a page this style and these
// scripts, by their hashes, and nothing else.
func policy(style string, scripts ...string) string {
	allowed := "'none'"
	if len(scripts) > 0 {
		allowed = ""
	}
	for i, script := range scripts {
		if i > 0 {
			allowed += " "
		}
		allowed += "'" + digest(script) + "'"
	}
	return "default-src 'none'; style-src '" + digest(style) + "'; script-src " + allowed + "; base-uri 'none'; form-action 'none'"
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// safe and safeLine show what can't be seen, as on a terminal. To keep it from
// being markup is left to those who put it on a page.
func safe(text string) string { return report.Safe(text).String() }

func safeLine(text string) string { return report.SafeLine(text).String() }
