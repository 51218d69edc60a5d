package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/suggest"
)

// helpFirst returns a line that asks for help or the version, in one of the ways
// people do, as the command that answers; all others it leaves alone.
func helpFirst(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"help"}
	case args[0] == "--version", args[0] == "-v":
		return append([]string{"version"}, args[1:]...)
	}
	words, asks := args, args[0] == "help"
	if i := slices.Index(args, "--"); i >= 0 {
		words = args[:i]
	}
	if asks {
		words = words[1:]
	}
	line := []string{"help"}
	for _, word := range words {
		switch {
		case word == "--help=all", word == "--all" && args[0] == "help":
			asks, line = true, slices.Insert(line, 1, "--all")
		case slices.Contains([]string{"--help", "-help", "-h"}, word):
			asks = true
		case !strings.HasPrefix(word, "-"):
			line = append(line, word)
		}
	}
	if asks {
		return line
	}
	return args
}

func (s *Shell) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "explain a command or a topic", ArgsUsage: "[COMMAND]",
		Description: "`help topic` lists the topics, and `help topic NAME` prints one. --help after a command is the same as\n" +
			"help before it.",
		Flags:  []cli.Flag{&cli.BoolFlag{Name: "all", Usage: "also show flags that few need (also as --help=all)"}},
		Action: func(c *cli.Context) error { return s.help(c.Args().Slice(), c.Bool("all")) },
	}
}

// help explains what words name: a command, a group of commands or a topic.
func (s *Shell) help(words []string, all bool) error {
	if len(words) == 0 {
		return s.print(s.overview(""))
	}
	command, _ := s.find(words)
	topic := slices.IndexFunc(s.Topics, func(t Topic) bool { return t.Name == words[len(words)-1] })
	switch {
	case command != nil:
		return s.print(s.describe(command, all))
	case words[0] == "topic" && len(words) == 1:
		return s.print([]section{{"Topics", s.topics(func(Topic) bool { return true })}})
	case topic >= 0 && (words[0] == "topic" || len(words) == 1):
		s.Out.Reflow(s.Topics[topic].Text())
		return nil
	case words[0] == "topic":
		var names []string
		for _, t := range s.Topics {
			names = append(names, t.Name)
		}
		return usagef("unknown topic %q%s", words[1], suggest.DidYouMean(words[1], names, "the topics are "+strings.Join(names, ", ")))
	case s.isGroup(words[0]) && len(words) == 1:
		return s.print(s.overview(words[0] + " "))
	}
	return s.unknown(words)
}

// item is a line of help: a label, such as a flag, with a text beside it. A text
// alone is a paragraph, a label alone a command line.
type item struct{ label, text string }

// section is a part of help. Without a title it is a part of the description.
type section struct {
	title string
	items []item
}

// overview describes the program or, with a prefix, its commands that begin so.
func (s *Shell) overview(prefix string) []section {
	sections := []section{{"", []item{{"", s.App.Name + " - " + s.App.Usage}}}}
	if prefix == "" {
		sections = append(sections, section{"Usage", []item{{label: s.App.Name + " COMMAND [FLAGS] [ARGUMENTS]"}}})
	}
	for _, c := range s.App.VisibleCommands() {
		if !strings.HasPrefix(c.Name, prefix) {
			continue
		}
		if last := len(sections) - 1; sections[last].title != c.Category {
			sections = append(sections, section{title: c.Category})
		}
		text := c.Usage
		for _, alias := range c.Aliases {
			text += fmt.Sprintf(" (also %s %s)", s.App.Name, alias)
		}
		last := &sections[len(sections)-1]
		last.items = append(last.items, item{c.Name, text})
	}
	if prefix != "" {
		return sections
	}
	return append(sections, section{"Flags", []item{
		{"--help, -h", "explain a command: umpire COMMAND --help, or umpire help COMMAND"},
		{"--version, -v", "print the version"},
	}}, s.examples(""))
}

// examples returns the examples of a command.
func (s *Shell) examples(command string) section {
	list := section{title: "Examples"}
	for _, line := range s.Examples[command] {
		list.items = append(list.items, item{label: line})
	}
	return list
}

// topics lists topics with the command that prints each.
func (s *Shell) topics(meant func(Topic) bool) (list []item) {
	for _, t := range s.Topics {
		if meant(t) {
			list = append(list, item{s.App.Name + " help topic " + t.Name, t.About})
		}
	}
	return list
}

// describe describes a command; all includes flags that few need.
func (s *Shell) describe(c *cli.Command, all bool) []section {
	synopsis := s.App.Name + " " + c.Name
	sections := []section{{"", []item{{"", synopsis + " - " + c.Usage}}}}
	if len(c.Flags) > 0 {
		synopsis += " [FLAGS]"
	}
	sections = append(sections, section{"Usage", []item{{label: strings.TrimSpace(synopsis + " " + c.ArgsUsage)}}})
	for _, alias := range c.Aliases {
		sections[1].items = append(sections[1].items, item{label: s.App.Name + " " + alias})
	}
	sections = append(sections, paragraphs(c.Description)...)
	groups := slices.DeleteFunc(slices.Clone(s.FlagGroups), func(g FlagGroup) bool { return g.Needs != "" && Flag(c, g.Needs) == nil })
	lists, rare := []section{{title: "Flags"}}, 0
	for _, g := range groups {
		lists = append(lists, section{title: g.Title})
	}
	for _, f := range c.VisibleFlags() {
		in := slices.IndexFunc(groups, func(g FlagGroup) bool { return slices.Contains(g.Flags, f.Names()[0]) })
		if in >= 0 && groups[in].Rare && !all {
			rare++
			continue
		}
		lists[in+1].items = append(lists[in+1].items, flagItem(f))
	}
	sections = append(sections, lists...)
	if rare > 0 {
		sections = append(sections, section{"", []item{{"", fmt.Sprintf("--help=all shows %d more flags.", rare)}}})
	}
	about := section{"See also", s.topics(func(t Topic) bool { return slices.Contains(t.Commands, c.Name) })}
	return append(sections, s.examples(c.Name), about)
}

// paragraphs splits a description: paragraphs, separated by empty lines, and
// lists, whose items begin with two spaces: a label, two spaces, and text, which
// goes on in lines indented more.
func paragraphs(text string) (parts []section) {
	if text == "" {
		return nil
	}
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var list []item
		for line := range strings.SplitSeq(block, "\n") {
			words := strings.TrimSpace(line)
			label, explained, isItem := strings.Cut(words, "  ")
			deeper := strings.HasPrefix(line, "   ")
			switch last := len(list) - 1; {
			case isItem && strings.HasPrefix(line, "  ") && !deeper:
				list = append(list, item{label, strings.TrimSpace(explained)})
			case last >= 0 && deeper == (list[last].label != ""):
				list[last].text += " " + words
			case last >= 0: // a paragraph after a list
				parts = append(parts, section{items: list})
				list = []item{{text: words}}
			default:
				list = []item{{text: words}}
			}
		}
		parts = append(parts, section{items: list})
	}
	return parts
}

// flagItem explains a flag: what is typed, what it does, and its default unless
// the explanation says it.
func flagItem(f cli.Flag) item {
	var names []string
	for _, name := range f.Names() {
		names = append(names, dashed(name))
	}
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return item{label: strings.Join(names, ", ")}
	}
	value := valueName(f)
	text := strings.ReplaceAll(strings.TrimPrefix(d.GetUsage(), "`"+value+"`: "), "`", "")
	if v := d.GetValue(); d.TakesValue() && v != "" && v != "0" && !IsList(f) && !strings.Contains(text, "(default") {
		text += " (default: " + v + ")"
	}
	for _, env := range d.GetEnvVars() {
		text += " [$" + env + "]"
	}
	return item{strings.TrimSpace(strings.Join(names, ", ") + " " + value), text}
}

// valueName returns the name that stands for a flag's value in its help: words in
// capitals for kinds of values, others for themselves; "" if it takes none.
func valueName(f cli.Flag) string {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok || !d.TakesValue() {
		return ""
	}
	if parts := strings.SplitN(d.GetUsage(), "`", 3); len(parts) == 3 {
		return parts[1]
	}
	return "VALUE"
}

// Of help on a terminal.
const (
	widestHelp  = 120 // columns: longer lines are hard to read
	widestLabel = 22  // columns of a label with text beside it
	indent      = 2   // before a label, and between it and its text
)

// print prints sections, no wider than the terminal if words allow.
func (s *Shell) print(sections []section) error {
	room := defaultColumns
	if s.Out.Columns != nil {
		room = min(s.Out.Columns(), widestHelp)
	}
	var parts []string
	for _, part := range sections {
		if len(part.items) > 0 {
			parts = append(parts, part.help(room))
		}
	}
	s.Out.Printf("%s", strings.Join(parts, "\n"))
	return nil
}

// help returns a section as text: labels, and texts in a column beside them.
func (p section) help(room int) string {
	label := 0
	for _, one := range p.items {
		if n := report.Width(one.label); n <= widestLabel && one.text != "" {
			label = max(label, n)
		}
	}
	column := indent + label + indent
	if label == 0 || column > room/2 {
		column = 3 * indent
	}
	var b strings.Builder
	if p.title != "" {
		b.WriteString(p.title + ":\n")
	}
	for _, one := range p.items {
		at := indent + report.Width(one.label)
		switch {
		case one.label == "":
			b.WriteString(report.Fill(one.text, room, 0, 0))
		case one.text == "":
			b.WriteString("  " + report.Fill(one.label, room, indent, 3*indent))
		case at+indent > column:
			b.WriteString("  " + one.label + "\n" + strings.Repeat(" ", column) + report.Fill(one.text, room, column, column))
		default:
			b.WriteString("  " + one.label + strings.Repeat(" ", column-at) + report.Fill(one.text, room, column, column))
		}
		b.WriteString("\n")
	}
	return b.String()
}
