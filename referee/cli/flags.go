package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/settings"
	"umpire/referee/suggest"
)

// flagsFirst moves a command's flags before its arguments, where the library
// expects them; users may write them anywhere. "--" ends the flags.
func (a *app) flagsFirst(app *cli.App, args []string) ([]string, error) {
	var flags, rest []string
	given := make(map[cli.Flag]string)
	known := app.Flags
	var command *cli.Command
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			rest = append(rest, args[i+1:]...)
			i = len(args)
		case command == nil && !strings.HasPrefix(arg, "-"):
			if command = app.Command(arg); command == nil {
				return nil, a.unknownCommand(app, arg, args[i+1:])
			}
			known = command.Flags
		case mistypedFlag(known, arg) != "":
			return nil, usagef("%s: found another dash than the hyphen; write %s", arg, mistypedFlag(known, arg))
		case len(arg) < 2 || arg[0] != '-':
			rest = append(rest, arg)
		default:
			flags = append(flags, arg)
			name, value, found := strings.Cut(arg, "=")
			f := lookup(known, strings.TrimLeft(name, "-"))
			if f == nil {
				return nil, unknownFlag(known, command, name)
			}
			if !takesValue(f) {
				if !found {
					value = "true"
				}
				if before := given[f]; before != "" && before != value {
					return nil, usagef("%s: %w", name, twice(before, value))
				}
				given[f] = value
				continue
			}
			if !found {
				if i++; i == len(args) {
					return nil, usagef("%s: found nothing after it, expected a value", arg)
				}
				value = args[i]
				flags = append(flags, value)
			}
			if err := checkValue(f, value, given[f]); err != nil {
				return nil, usagef("%s: %w", name, err)
			}
			given[f] = value
		}
	}
	if command == nil {
		return append(flags, rest...), nil
	}
	sorted := append([]string{command.Name}, flags...)
	return append(append(sorted, "--"), rest...), nil
}

// helpArgs are arguments that ask for help or the version, in one of the ways
// people do, as the library takes them: `help`, `help test`, `test GAME --help`,
// `version`. All others it leaves alone.
func helpArgs(app *cli.App, args []string) []string {
	before := args
	if i := slices.Index(args, "--"); i >= 0 {
		before = args[:i]
	}
	asks := slices.ContainsFunc(before, func(arg string) bool { return slices.Contains([]string{"--help", "-help", "-h"}, arg) })
	switch {
	case len(args) == 1 && args[0] == "version":
		return []string{"--version"}
	case len(args) > 0 && args[0] == "help":
		topic := slices.DeleteFunc(slices.Clone(args[1:]), func(arg string) bool { return strings.HasPrefix(arg, "-") })
		return append(topic[:min(1, len(topic))], "--help")
	case asks && app.Command(args[0]) != nil:
		return []string{args[0], "--help"}
	}
	return args
}

// unknownFlag says which flag of a command was probably meant; name is as typed.
func unknownFlag(known []cli.Flag, command *cli.Command, name string) error {
	names := []string{"--help"}
	if command == nil {
		names = append(names, "--version")
	}
	for _, f := range known {
		for _, n := range f.Names() {
			names = append(names, dashed(n))
		}
	}
	of, help := "umpire", "umpire --help"
	if command != nil {
		of, help = "umpire "+command.Name, "umpire help "+command.Name
	}
	return usagef("unknown flag %s of %s%s", name, of, suggest.DidYouMean(dashed(strings.TrimLeft(name, "-")), names, "`"+help+"` lists them"))
}

// mistypedFlag returns the flag that was meant by an argument with a dash such as
// text processors put in place of hyphens; "" if there is none.
func mistypedFlag(known []cli.Flag, arg string) string {
	const dashes = "-–—−"
	name, _, _ := strings.Cut(strings.TrimLeft(arg, dashes), "=")
	if !strings.ContainsAny(arg[:len(arg)-len(strings.TrimLeft(arg, dashes))], dashes[1:]) || lookup(known, name) == nil {
		return ""
	}
	return dashed(name)
}

// dashed is a flag's name as users write it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func lookup(flags []cli.Flag, name string) cli.Flag {
	switch name {
	case "help", "h":
		return cli.HelpFlag
	case "version", "v":
		return cli.VersionFlag
	}

	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				return f
			}
		}
	}
	return nil
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// checkValue checks a flag's value as far as possible without its command: that
// there is one, and only one unless the flag takes a list, and that a number is
// plainly written. Before is the value that the flag has been given already, ""
// if none.
func checkValue(f cli.Flag, value, before string) error {
	most := ""
	var err error
	switch f.(type) {
	case *cli.StringSliceFlag:
		before = ""
	case *cli.IntFlag:
		most = strconv.Itoa(math.MaxInt)
		_, err = strconv.ParseInt(value, 10, 0)
	case *cli.Uint64Flag:
		most = strconv.FormatUint(math.MaxUint64, 10)
		_, err = strconv.ParseUint(value, 10, 64)
	}
	switch {
	case value == "":
		return errors.New("found an empty text, expected a value")
	case before != "":
		return twice(before, value)
	case most != "" && (err != nil || !wholeForm.MatchString(value)):
		return fmt.Errorf("found %q, expected a whole number, at most %s", value, most)
	}
	return nil
}

// twice returns the error for a flag that is given two values.
func twice(before, value string) error {
	return fmt.Errorf("found twice, with %q and %q, expected one value", before, value)
}

// wholeForm matches a whole number. One that begins with 0 would be read as
// octal.
var wholeForm = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// maxCount is the greatest value of a flag that counts something: what it
// counts is kept in memory.
const maxCount = cases.MaxGenerated

// countFlag returns the value of a flag that counts something; 0 if it is not
// set.
func countFlag(c *cli.Context, name string) (int, error) {
	n := c.Int(name)
	switch {
	case c.IsSet(name) && n < 1:
		return 0, usagef("%s: found %d, expected 1 or more", settings.Flag(name), n)
	case n > maxCount:
		return 0, usagef("%s: found %d, expected at most %d", settings.Flag(name), n, maxCount)
	}
	return n, nil
}

// Flags that several commands share.

// settingFlags returns the flags for settings.
func settingFlags(list ...settings.Setting) []cli.Flag {
	flags := make([]cli.Flag, len(list))
	for i, s := range list {
		flags[i] = settingFlag(s)
	}
	return flags
}

func settingFlag(s settings.Setting) cli.Flag {
	switch s.Kind {
	case settings.Count:
		n, _ := strconv.Atoi(s.Default)
		return &cli.IntFlag{Name: s.Name, Value: n, Usage: s.Usage()}
	case settings.Number:
		n, _ := strconv.ParseUint(s.Default, 10, 64)
		return &cli.Uint64Flag{Name: s.Name, Value: n, Usage: s.Usage()}
	}
	f := &cli.StringFlag{Name: s.Name, Value: s.Default, Usage: s.Usage()}
	if s.Env != "" {
		f.EnvVars = []string{s.Env}
	}
	return f
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}
}

func caseFlags() []cli.Flag  { return settingFlags(settings.CaseChoice...) }
func limitFlags() []cli.Flag { return settingFlags(settings.Conditions...) }
func runFlags() []cli.Flag   { return settingFlags(settings.Running...) }

func isolationFlag() cli.Flag { return settingFlag(settings.Isolation) }
func languagesFlag() cli.Flag { return settingFlag(settings.Languages) }

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "o", Usage: "write results.jsonl to folder `DIR`"},
		jsonFlag(),
		&cli.BoolFlag{Name: "quiet", Usage: "print only the result"},
		&cli.BoolFlag{Name: "verbose", Usage: "print every line exchanged, with times"},
		&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
	}
}

func flags(groups ...[]cli.Flag) []cli.Flag {
	var all []cli.Flag
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// limits returns the game's limits as changed by the flags.
func limits(c *cli.Context) (func(c protocols.Case, seats int) protocols.Limits, error) {
	change, err := settings.Limits(func(name string) (string, bool) { return c.String(name), c.IsSet(name) })
	if err != nil {
		return nil, usage(err)
	}
	return func(c protocols.Case, seats int) protocols.Limits { return change(c.Limits(seats)) }, nil
}

// trialsDir is where passed trials are remembered; empty where there is no cache.
func trialsDir() string {
	dir, err := build.CacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "trials")
}

// launcher chooses the level of isolation, and warns if it is none.
func (a *app) launcher(c *cli.Context) (sandbox.Launcher, error) {
	level := cmp.Or(referee.Level(c.String("isolation")), referee.LevelAuto) // an empty variable counts as unset
	if err := settings.Isolation.Check(string(level)); err != nil {
		return nil, usage(err)
	}
	launcher, trials, err := sandbox.ChooseRemembered(level, trialsDir())
	if err != nil {
		return nil, usagef("--isolation: this machine can't do it (`umpire doctor` says more): %w", err)
	}
	if launcher.Level() == referee.LevelNone && !c.Bool("quiet") {
		a.note("umpire: no isolation: contestants can do anything you can\n")
		for _, t := range trials {
			if !t.OK {
				a.note("umpire: level %s: %s\n", t.Level, t.Reason)
			}
		}
	}
	return launcher, nil
}
