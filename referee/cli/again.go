package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/cli/shell"
	"umpire/referee/fleet"
	"umpire/referee/pattern"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/session"
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
		case !shell.TakesValue(f) && c.Bool(name):
			a.flag(name)
		case !shell.TakesValue(f):
			a.words = append(a.words, settings.Flag(name)+"=false")
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

// repeat returns the command line of a command, as it was given but for some flags.
func repeat(c *cli.Context, but ...string) *again {
	return runAgain(c.Command.Name, c.Args().Slice()...).flags(c, flagNames(c, but...)...)
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

// playAgain returns the command that plays one case of a session again. With --case
// there is only one, given as the user gave it: it may be a file or a text, whose name
// is in no set.
func playAgain(c *cli.Context, s *session.Session, name string) string {
	if c.IsSet("case") {
		name = c.String("case")
	}
	a := runAgain(c.Command.Name, gameWord(c, s.Play))
	for _, e := range s.Entrants {
		a.args(e.Label)
	}
	return a.flag("case", name).flags(c, "cases", "against").flags(c, settings.Names(settings.Conditions)...).flags(c, "languages", "format", "judge", "judge-format", "trust").String()
}

// gameWord is how a command names the game that is its first argument: as it was
// typed, if it is that of a folder.
func gameWord(c *cli.Context, p session.Play) string {
	if p.Umpire.Folder(p.Game) != nil || p.Umpire.Problem(p.Game) != nil {
		return c.Args().First()
	}
	return p.Game.Name
}

// quote quotes a word for a shell of this system if necessary.
func quote(word string) string { return quoteFor(runtime.GOOS, word) }

// quoteFor quotes a word for a shell of a system if necessary: on Windows for both cmd and
// PowerShell, in which @ and # at the beginning, and commas, mean something. Within quotes
// cmd still replaces %NAME%, and PowerShell $NAME: no way to prevent that suits both.
func quoteFor(system, word string) string {
	plain, special := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:./_-#", "#"
	if system == "windows" {
		plain, special = plain+`\`, "#@"
	} else {
		plain += "%,"
	}
	switch {
	case word != "" && strings.Trim(word, plain) == "" && !strings.ContainsAny(word[:1], special):
		return word
	case system == "windows": // where programs take backslashes for escapes only before "
		return `"` + strings.ReplaceAll(beforeQuote().ReplaceAllString(word, "$1$1$2"), `"`, `\"`) + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// beforeQuote matches the backslashes that Windows would take for escapes of the next quote, or
// of the closing one.
var beforeQuote = pattern.New(`(\\+)("|$)`)

// What a command that was stopped says of what was finished, and how to go on.

func interrupted(err error) bool { return errors.Is(err, context.Canceled) }

// sayAgain names the command line that does something again.
func (a *app) sayAgain(what, command string) {
	a.note("umpire: %s: %s\n", what, report.Safe(command))
}

// repeatAppending returns the command line as it was given, with what it needs where
// the stopped command has left records.
func repeatAppending(c *cli.Context) string {
	command := repeat(c)
	if dir := c.String("o"); dir != "" && record.Played(dir) && !c.Bool("append") {
		command.flag("append")
	}
	return command.String()
}

// sayFinished says what a command has finished that was interrupted, or stopped by an error.
func (a *app) sayFinished(why string, finished, matches int, kept string) {
	if kept != "" {
		kept = ", kept in " + kept
	}
	a.note("umpire: %s; %d of %d matches finished%s\n", why, finished, matches, kept)
}
