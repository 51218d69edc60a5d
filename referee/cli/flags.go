package cli

import (
	"cmp"
	"path/filepath"
	"strconv"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/settings"
)

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
