package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/sandbox"
)

// flagsFirst puts a command's flags before its arguments, where the library
// wants them; users may write them anywhere. "--" ends the flags.
func flagsFirst(app *cli.App, args []string) ([]string, error) {
	var flags, rest []string
	given := make(map[cli.Flag]bool)
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
				return args, nil
			}
			known = command.Flags
		case len(arg) < 2 || arg[0] != '-':
			rest = append(rest, arg)
		default:
			flags = append(flags, arg)
			name, value, found := strings.Cut(arg, "=")
			f := lookup(known, strings.TrimLeft(name, "-"))
			if f == nil || !takesValue(f) {
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
			given[f] = true
		}
	}
	if command == nil {
		return append(flags, rest...), nil
	}
	sorted := append([]string{command.Name}, flags...)
	return append(append(sorted, "--"), rest...), nil
}

func lookup(flags []cli.Flag, name string) cli.Flag {
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

// checkValue checks what can be said of a flag's value without its command:
// that there is one, and only one where the flag takes no list, and that a
// number is one as people write it.
func checkValue(f cli.Flag, value string, again bool) error {
	most := ""
	var err error
	switch f.(type) {
	case *cli.StringSliceFlag:
		again = false
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
	case again:
		return fmt.Errorf("found a second time, with %q, expected it once", value)
	case most != "" && (err != nil || !wholeForm.MatchString(value)):
		return fmt.Errorf("found %q, expected a whole number, at most %s", value, most)
	}
	return nil
}

// wholeForm is a whole number. One that begins with 0 would be read as octal.
var wholeForm = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// maxCount is the most that a flag which counts something may ask for. What is
// counted is kept in memory.
const maxCount = cases.MaxGenerated

// countFlag is the value of a flag that counts something; 0 if it is not set.
func countFlag(c *cli.Context, name string) (int, error) {
	n, dash := c.Int(name), "--"
	if len(name) == 1 {
		dash = "-"
	}
	switch {
	case c.IsSet(name) && n < 1:
		return 0, usagef("%s%s: found %d, expected 1 or more", dash, name, n)
	case n > maxCount:
		return 0, usagef("%s%s: found %d, expected at most %d", dash, name, n, maxCount)
	}
	return n, nil
}

// Flags that several commands share.

func seedFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "seed", Value: 1, Usage: "everything random follows from `N`"}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print a result for machines"}
}

func caseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "case", Usage: "the one case `NAME|FILE|TEXT`"},
		&cli.StringFlag{Name: "cases", Usage: "the cases in `DIR|FILE` instead of the standard ones"},
		&cli.StringFlag{Name: "group", Usage: "only cases of group `G`"},
		&cli.IntFlag{Name: "n", Usage: "`N` generated cases"},
		seedFlag(),
	}
}

func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "time", Usage: "a contestant's whole budget `D`, as in 1s or 500ms; 0: none (default: the game's)"},
		&cli.StringFlag{Name: "time-per-move", Usage: "budget `D` of every reply"},
		&cli.StringFlag{Name: "startup", Usage: "of the first reply's time, `D` is not charged"},
		&cli.StringFlag{Name: "clock", Usage: "what budgets are charged in: `wall|cpu`; with cpu, a bot may take twice its budget and a second of wall time"},
		&cli.StringFlag{Name: "memory", Usage: "memory `SIZE` of a contestant, as in 256M; 0: no limit"},
		isolationFlag(),
		ponderingFlag(),
	}
}

func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "jobs", Usage: "play `N` matches at once (default: as many as there are CPUs for)"},
		languagesFlag(),
		&cli.StringFlag{Name: "affinity", Value: "auto", Usage: "`auto|off`: a CPU of its own for each match"},
	}
}

func isolationFlag() cli.Flag {
	return &cli.StringFlag{Name: "isolation", Value: "auto", EnvVars: []string{"UMPIRE_ISOLATION"}, Usage: "`auto|none|basic|box|strict`: what contestants may touch"}
}

func languagesFlag() cli.Flag {
	return &cli.StringFlag{Name: "languages", Usage: "how source files are compiled and run: rows of `FILE` before the built-in ones"}
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "o", Usage: "write results.jsonl to folder `DIR`"},
		jsonFlag(),
		&cli.BoolFlag{Name: "quiet", Usage: "print the result alone"},
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

// limits gives the game's limits as the flags change them.
func limits(c *cli.Context) (func(c protocols.Case, seats int) protocols.Limits, error) {
	var changes []func(*protocols.Limits)
	for name, field := range map[string]func(*protocols.Limits) *time.Duration{
		"time":          func(l *protocols.Limits) *time.Duration { return &l.Time },
		"time-per-move": func(l *protocols.Limits) *time.Duration { return &l.PerMove },
		"startup":       func(l *protocols.Limits) *time.Duration { return &l.Startup },
	} {
		if !c.IsSet(name) {
			continue
		}
		d, err := parseDuration(c.String(name))
		if err != nil {
			return nil, usagef("--%s: %w", name, err)
		}
		changes = append(changes, func(l *protocols.Limits) { *field(l) = d })
	}
	if c.IsSet("memory") {
		n, err := parseSize(c.String("memory"))
		if err != nil {
			return nil, usagef("--memory: %w", err)
		}
		changes = append(changes, func(l *protocols.Limits) { l.Memory = n })
	}
	switch clock := c.String("clock"); clock {
	case "": // not given
	case "wall", "cpu":
		changes = append(changes, func(l *protocols.Limits) { l.CPU = clock == "cpu" })
	default:
		return nil, usagef("--clock: found %q, expected wall or cpu", clock)
	}
	return func(c protocols.Case, seats int) protocols.Limits {
		l := c.Limits(seats)
		for _, change := range changes {
			change(&l)
		}
		return l
	}, nil
}

// plainNumber is a number as it stands in a time or size: no sign, exponent,
// infinity or underscore.
const plainNumber = `([0-9]+(?:\.[0-9]*)?|\.[0-9]+)`

var (
	secondsForm  = regexp.MustCompile(`^` + plainNumber + `$`)
	durationForm = regexp.MustCompile(`^(` + plainNumber + `(h|m|s|ms|us|µs))+$`)
	sizeForm     = regexp.MustCompile(`^` + plainNumber + `([Bb]|[KkMmGg](?:[Ii]?[Bb])?)?$`)
)

// parseDuration reads a time; a bare number is seconds. Records hold whole
// microseconds, so that is the smallest there is.
func parseDuration(text string) (time.Duration, error) {
	expected := fmt.Errorf("found %q, expected a time such as 2s, 500ms or 1m30s", text)
	duration := text
	if secondsForm.MatchString(text) {
		duration += "s"
	}
	if !durationForm.MatchString(duration) {
		return 0, expected
	}
	d, err := time.ParseDuration(duration)
	if err != nil || d > 24*365*time.Hour {
		return 0, fmt.Errorf("%w, at most a year", expected)
	}
	if short := d.Truncate(time.Microsecond); short > 0 || strings.Trim(text, "0.hmsuµ") == "" {
		return short, nil
	}
	return 0, fmt.Errorf("found %q, expected at least 1us, or 0 for none", text)
}

// parseSize reads a number of bytes, at most a pebibyte.
func parseSize(text string) (int64, error) {
	m := sizeForm.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("found %q, expected a size such as 256M or 1G", text)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	shift := 10 * (1 + strings.Index("KMG", strings.ToUpper(m[2] + "B")[:1]))
	size := math.Ldexp(n, shift)
	switch {
	case err != nil || size > 1<<50:
		return 0, fmt.Errorf("found %q, expected a size of at most %dG", text, 1<<20)
	case n == 0:
		return 0, nil
	case m[2] == "":
		return 0, fmt.Errorf("found %q: bytes? write %sM", text, text)
	case size < 1:
		return 0, fmt.Errorf("found %q, expected at least one byte, or 0 for no limit", text)
	}
	return int64(size), nil
}

// launcher chooses the level of isolation, and says so where it is none.
func (a *app) launcher(c *cli.Context) (sandbox.Launcher, error) {
	level := cmp.Or(referee.Level(c.String("isolation")), referee.LevelAuto) // an empty variable is none
	if !slices.Contains([]referee.Level{referee.LevelAuto, referee.LevelNone, referee.LevelBasic, referee.LevelBox, referee.LevelStrict}, level) {
		return nil, usagef("--isolation: found %q, expected auto, none, basic, box or strict", level)
	}
	launcher, trials, err := sandbox.Choose(level)
	if err != nil {
		return nil, usagef("--isolation: this machine can't do it (`umpire doctor` says more): %w", err)
	}
	if launcher.Level() == referee.LevelNone && !c.Bool("quiet") {
		a.note("umpire: no isolation: contestants may do what you may\n")
		for _, t := range trials {
			if !t.OK {
				a.note("umpire: level %s: %s\n", t.Level, t.Reason)
			}
		}
	}
	return launcher, nil
}
