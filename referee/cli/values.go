package cli

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/session"
	"umpire/referee/settings"
)

// values returns the value of a setting, or its default, and whether it is set.
type values func(name string) (text string, isSet bool)

// flagValues are the settings that flags set.
func flagValues(c *cli.Context) values {
	return func(name string) (string, bool) { return fmt.Sprint(c.Value(name)), c.IsSet(name) }
}

// count returns the value of a setting that counts something, or its default; 0 if it
// has neither.
func (v values) count(name string) (int, error) {
	text, isSet := v(name)
	n, err := strconv.Atoi(text)
	switch {
	case !isSet:
		return n, nil
	case err != nil || n < 1:
		return 0, usagef("%s: found %s, expected 1 or more", settings.Flag(name), text)
	case n > maxCount:
		return 0, usagef("%s: found %s, expected at most %d", settings.Flag(name), text, maxCount)
	}
	return n, nil
}

// duration returns the value of a setting that is a time.
func (v values) duration(set settings.Setting) (time.Duration, error) {
	text, _ := v(set.Name)
	d, err := settings.ParseDuration(text)
	if err != nil {
		return 0, usagef("%s: %w", set.Flag(), err)
	}
	return d, nil
}

// machine says how programs run here.
func (a *app) machine(c *cli.Context, get values) *session.Machine {
	level, _ := get(settings.Isolation.Name)
	table, _ := get(settings.Languages.Name)
	return &session.Machine{Level: referee.Level(level), Languages: table, Claims: &a.claims, Trust: &a.trust, Trusting: c.Bool("trust"), Stalls: a.stalls, Tell: a.tell(c)}
}

// maxCount is the greatest value of a flag that counts something: what it
// counts is kept in memory.
const maxCount = cases.MaxGenerated

// caseSet returns the cases that the flags choose.
func (a *app) caseSet(c *cli.Context, g protocols.Game) (cases.Set, error) {
	if a.umpire.Machine == nil { // the command plays nothing, but may have cases drawn
		a.umpire.Machine = &session.Machine{
			Level: referee.Level(os.Getenv(settings.Isolation.Env)), Claims: &a.claims, Trust: &a.trust, Stalls: a.stalls, Tell: a.tell(c),
		}
	}
	choice, err := caseChoice(flagValues(c))
	if err != nil {
		return cases.Set{}, err
	}
	return a.umpire.Choose(c.Context, g, choice)
}

// caseChoice says which cases settings choose.
func caseChoice(get values) (choice cases.Choice, err error) {
	choice.From, _ = get(settings.Cases.Name)
	choice.Group, _ = get(settings.Group.Name)
	choice.One, _ = get(settings.Case.Name)
	seed, _ := get(settings.Seed.Name)
	if choice.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return choice, usagef("--seed: found %q, expected a whole number", seed)
	}
	choice.N, err = get.count(settings.N.Name)
	return choice, err
}
