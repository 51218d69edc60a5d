package browser

import (
	"bytes"
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
const MaxPage = 5.5e6

// Page returns the page with the program in the folder wasm, as the Go compiler has made
// it, and with the script of Go's that runs it (lib/wasm/wasm_exec.js in its root).
func Page(program, support []byte, version string) ([]byte, error) {
	packed, err := page.PackBytes(program)
	if err != nil {
		return nil, err
	}
	style, run := page.PictureStyle()+pageStyle, strings.TrimSpace(string(support))
	view := struct {
		Policy, Title, Version string
		Style                  template.HTML
		Scripts                []template.HTML
		Program                template.HTML
	}{
		html.FramedPolicy(style, run, pageScript, frameScript), "Results of umpire", version, page.StyleElement(style),
		[]template.HTML{page.ScriptElement(run), page.ScriptElement(pageScript)}, packed,
	}
	var b bytes.Buffer
	err = page.Parse("page", pageText).Execute(&b, view)
	return b.Bytes(), err
}
