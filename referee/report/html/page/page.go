// Package page has what all pages of umpire's results have in common: one style, a
// content security policy, data that a script unpacks, and how text of others becomes
// safe to show. It knows neither matches nor standings.
package page

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"slices"
	"strings"
	"sync"

	"umpire/protocols/svg"
)

var (
	//go:embed head.html
	headText string
	//go:embed base.css
	styleText string
)

// Style is the style sheet that all pages have in common.
func Style() string { return styleText }

// PictureStyle is that style sheet with the one of the games' pictures.
func PictureStyle() string { return svg.Style + "\n" + styleText }

// Templates returns templates of pages, which have the template "head" in common. They
// are parsed when they are first needed: umpire starts again for each of its own bots, which
// need none.
type Templates func() *template.Template

// Parse parses templates, when they are first needed.
func Parse(name, text string) Templates {
	return sync.OnceValue(func() *template.Template {
		return template.Must(template.Must(template.New("").Parse(headText)).New(name).Parse(text))
	})
}

// Render makes a page by a template, or a part of one.
func (t Templates) Render(name string, view any) ([]byte, error) {
	var b bytes.Buffer
	err := t().ExecuteTemplate(&b, name, view)
	return b.Bytes(), err
}

// Head is the style sheet and the scripts of a page, which are umpire's own, and its content
// security policy.
type Head struct {
	Policy string
	Style  template.HTML
	Script []template.HTML
}

// NewHead returns what a page has of a style sheet and of scripts, of which empty ones are
// left out. The policy allows these, by their hashes, and nothing else.
func NewHead(style string, scripts ...string) Head {
	scripts = slices.DeleteFunc(slices.Clone(scripts), func(script string) bool { return script == "" })
	allowed := cmp.Or(Hashes(scripts...), "'none'")
	h := Head{
		Policy: "default-src 'none'; style-src " + Hashes(style) + "; script-src " + allowed + "; base-uri 'none'; form-action 'none'",
		Style:  template.HTML("<style>" + style + "</style>"),
	}
	for _, script := range scripts {
		h.Script = append(h.Script, template.HTML("<script>"+script+"</script>"))
	}
	return h
}

// Hashes names style sheets or scripts in a content security policy.
func Hashes(texts ...string) string {
	names := make([]string, len(texts))
	for i, text := range texts {
		sum := sha256.Sum256([]byte(text))
		names[i] = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join(names, " ")
}
