package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/contestant/sandbox"
)

// flagsFirst puts a command's flags before its arguments, where the library
// wants them; users may write them anywhere. "--" ends the flags.
func flagsFirst(app *cli.App, args []string) ([]string, error) {
	var flags, rest []string
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
			name := strings.TrimLeft(arg, "-")
			if f := lookup(known, name); f != nil && takesValue(f) {
				if i++; i == len(args) {
					return nil, usagef("flag %s: found nothing after it, expected a value", arg)
				}
				flags = append(flags, args[i])
			}
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
	case "":
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

func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if seconds, ferr := strconv.ParseFloat(text, 64); err != nil && ferr == nil {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d < 0 || d > 24*365*time.Hour {
		return 0, fmt.Errorf("found %q, expected a time such as 2s, 500ms or 1m30s", text)
	}
	return d, nil
}

func parseSize(text string) (int64, error) {
	number := strings.TrimRight(strings.ToUpper(text), "KMGIB")
	shift, ok := map[string]int{
		"": 0, "B": 0, "K": 10, "KB": 10, "KIB": 10, "M": 20, "MB": 20, "MIB": 20, "G": 30, "GB": 30, "GIB": 30,
	}[strings.ToUpper(text[len(number):])]
	n, err := strconv.ParseFloat(number, 64)
	size := n * math.Pow(2, float64(shift))
	if err != nil || !ok || n < 0 || size > 1<<50 {
		return 0, fmt.Errorf("found %q, expected a size such as 256M or 1G", text)
	}
	return int64(size), nil
}

// launcher chooses the level of isolation, and says so where it is none.
func (a *app) launcher(c *cli.Context) (sandbox.Launcher, error) {
	level := sandbox.Level(c.String("isolation"))
	if !slices.Contains([]sandbox.Level{sandbox.Auto, sandbox.None, sandbox.Basic, sandbox.Box, sandbox.Strict}, level) {
		return nil, usagef("--isolation: found %q, expected auto, none, basic, box or strict", level)
	}
	launcher, trials, err := sandbox.Choose(level)
	if err != nil {
		return nil, usagef("--isolation: this machine can't do it (`umpire doctor` says more): %w", err)
	}
	if launcher.Level() == sandbox.None && !c.Bool("quiet") {
		a.note("umpire: no isolation: contestants may do what you may\n")
		for _, t := range trials {
			if !t.OK {
				a.note("umpire: level %s: %s\n", t.Level, t.Reason)
			}
		}
	}
	return launcher, nil
}
