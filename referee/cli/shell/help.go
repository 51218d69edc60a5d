package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
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
	l, rare := lists{{title: "Flags"}}, lists{}
	for _, f := range c.VisibleFlags() {
		group := FlagGroup{Title: "Flags"}
		for _, g := range s.FlagGroups {
			if slices.Contains(g.Flags, f.Names()[0]) && (g.Needs == "" || Flag(c, g.Needs) != nil) {
				group = g
			}
		}
		if group.Rare && !all {
			rare.add(strings.ToLower(group.Title), Word{})
			continue
		}
		l.add(group.Title, Word{flagLabel(f), flagText(f)})
	}
	for _, group := range rare {
		l.add("Flags", Word{"--help=all", fmt.Sprintf("explain %d more flags: %s", len(group.items), group.title)})
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
		names = append(names, dashed(name))
	}
	return strings.TrimSpace(strings.Join(names, ", ") + " " + valueName(f))
}

// flagText says what a flag does, and its default unless the explanation has it.
func flagText(f cli.Flag) string {
	d := documented(f)
	text := strings.ReplaceAll(strings.TrimPrefix(d.GetUsage(), "`"+valueName(f)+"`: "), "`", "")
	if v := d.GetValue(); d.TakesValue() && v != "" && v != "0" && !IsList(f) && !strings.Contains(text, "(default") {
		text += " (default: " + v + ")"
	}
	for _, env := range d.GetEnvVars() {
		text += " [$" + env + "]"
	}
	return text
}

// valueName returns the name that stands for a flag's value in its help: words in
// capitals for kinds of values, others for themselves; "" if it takes none.
func valueName(f cli.Flag) string {
	parts := strings.Split(documented(f).GetUsage(), "`")
	if !TakesValue(f) || len(parts) < 3 {
		return ""
	}
	return parts[1]
}

// documented returns what a flag says about itself: every kind of the library does.
func documented(f cli.Flag) cli.DocGenerationFlag { return f.(cli.DocGenerationFlag) }
