package html

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"

	"umpire/referee/report/html/page"
	"umpire/referee/standings"
)

var (
	//go:embed site.html
	siteTemplates string
	//go:embed site.css
	siteText string
	//go:embed replays.css
	replaysText string
	//go:embed choose.js
	chooseText string
	//go:embed copy.js
	copyText string
	//go:embed sort.js
	sortText string
	//go:embed cross.js
	crossText string
	//go:embed list.js
	listText string
	//go:embed matches.js
	matchesText string
	//go:embed pairs.js
	pairsText string
)

// templates are those of pages: index, bot, matches, replays and league, and of parts.
var templates = page.Parse("site", siteTemplates)

// SiteStyle is the style sheet of a report's pages.
func SiteStyle() string { return page.Style() + siteText }

// chrome holds the parts that all pages of a site share.
type chrome struct {
	Title string
	page.Head
}

// publisher makes the pages of a site.
type publisher struct {
	create func(name string) (io.WriteCloser, error)
	script string // at the end of every page, before those of its own; "": none
	passes bool   // the pages are stored nowhere
}

// pack packs what a page's script unpacks.
func (p publisher) pack(v any) (template.HTML, error) {
	if p.passes {
		return page.PackFast(v)
	}
	return page.Pack(v)
}

// chrome returns what pages share.
func (p publisher) chrome(title, style string, scripts ...string) chrome {
	return chrome{title, page.NewHead(style, slices.Concat([]string{p.script}, scripts)...)}
}

// write makes the file of a page of a kind, and returns how many bytes it has.
func (p publisher) write(name, kind string, view any) (size int, err error) {
	text, err := templates.Render(kind, view)
	if err != nil {
		return 0, err
	}
	return len(text), p.writeFile(name, text)
}

func (p publisher) writeFile(name string, text []byte) error {
	f, err := p.create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// indexName is the first page.
const indexName = "index.html"

// viewerName is the file of a site's viewer.
const viewerName = "viewer.html"

// pairsName is the page that compares two bots, which its address names as in #1,2.
const pairsName = "pairs.html"

// rowsOf is the row of each bot in the standings, by the name that is shown.
func rowsOf(of *standings.Standings) map[string]int {
	rows := make(map[string]int, len(of.Rows))
	for i, row := range of.Rows {
		rows[row.Bot] = i
	}
	return rows
}

// botLink is the page of the bot in that row of the standings.
func botLink(row int) string { return fmt.Sprintf("bots/%d.html", row+1) }

// caseLink lists the matches of a row of the standings on a case.
func caseLink(root string, row int, name string) string {
	return fmt.Sprintf("%smatches.html#bot=%d&case=%s", root, row+1, url.QueryEscape(name))
}

// pairLink compares two rows of the standings.
func pairLink(root string, row, opponent int) string {
	return fmt.Sprintf("%s%s#%d,%d", root, pairsName, row+1, opponent+1)
}

// listName is the name of the n-th page that lists matches, from 1.
func listName(n int) string {
	if n == 1 {
		return "matches.html"
	}
	return fmt.Sprintf("matches-%d.html", n)
}
