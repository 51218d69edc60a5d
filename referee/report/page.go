package report

import (
	"fmt"
	"io"
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
		p.Table(t, p.shaded(t))
	}
	for _, note := range g.Notes {
		p.Say("\n%s\n", note)
	}
}

// WriteMarkdown prints the page as Markdown that can be published.
func (g Page) WriteMarkdown(w io.Writer) error {
	between := ""
	part := func(write func() error) error {
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
		between = "\n"
		return write()
	}
	line := func(format, text string) error {
		return part(func() error {
			_, err := fmt.Fprintf(w, format+"\n", escapeMarkdown(text))
			return err
		})
	}
	if g.Title != "" {
		if err := line("## %s", g.Title); err != nil {
			return err
		}
	}
	for _, t := range g.Tables {
		if err := part(func() error { return t.WriteMarkdown(w) }); err != nil {
			return err
		}
	}
	for _, note := range g.Notes {
		if err := line("%s", note); err != nil {
			return err
		}
	}
	return nil
}
