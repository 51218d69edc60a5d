package report

import (
	"io"
	"strings"
)

// Page is a result as people read it: what a terminal shows, without colours.
type Page struct {
	Title  string   // "" for none
	Tables []Table  // each under its own title, if it has one
	Notes  []string // paragraphs below the tables
}

// Print prints the page on a terminal.
func (g Page) Print(p *Printer) {
	if g.Title != "" {
		p.Printf("%s\n\n", p.Style(Bold, p.Wrap(g.Title)))
	}
	for i, t := range g.Tables {
		t = t.in(p.room())
		if i > 0 {
			p.Printf("\n")
		}
		if t.Title != "" {
			p.Printf("%s\n", p.Style(Bold, t.Title))
		}
		p.Table(t)
	}
	for _, note := range g.Notes {
		p.Say("\n%s\n", note)
	}
}

// WriteMarkdown prints the page as Markdown that can be published.
func (g Page) WriteMarkdown(w io.Writer) error {
	var parts []string
	if g.Title != "" {
		parts = append(parts, "## "+escapeMarkdown(g.Title)+"\n")
	}
	for _, t := range g.Tables {
		parts = append(parts, t.Markdown())
	}
	for _, note := range g.Notes {
		parts = append(parts, escapeMarkdown(note)+"\n")
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}
