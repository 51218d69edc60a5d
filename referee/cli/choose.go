package cli

import (
	"os"
	"strconv"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/session"
	"umpire/referee/settings"
)

// caseSet returns the cases that the flags choose.
func (a *app) caseSet(c *cli.Context, g protocols.Game) (cases.Set, error) {
	if a.umpire.Machine == nil { // the command plays nothing, but may have cases drawn
		a.umpire.Machine = &session.Machine{
			Level: referee.Level(os.Getenv(settings.Isolation.Env)), Claims: &a.claims, Trust: &a.trust, Stalls: a.stalls, Tell: a.tell(c),
		}
	}
	choice, err := caseChoice(c)
	if err != nil {
		return cases.Set{}, err
	}
	return a.umpire.Choose(c.Context, g, choice)
}

func caseChoice(c *cli.Context) (cases.Choice, error) { return caseChoiceOf(flagValues(c)) }

// caseChoiceOf says which cases settings choose.
func caseChoiceOf(get values) (choice cases.Choice, err error) {
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
