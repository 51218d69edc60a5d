// Package page has what all pages of umpire's results have in common: one style, a
// content security policy, data that a script unpacks, and how text of others becomes
// safe to show. It knows neither matches nor standings.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"

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

// Parse parses the templates of pages, which have the template "head" in common.
func Parse(name, text string) *template.Template {
	return template.Must(template.Must(template.New("").Parse(headText)).New(name).Parse(text))
}

// StyleElement is the element of a style sheet of umpire's own.
func StyleElement(style string) template.HTML { return template.HTML("<style>" + style + "</style>") }

// ScriptElement is the element of a script of umpire's own.
func ScriptElement(script string) template.HTML {
	return template.HTML("<script>" + script + "</script>")
}

// Policy is a content security policy that allows a page this style and these
// scripts, by their hashes, and nothing else.
func Policy(style string, scripts ...string) string {
	allowed := "'none'"
	if len(scripts) > 0 {
		allowed = Hashes(scripts...)
	}
	return "default-src 'none'; style-src " + Hashes(style) + "; script-src " + allowed + "; base-uri 'none'; form-action 'none'"
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
