package serve

import (
	"bytes"
	"html/template"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders the rules of a game. Tags in them are text like any other, and
// nothing is loaded from elsewhere: an image is the words that stand for it.
func markdown(rules string) (template.HTML, error) {
	var out bytes.Buffer
	err := rulesRenderer().Convert([]byte(rules), &out)
	return template.HTML(out.String()), err
}

var rulesRenderer = sync.OnceValue(func() goldmark.Markdown {
	inline := parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(parser.NewLinkParser(), 200), util.Prioritized(parser.NewEmphasisParser(), 500),
	)
	block := parser.WithBlockParsers(
		util.Prioritized(parser.NewThematicBreakParser(), 200), util.Prioritized(parser.NewListParser(), 300), util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500), util.Prioritized(parser.NewATXHeadingParser(), 600), util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800), util.Prioritized(parser.NewParagraphParser(), 1000),
	)
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(block, inline, parser.WithASTTransformers(util.Prioritized(below{}, 1000)))),
		goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(wordsOfImages{}, 100))),
	)
})

// below puts the headings of rules under the page's heading for them, which is an h2.
type below struct{}

// Transform implements parser.ASTTransformer.
func (below) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	for node := doc.FirstChild(); node != nil; node = node.NextSibling() {
		if heading, ok := node.(*ast.Heading); ok {
			heading.Level = min(6, heading.Level+2)
		}
	}
}

// wordsOfImages renders an image as its words.
type wordsOfImages struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (wordsOfImages) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkContinue, nil })
}
