// Package shell is what a person at a terminal meets around the commands: help,
// completion and the manual page, the order of arguments, progress, a line of
// status, replies typed at the keyboard, and a match stepped through with keys.
// It knows neither the commands nor what they play.
package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/suggest"
)

// Shell is a program's command line: its commands, and what help, completion and
// messages about mistakes say about them. A command's name may be of several
// words, such as "fleet status"; its category is its heading in help.
type Shell struct {
	App        *cli.App
	Version    string
	Build      Build
	Out        *report.Printer
	Examples   map[string][]string // command lines, by command; "" is the program itself
	FlagGroups []FlagGroup
	Topics     []Topic
	// Values returns the words that may stand at a gap, and whether files may, too.
	Values func(at Gap) (words []Word, files bool)
	// Misplaced returns the error of a line whose first word is no command; near is the
	// command that it resembles, "" if none. It is nil if there is nothing to say about it.
	Misplaced func(name, near string, rest []string) error
	Short     map[string][]string // other names of flags, by the flag's name
	Optional  map[string]string   // values of flags that are given without one, by name
}

// Gap is a place in a command line where a value is to be completed.
type Gap struct {
	Command string   // its name
	Value   string   // what the value is called in help, such as GAME
	Typed   string   // what is there of it
	Args    []string // those before it
	Flags   []string // those before it, as --NAME=VALUE
}

// FlagGroup is a heading in help, of flags that several commands share.
type FlagGroup struct {
	Title string
	Flags []string // names
	Needs string   // only commands with this flag have the heading; "": all
	Rare  bool     // help shows them only with --help=all
}

// Topic is a text that explains what belongs to no single command.
type Topic struct {
	Name     string // one word
	About    string // a phrase
	Text     func() string
	Commands []string // whose help names the topic
}

// Word is a word that may be typed, with what it means.
type Word struct{ Text, About string }

// UsageError is a mistake in a command line.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Run runs a command line, without the program's name.
func (s *Shell) Run(ctx context.Context, args []string) error {
	sorted, err := s.Sort(args)
	if err != nil {
		return err
	}
	return s.App.RunContext(ctx, append([]string{s.App.Name}, sorted...))
}

// Add adds the commands that explain the others, in a category.
func (s *Shell) Add(category string) {
	own := []*cli.Command{s.completionCommand(), s.completeCommand(), s.helpCommand(), s.manCommand(), s.versionCommand()}
	for _, c := range own {
		c.Category = category
	}
	s.App.Commands = slices.Concat(s.App.Commands, own, s.topicCommands())
	s.App.HideHelp, s.App.HideVersion, s.App.DisableSliceFlagSeparator = true, true, true
	s.App.ExitErrHandler = func(*cli.Context, error) {}
	for _, c := range s.App.Commands {
		c.HideHelp = true
		for _, f := range c.Flags {
			switch f := f.(type) {
			case *cli.BoolFlag:
				f.Aliases = append(f.Aliases, s.Short[f.Name]...)
			case *cli.IntFlag:
				f.Aliases = append(f.Aliases, s.Short[f.Name]...)
			}
		}
		c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return &UsageError{err} }
	}
}

// find returns the command that a line begins with, nil if none, and the words
// after it.
func (s *Shell) find(words []string) (*cli.Command, []string) {
	for n := min(3, len(words)); n > 0; n-- {
		if c := s.App.Command(strings.Join(words[:n], " ")); c != nil {
			return c, words[n:]
		}
	}
	return nil, words
}

// isGroup reports whether the names of several commands begin with words.
func (s *Shell) isGroup(words ...string) bool {
	return slices.ContainsFunc(s.App.Commands, func(c *cli.Command) bool { return strings.HasPrefix(c.Name, strings.Join(words, " ")+" ") })
}

// unknown returns the error of a line that begins with no command.
func (s *Shell) unknown(words []string) error {
	name, rest := words[0], words[1:]
	if len(words) > 2 && name == "help" && rest[0] == "topic" {
		var topics []string
		for _, t := range s.Topics {
			topics = append(topics, t.Name)
		}
		if near := suggest.Nearest(rest[1], topics); near != "" {
			return usagef("unknown topic %q; did you mean help topic %s?", rest[1], near)
		}
		return usagef("unknown topic %q; the topics are %s", rest[1], strings.Join(topics, ", "))
	}
	if strings.HasPrefix(name, "-") {
		return s.unknownFlag(nil, name)
	}
	for len(rest) > 0 && s.isGroup(name) {
		name, rest = name+" "+rest[0], rest[1:]
	}
	group, _, isOfGroup := strings.Cut(name, " ")
	var names, all []string
	for _, c := range s.App.Commands {
		if all = append(all, c.Names()...); !c.Hidden && (!isOfGroup || strings.HasPrefix(c.Name, group+" ")) {
			names = append(names, c.Name)
		}
	}
	if s.Misplaced != nil {
		if err := s.Misplaced(name, suggest.Nearest(name, all), rest); err != nil {
			return err
		}
	}
	return usagef("unknown command %q%s", name, suggest.DidYouMean(name, all, "the commands are "+strings.Join(names, ", ")))
}
