package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
)

func (s *Shell) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Aliases: []string{"--help", "-h", "-help", helpAll}, Usage: "explain a command or a topic", ArgsUsage: "[COMMAND]...",
		Description: "`help topic` lists the topics. --help after a command is the same as help before it.",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "all", Usage: "also explain flags that few need: --help=all"}},
		Action:      func(c *cli.Context) error { return s.help(c.Args().Slice(), c.Bool("all")) },
	}
}

// help explains the command, or the group of commands, that words name.
func (s *Shell) help(words []string, all bool) error {
	p := &page{room: defaultColumns}
	if s.Out.Columns != nil {
		p.room = min(s.Out.Columns(), widestHelp)
	}
	command, _ := s.find(words)
	if len(words) > 0 && words[0] == "topic" {
		words = append([]string{"help"}, words...)
	}
	switch {
	case command != nil:
		s.describe(p, command, all)
	case len(words) == 0 || s.isGroup(words...):
		s.overview(p, words...)
	default:
		return s.unknown(words)
	}
	s.Out.Printf("%s", strings.TrimLeft(p.String(), "\n"))
	return nil
}

// topicCommands returns a command for each topic, which prints it.
func (s *Shell) topicCommands() (list []*cli.Command) {
	for _, t := range s.Topics {
		list = append(list, &cli.Command{
			Name: "help topic " + t.Name, Aliases: []string{"help " + t.Name}, Usage: t.About, Category: "Topics", Hidden: true,
			Action: func(*cli.Context) error {
				s.Out.Reflow(t.Text())
				return nil
			},
		})
	}
	return list
}

// overview lists the commands, or those whose names begin with words.
func (s *Shell) overview(p *page, words ...string) {
	var l lists
	if len(words) == 0 {
		p.paragraph(s.App.Name + " - " + s.App.Usage)
		l.add("Usage", Word{Text: s.App.Name + " COMMAND [FLAGS] [ARGUMENTS]"})
	}
	for _, c := range s.App.Commands {
		if !strings.HasPrefix(c.Name, strings.Join(append(words, ""), " ")) || c.Hidden && len(words) == 0 {
			continue
		}
		l.add(c.Category, Word{c.Name, s.about(c)})
	}
	for _, line := range s.Examples[strings.Join(words, " ")] {
		l.add("Examples", Word{Text: line})
	}
	p.write(l)
}

// about says what a command does, and by which other name it is known.
func (s *Shell) about(c *cli.Command) string {
	if len(c.Aliases) == 0 || c.Hidden {
		return c.Usage
	}
	return fmt.Sprintf("%s (also %s %s)", c.Usage, s.App.Name, c.Aliases[0])
}

// describe describes a command; all includes flags that few need.
func (s *Shell) describe(p *page, c *cli.Command, all bool) {
	name := s.App.Name + " " + c.Name
	p.paragraph(name + " - " + s.about(c))
	synopsis := name
	if len(c.Flags) > 0 {
		synopsis += " [FLAGS]"
	}
	p.write(lists{{"Usage", []Word{{Text: strings.TrimSpace(synopsis + " " + c.ArgsUsage)}}}})
	if c.Description != "" {
		p.paragraph(c.Description)
	}
	l := lists{{title: "Flags"}}
	var rare []string // groups of flags that are not explained
	unexplained := 0
	for _, f := range c.VisibleFlags() {
		group := FlagGroup{Title: "Flags"}
		for _, g := range s.FlagGroups {
			if slices.Contains(g.Flags, f.Names()[0]) && (g.Needs == "" || Flag(c, g.Needs) != nil) {
				group = g
			}
		}
		if group.Rare && !all {
			unexplained++
			if title := strings.ToLower(group.Title); !slices.Contains(rare, title) {
				rare = append(rare, title)
			}
			continue
		}
		l.add(group.Title, Word{flagLabel(f), flagText(f)})
	}
	if unexplained > 0 {
		l.add("More", Word{"--help=all", fmt.Sprintf("explain %s: %s", report.Plural(unexplained, "more flag"), strings.Join(rare, "; "))})
	}
	for _, line := range s.Examples[c.Name] {
		l.add("Examples", Word{Text: line})
	}
	for _, t := range s.Topics {
		if slices.Contains(t.Commands, c.Name) {
			l.add("See also", Word{s.App.Name + " help topic " + t.Name, t.About})
		}
	}
	p.write(l)
}

// flagLabel returns a flag as it is typed, with the name of its value.
func flagLabel(f cli.Flag) string {
	var names []string
	for _, name := range f.Names() {
		names = append(names, Dashed(name))
	}
	return strings.TrimSpace(strings.Replace(strings.Join(names, ", ")+" "+ValueName(f), " [=", "[=", 1))
}

// flagText says what a flag does, and its default unless the explanation has it.
func flagText(f cli.Flag) string {
	d := documented(f)
	text := strings.ReplaceAll(strings.TrimPrefix(d.GetUsage(), "`"+ValueName(f)+"`: "), "`", "")
	if v := d.GetValue(); d.TakesValue() && v != "" && v != "0" && !IsList(f) && !strings.Contains(text, "(default") {
		text += " (default: " + v + ")"
	}
	for _, env := range d.GetEnvVars() {
		text += " [$" + env + "]"
	}
	return text
}

// ValueName returns the name that stands for a flag's value in its help: words in
// capitals for kinds of values, others for themselves; "" if it takes none. A value that
// may be missing is in brackets: [=FILE].
func ValueName(f cli.Flag) string {
	parts := strings.Split(documented(f).GetUsage(), "`")
	if !TakesValue(f) || len(parts) < 3 {
		return ""
	}
	return parts[1]
}

// documented returns what a flag says about itself: every kind of the library does.
func documented(f cli.Flag) cli.DocGenerationFlag { return f.(cli.DocGenerationFlag) }

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
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace("\n" + text)[1:]
}
