package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/settings"
)

// again is a command to run again, as it can be typed into a shell.
type again struct{ words []string }

// runAgain begins a command with its arguments.
func runAgain(command string, args ...string) *again {
	return (&again{[]string{"umpire", command}}).args(args...)
}

func (a *again) String() string { return strings.Join(a.words, " ") }

// args adds arguments, quoted where they need it.
func (a *again) args(words ...string) *again {
	for _, word := range words {
		a.words = append(a.words, quote(word))
	}
	return a
}

// flag adds a flag, with its value if it takes one.
func (a *again) flag(name string, value ...string) *again {
	a.words = append(a.words, settings.Flag(name))
	return a.args(value...)
}

// flags adds those of the named flags that the user has set, as he has.
func (a *again) flags(c *cli.Context, names ...string) *again {
	for _, name := range names {
		if !c.IsSet(name) {
			continue
		}
		switch f := lookup(c.Command.Flags, name); {
		case !takesValue(f):
			a.flag(name)
		case isList(f):
			for _, one := range c.StringSlice(name) {
				a.flag(name, one)
			}
		default:
			a.flag(name, fmt.Sprint(c.Value(name)))
		}
	}
	return a
}

func isList(f cli.Flag) bool {
	_, ok := f.(*cli.StringSliceFlag)
	return ok
}

// flagNames are the names of a command's flags, but for some.
func flagNames(c *cli.Context, but ...string) []string {
	var names []string
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; !slices.Contains(but, name) {
			names = append(names, name)
		}
	}
	return names
}

// playAgain is the command that plays one case of this run again. What --case
// named is the only one, and may be a file or a text, which no set knows by its
// name.
func (s *session) playAgain(command, name string) string {
	if s.c.IsSet("case") {
		name = s.c.String("case")
	}
	a := runAgain(command, s.game.Name)
	for _, b := range s.bots {
		a.args(b.Label)
	}
	return a.flag("case", name).flags(s.c, "cases").flags(s.c, settings.Names(settings.Conditions)...).flags(s.c, "languages").String()
}

// reproduce is the command that feeds the bot what it was sent in a match.
func (s *session) reproduce(id string) string {
	return runAgain("reproduce", s.results).flag("id", id).args(s.bots[0].Label).flags(s.c, "isolation", "languages").String()
}

// resumeCommand is the command that plays what is missing of a tournament.
func (s *tournamentSession) resumeCommand() string {
	return runAgain("tournament").flag("resume").flag("o", s.dir).String()
}

// repeatCommand is the command that plays a tournament, described in a file, from
// the beginning.
func (s *tournamentSession) repeatCommand(config string) string {
	return runAgain("tournament").flag("config", config).String()
}

// resumeCommand is the command that takes this run up again with what is stored.
func (k *scorer) resumeCommand(stored string) string {
	from := k.c.StringSlice("from")
	if !slices.Contains(from, stored) {
		from = append(from, stored)
	}
	a := runAgain("score", k.c.Args().Slice()...)
	for _, name := range from {
		a.flag("from", name)
	}
	return a.flags(k.c, flagNames(k.c, "from")...).String()
}

// quote quotes a word for a shell, if it needs that.
func quote(word string) string {
	if word != "" && word[0] != '#' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-#") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
