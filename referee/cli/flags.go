package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/cli/shell"
	"umpire/referee/session"
	"umpire/referee/settings"
)

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

// onJudgeError is a setting of commands alone.
var onJudgeError = settings.Setting{
	Name: "on-judge-error", Kind: settings.Choice, Default: "void", Choices: []string{"void", "loses"},
	Help: "`|`: what becomes of a match whose judge, a program of the game's author, fails: it does not count, or who replied last has lost",
}

// caseFlags choose cases; with words of their help replaced, in pairs of old and new, where
// a command does not play all of them.
func caseFlags(oldnew ...string) []cli.Flag {
	list := slices.Clone(settings.CaseChoice)
	for i := range list {
		list[i].Help = strings.NewReplacer(oldnew...).Replace(list[i].Help)
	}
	return settingFlags(list...)
}

func limitFlags() []cli.Flag { return settingFlags(settings.Conditions...) }
func runFlags() []cli.Flag {
	return append(settingFlags(settings.Running...), settingFlag(onJudgeError))
}

func isolationFlag() cli.Flag { return settingFlag(settings.Isolation) }

// readingFlags are for commands to which a path can be given for a game: see reading.
func readingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "read the folder or archive that is given for a game as of the format `" + strings.Join(session.FormatNames(), "|") + "` (default: by the files in it)"},
		&cli.StringFlag{Name: "judge", Usage: "the game is a folder of cases, NAME.in and NAME.ans, which `CMD` judges: a source file or a command line, in which {in}, {out}, {ans} and {feedback} stand for files"},
		&cli.StringFlag{Name: "judge-format", Usage: "how --judge is called, and what its exit status means: `" + strings.Join(session.JudgeFormatNames(), "|") + "`"},
	}
}

// packageFlags are for commands that run the programs of problem packages.
func packageFlags() []cli.Flag {
	return append(readingFlags(), &cli.BoolFlag{Name: "trust", Usage: "run the programs of a problem package from an archive also below isolation box"})
}

// setReading sets how a path that is given for a game is read. Other commands have no such
// flags, or mean something else by --format.
func setReading(a *app, c *cli.Context) error {
	judge := session.LoneJudge{Command: c.String("judge"), Format: c.String("judge-format")}
	switch {
	case shell.Flag(c.Command, "judge") == nil:
		return nil
	case c.IsSet("judge") && c.IsSet("format"):
		return usagef("--judge: can't be combined with --format")
	case c.IsSet("judge") && judge.Command == "":
		return usagef("--judge: found nothing, expected a source file or a command line")
	case c.IsSet("judge") != c.IsSet("judge-format"):
		return usagef("--judge CMD: goes with --judge-format %s", strings.Join(session.JudgeFormatNames(), "|"))
	}
	a.umpire.Reading = session.Reading{Format: c.String("format"), Judge: judge}
	return session.CheckFormat(a.umpire.Reading.Format)
}

func languagesFlag() cli.Flag { return settingFlag(settings.Languages) }

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "o", Usage: "write results.jsonl to folder `DIR`"},
		jsonFlag(),
		&cli.StringFlag{Name: "events", Usage: "`[=FILE]`: print what happens as it happens, a line of JSON each, in place of the result; with =FILE, write it there and print the result"},
		&cli.BoolFlag{Name: "quiet", Usage: "print only the result"},
		&cli.BoolFlag{Name: "verbose", Usage: "print every line exchanged, with times"},
		&cli.BoolFlag{Name: "no-color", Usage: "no colours"}, logFlag(),
	}
}

// apart refuses flags beside one that they can't be combined with.
func apart(c *cli.Context, flag string, others ...string) error {
	for _, other := range others {
		if isGiven(c, flag) && isGiven(c, other) {
			return usagef("%s: can't be combined with %s", settings.Flag(flag), settings.Flag(other))
		}
	}
	return nil
}

// isGiven reports whether a flag is set, and not to false.
func isGiven(c *cli.Context, flag string) bool { return c.IsSet(flag) && c.Value(flag) != false }

// isTyped reports whether a flag is set on the command line, not by the environment alone.
func isTyped(c *cli.Context, flag string) bool {
	if f, ok := shell.Flag(c.Command, flag).(*cli.StringFlag); ok && f.HasBeenSet { // by the environment, as the library has it
		f.HasBeenSet = false
		defer func() { f.HasBeenSet = true }()
	}
	return isGiven(c, flag)
}

func compressFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "compress", Usage: "compress the results when the run ends: results.jsonl.zst, which every command reads; until then they take ten times the room"}}
}

// picturesFlag is a flag of the commands that play many matches.
func picturesFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{
		Name: "pictures", Usage: "keep what the judge of a game of one's own draws, and what it says of positions and of what replies are worth",
	}}
}

// checkCompress refuses --compress where no results are written.
func checkCompress(c *cli.Context) error {
	if c.Bool("compress") && c.String("o") == "" {
		return usagef("--compress: found no -o DIR, in which the results would be compressed")
	}
	return nil
}
