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
			if len(words) == 0 {
				words = []string{""}
			}
			others, found := s.complete(words[:len(words)-1], words[len(words)-1])
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
	command, words := s.find(words)
	if command == nil {
		found = nextWords(s.commandWords(), words)
	} else {
		line := readTyped(command, words)
		isFlag := strings.HasPrefix(typed, "-") && !line.ended
		kind := argument(command, len(line.args))
		switch f := Flag(command, strings.TrimLeft(name, "-")); {
		case line.waiting != nil:
			kind = valueName(line.waiting)
		case isFlag && isSet && f != nil:
			kind, prefix = valueName(f), name+"="
		case isFlag:
			kind, found = "", line.flagsLeft(command)
		case isSet && kind == "BOT": // with a name in front
			prefix = name + "="
		}
		if kind != "" {
			others, found = s.values(kind, line.args)
		}
	}
	for _, one := range found {
		if one.Text = prefix + one.Text; strings.HasPrefix(one.Text, typed) {
			fit = append(fit, one)
		}
	}
	return others, fit
}

// typedLine is what is known of a command's words.
type typedLine struct {
	given   map[cli.Flag]bool
	args    []string
	waiting cli.Flag // the flag whose value comes next; nil if none
	ended   bool     // after --
}

func readTyped(command *cli.Command, words []string) typedLine {
	line := typedLine{given: make(map[cli.Flag]bool)}
	for _, word := range words {
		name, _, isSet := strings.Cut(word, "=")
		switch f := Flag(command, strings.TrimLeft(name, "-")); {
		case line.waiting != nil:
			line.waiting = nil
		case line.ended || !strings.HasPrefix(word, "-"):
			line.args = append(line.args, word)
		case word == "--":
			line.ended = true
		case f != nil:
			if line.given[f] = true; TakesValue(f) && !isSet {
				line.waiting = f
			}
		}
	}
	return line
}

// flagsLeft returns the flags that may still be given.
func (l typedLine) flagsLeft(command *cli.Command) (found []Word) {
	for _, f := range command.Flags {
		if !l.given[f] || IsList(f) {
			found = append(found, Word{dashed(f.Names()[0]), flagItem(f).text})
		}
	}
	return append(found, Word{"--help", "explain the command"})
}

// argument returns what a command's argument at a place is, as its usage names
// it; "" if there is none.
func argument(command *cli.Command, at int) string {
	list := strings.Fields(command.ArgsUsage)
	if last := len(list) - 1; at > last && last >= 0 && strings.HasSuffix(list[last], "...") {
		at = last
	}
	if at >= len(list) {
		return ""
	}
	return strings.Trim(list[at], "[].")
}

// values returns the words that a value's name in help stands for, and what else
// the shell may offer.
func (s *Shell) values(names string, args []string) (others string, found []Word) {
	others = "nothing"
	for name := range strings.SplitSeq(names, "|") {
		switch {
		case name == strings.ToLower(name):
			found = append(found, Word{Text: name})
		case name == "FILE", name == "OUT":
			others = "files"
		case name == "DIR" && others == "nothing":
			others = "folders"
		case name == "COMMAND":
			words := s.commandWords()
			for _, t := range s.Topics {
				words = append(words, Word{"topic " + t.Name, t.About})
			}
			found = append(found, nextWords(words, args)...)
		default:
			words, files := s.Values(name, args)
			if found = append(found, words...); files {
				others = "files"
			}
		}
	}
	return others, found
}

// commandWords returns the names of the commands.
func (s *Shell) commandWords() (names []Word) {
	for _, c := range s.App.VisibleCommands() {
		names = append(names, Word{c.Name, c.Usage})
	}
	return append(names, Word{"--help", "explain " + s.App.Name}, Word{"--version", "print the version"})
}

// nextWords returns the words that follow others in names.
func nextWords(names []Word, words []string) (next []Word) {
	before := strings.Join(append(words, ""), " ")
	for _, one := range names {
		rest, ok := strings.CutPrefix(one.Text, before)
		word, after, isGroup := strings.Cut(rest, " ")
		same := slices.IndexFunc(next, func(w Word) bool { return w.Text == word })
		switch {
		case !ok:
		case same >= 0:
			next[same].About += ", " + after
		case isGroup:
			next = append(next, Word{word, after})
		default:
			next = append(next, Word{word, one.About})
		}
	}
	return next
}
