package shell

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
)

// page is help that is being written: for a terminal, or for the manual page in
// the form of man(7).
type page struct {
	strings.Builder
	room int // columns of the terminal
	man  bool
}

// lists are parts of a page: flags, commands or command lines, with what they do.
type lists []struct {
	title string
	items []Word
}

// add adds an item to the list with a title.
func (l *lists) add(title string, item Word) {
	for i := range *l {
		if one := &(*l)[i]; one.title == title {
			one.items = append(one.items, item)
			return
		}
	}
	*l = append(*l, lists{{title, []Word{item}}}...)
}

// Of help on a terminal.
const (
	widestHelp  = 120 // columns: longer lines are hard to read
	widestLabel = 22  // columns of a label with text beside it
	indent      = 2   // before a label, and between it and its text
)

// paragraph writes text in Markdown: paragraphs, and lists of items with hyphens.
func (p *page) paragraph(text string) {
	if p.man {
		text = strings.NewReplacer("\n\n", "\n.PP\n", "\n\\- ", "\n.IP \\(bu 2\n").Replace(roff(text))
		p.WriteString(".PP\n" + text + "\n")
		return
	}
	p.WriteString("\n" + report.Reflow(text, p.room) + "\n")
}

// write writes lists, with texts in a column beside the labels.
func (p *page) write(l lists) {
	for _, one := range l {
		if len(one.items) == 0 {
			continue
		}
		heading, column := "\n"+one.title+":\n", 0
		if p.man {
			heading = ".SS " + one.title + "\n"
		}
		p.WriteString(heading)
		for _, item := range one.items {
			if n := report.Width(item.Text); n <= widestLabel && item.About != "" {
				column = max(column, indent+n+indent)
			}
		}
		if column == 0 || column > p.room/2 {
			column = 3 * indent
		}
		for _, item := range one.items {
			p.item(item, column)
		}
	}
}

// item writes an item of a list, whose text begins in a column.
func (p *page) item(item Word, column int) {
	beside := column - indent - report.Width(item.Text)
	text := report.Fill(item.About, p.room, column, column)
	switch {
	case p.man:
		fmt.Fprintf(p, ".TP\n.B\n%s\n%s\n", strings.ReplaceAll(roff(item.Text), "'", `\(aq`), roff(item.About))
	case text == "":
		fmt.Fprintf(p, "  %s\n", report.Fill(item.Text, p.room, indent, 3*indent))
	case beside < indent:
		fmt.Fprintf(p, "  %s\n%*s%s\n", item.Text, column, "", text)
	default:
		fmt.Fprintf(p, "  %s%*s%s\n", item.Text, beside, "", text)
	}
}

func (s *Shell) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page",
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("found %q, expected no argument", c.Args().First())
			}
			p := &page{man: true}
			fmt.Fprintf(p, ".TH %s 1 \"\" \"%[1]s %s\"\n.SH NAME\n%[1]s \\- %[3]s\n.SH DESCRIPTION\n", s.App.Name, s.Version, roff(s.App.Usage))
			s.overview(p)
			for _, c := range s.App.VisibleCommands() {
				p.WriteString(".SH " + roff(s.App.Name+" "+c.Name) + "\n")
				s.describe(p, c, true)
			}
			s.Out.Printf("%s", p)
			return nil
		},
	}
}

// roff writes text so that man(7) takes none of it for markup.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text // no request
	}
	return text
}
