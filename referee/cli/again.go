package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/cli/shell"
	"umpire/referee/fleet"
	"umpire/referee/settings"
)

// again is a command to run again, ready to be typed into a shell.
type again struct{ words []string }

// runAgain begins a command with its arguments.
func runAgain(command string, args ...string) *again {
	return (&again{[]string{"umpire", command}}).args(args...)
}

func (a *again) String() string { return strings.Join(a.words, " ") }

// args adds arguments, quoted where they need it, without the secrets in URLs:
// the command is shown and kept in files.
func (a *again) args(words ...string) *again {
	for _, word := range words {
		a.words = append(a.words, quote(fleet.HideSecrets(word)))
	}
	return a
}

// flag adds a flag, with its value if it takes one.
func (a *again) flag(name string, value ...string) *again {
	a.words = append(a.words, settings.Flag(name))
	return a.args(value...)
}

// flags adds the named flags that the user has set, with their values.
func (a *again) flags(c *cli.Context, names ...string) *again {
	for _, name := range names {
		if !c.IsSet(name) {
			continue
		}
		switch f := shell.Flag(c.Command, name); {
		case !shell.TakesValue(f):
			a.flag(name)
		case shell.IsList(f):
			for _, one := range c.StringSlice(name) {
				a.flag(name, one)
			}
		default:
			a.flag(name, fmt.Sprint(c.Value(name)))
		}
	}
	return a
}

// repeat returns the command line of a command, as it was given.
func repeat(c *cli.Context) *again {
	return runAgain(c.Command.Name, c.Args().Slice()...).flags(c, flagNames(c)...)
}

// flagNames returns the names of a command's flags, except some.
func flagNames(c *cli.Context, but ...string) []string {
	var names []string
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; !slices.Contains(but, name) {
			names = append(names, name)
		}
	}
	return names
}

// playAgain returns the command that plays one case of this run again. With
// --case there is only one, given as the user gave it: it may be a file or a
// text, whose name is in no set.
func (s *session) playAgain(command, name string) string {
	if s.c.IsSet("case") {
		name = s.c.String("case")
	}
	a := runAgain(command, s.game.Name)
	for _, b := range s.bots {
		a.args(b.Entrant.Label)
	}
	return a.flag("case", name).flags(s.c, "cases", "against").flags(s.c, settings.Names(settings.Conditions)...).flags(s.c, "languages").String()
}

// reproduce returns the command that sends the bot what it was sent in a match.
func (s *session) reproduce(id string) string {
	return runAgain("reproduce", s.results).flag("id", id).args(s.bots[0].Entrant.Label).flags(s.c, "isolation", "languages").String()
}

// resumeCommand returns the command that plays the missing matches of a
// tournament in the same way, but for how the result is shown. Conditions are
// kept in the run folder; --jobs 0 is as well, and named since it decides
// whether bots are started here.
func (s *tournamentSession) resumeCommand() string {
	a := runAgain("tournament").flag("resume").flag("o", s.dir)
	if s.mayHaveWorkers() && s.noJobs() {
		a.flag("jobs", "0")
	}
	return a.flags(s.c, "listen", "nats", "token-file", "recheck", "tls-cert", "tls-key", "tls-ca", "url", "insecure", "players", "private", "compress").String()
}

// repeatCommand returns the command that plays a tournament, described in a
// file, from the beginning.
func (s *tournamentSession) repeatCommand(config string) string {
	return runAgain("tournament").flag("config", config).String()
}

// resumeCommand returns the command that resumes this run from the stored
// results.
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

// quote quotes a word for a shell if necessary.
func quote(word string) string {
	if word != "" && word[0] != '#' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-#") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
