package serve

import (
	"html/template"
	"io"

	"github.com/gomarkdown/markdown"
	"github.com/gomarkdown/markdown/ast"
	"github.com/gomarkdown/markdown/html"
	"github.com/gomarkdown/markdown/parser"
)

// rulesToHTML renders the rules of a game from their Markdown. Tags in them are text like
// any other, and nothing is loaded from elsewhere: an image is the words that stand for it.
func rulesToHTML(rules string) template.HTML {
	doc := markdown.Parse([]byte(rules), parser.NewCommonMarkWithExtensions(parser.Tables))
	for _, node := range doc.GetChildren() {
		if heading, ok := node.(*ast.Heading); ok { // below the page's heading, which is an h2
			heading.Level = min(6, heading.Level+2)
		}
	}
	to := html.NewRenderer(html.RendererOptions{Flags: html.Safelink | html.SkipHTML, RenderNodeHook: asWords})
	return template.HTML(markdown.Render(doc, to))
}

// asWords renders tags and images as words.
func asWords(to io.Writer, node ast.Node, _ bool) (_ ast.WalkStatus, done bool) {
	switch node := node.(type) {
	case *ast.HTMLBlock:
		_, _ = io.WriteString(to, "<p>")
		html.EscapeHTML(to, node.Literal)
		_, _ = io.WriteString(to, "</p>\n")
	case *ast.HTMLSpan:
		html.EscapeHTML(to, node.Literal)
	case *ast.Image:
	default:
		return ast.GoToNext, false
	}
	return ast.GoToNext, true
}
