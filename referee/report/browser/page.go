package browser

import (
	_ "embed"
	"html/template"
	"strings"

	"umpire/referee/report/html"
	"umpire/referee/report/html/page"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
	//go:embed frame.js
	frameScript string
)

// PageName is the file of the page in a release.
const PageName = "umpire.html"

// MaxPage is the most bytes that the page may have.
const MaxPage = 5.25e6

// Page returns the page with the program in the folder wasm, as the Go compiler has made
// it, and with the script of Go's that runs it (lib/wasm/wasm_exec.js in its root).
func Page(program, support []byte, version string) ([]byte, error) {
	packed, err := page.PackBytes(program)
	if err != nil {
		return nil, err
	}
	style, run := page.PictureStyle()+pageStyle, strings.TrimSpace(string(support))
	view := struct {
		page.Head
		Title, Version string
		Program        template.HTML
	}{page.NewHead(style, run, pageScript), "Results of umpire", version, packed}
	view.Policy = html.FramedPolicy(style, run, pageScript, frameScript)
	return page.Parse("page", pageText).Render("page", view)
}
