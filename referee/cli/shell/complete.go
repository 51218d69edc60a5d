package shell

import (
	"embed"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
)

// shells are those with completion, as the argument of the command is written.
const shells = "bash|zsh|fish"

//go:embed completion
var scripts embed.FS

func (s *Shell) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print the completion script of a shell", ArgsUsage: shells,
		Action: func(c *cli.Context) error {
			script, err := scripts.ReadFile("completion/" + s.App.Name + "." + c.Args().First())
			if c.NArg() != 1 || err != nil {
				return usagef("found %q, expected `umpire completion %s`", strings.Join(c.Args().Slice(), " "), shells)
			}
			s.Out.Printf("%s", script)
			return nil
		},
	}
}

// completeCommand is the command that the scripts call with the words of a
// command line up to the cursor. It prints what else the shell may offer in
// place of the last one (files, folders or nothing), and then a line for every
// completion: the word, a tab, and what it means.
func (s *Shell) completeCommand() *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true,
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			last := max(0, len(words)-1)
			others, found := s.complete(words[:last], strings.Join(words[last:], ""))
			s.Out.Printf("%s\n", others)
			for _, one := range found {
				s.Out.Printf("%s\t%s\n", one.Text, report.SafeLine(strings.ReplaceAll(one.About, "\n", " ")))
			}
			return nil
		},
	}
}

// complete finds what may stand after words in place of what is typed.
func (s *Shell) complete(words []string, typed string) (others string, fit []Word) {
	others, found, prefix := "nothing", []Word(nil), ""
	name, _, isSet := strings.Cut(typed, "=")
	if command, rest := s.find(words); command == nil {
		found = s.nextWords(words, typed)
	} else {
		l := s.read(command, rest)
		isFlag := strings.HasPrefix(typed, "-") && !l.ended
		kind := argument(command, len(l.args))
		switch f := Flag(command, strings.TrimLeft(name, "-")); {
		case l.waiting != nil:
			kind = ValueName(l.waiting)
		case isFlag && isSet && f != nil:
			kind, prefix = strings.Trim(ValueName(f), "[=]"), name+"="
		case isFlag:
			kind, found = "", l.flagsLeft()
		case isSet && isBot(kind): // with a name in front
			prefix = name + "="
		}
		if kind != "" {
			others, found = s.values(Gap{command.Name, kind, strings.TrimPrefix(typed, prefix), l.args, l.flags})
		}
	}
	for _, one := range found {
		if one.Text = prefix + one.Text; strings.HasPrefix(one.Text, typed) {
			fit = append(fit, one)
		}
	}
	return others, fit
}

// flagsLeft returns the flags that may still be given.
func (l *line) flagsLeft() (found []Word) {
	for _, f := range l.command.Flags {
		if _, ok := l.given[f]; !ok || IsList(f) {
			found = append(found, Word{Dashed(f.Names()[0]), flagText(f)})
		}
	}
	return append(found, Word{"--help", "explain the command"})
}

// argument returns what a command's argument at a place is, as its usage names
// it, such as RUN|GAME where there are several usages; "" if there is none.
func argument(command *cli.Command, at int) string {
	var names []string
	for usage := range strings.SplitSeq(command.ArgsUsage, " | ") {
		list := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(usage))
		if n := len(list); n > 0 && strings.HasSuffix(list[n-1], "...") {
			list[n-1] = strings.TrimSuffix(list[n-1], "...")
			at = min(at, n-1)
		}
		if at < len(list) {
			names = append(names, list[at])
		}
	}
	return strings.Join(names, "|")
}

// isBot reports whether a value is a bot, which may have a name in front.
func isBot(names string) bool {
	return slices.ContainsFunc(strings.Split(names, "|"), func(name string) bool {
		return slices.Contains([]string{"BOT", "OLD", "NEW"}, name)
	})
}

// values returns the words that may stand at a gap, and what else the shell may offer.
func (s *Shell) values(at Gap) (others string, found []Word) {
	others = "nothing"
	for name := range strings.SplitSeq(at.Value, "|") {
		switch {
		case name == strings.ToLower(name):
			found = append(found, Word{Text: name})
		case name == "FILE", name == "OUT":
			others = "files"
		case name == "DIR" && others == "nothing":
			others = "folders"
		case name == "COMMAND":
			found = slices.Concat(found, s.nextWords(at.Args, ""), s.nextWords(append([]string{"help"}, at.Args...), ""))
		default:
			at.Value = name
			words, files := s.Values(at)
			if found = append(found, words...); files {
				others = "files"
			}
		}
	}
	return others, found
}

// nextWords returns the words that continue the name of a command; one that is
// typed with a dash is an alias.
func (s *Shell) nextWords(words []string, typed string) (next []Word) {
	for _, c := range s.App.Commands {
		names := []string{c.Name}
		if strings.HasPrefix(typed, "-") {
			names = c.Aliases
		}
		for _, name := range names {
			rest, ok := strings.CutPrefix(name, strings.Join(append(words, ""), " "))
			one := Word{rest, c.Usage}
			if word, _, isGroup := strings.Cut(rest, " "); isGroup {
				one = Word{Text: word}
			}
			if ok && (!c.Hidden || len(words) > 0) && !slices.ContainsFunc(next, func(w Word) bool { return w.Text == one.Text }) {
				next = append(next, one)
			}
		}
	}
	return next
}
