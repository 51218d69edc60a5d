package cases

import (
	"fmt"
	"maps"
	"slices"

	"umpire/protocols"
	"umpire/referee/settings"
)

// Limits are those that a set gives to a group, or to one of its cases, in place of the
// game's, as GroupsFile has them; "" is the game's.
type Limits struct {
	Time    string `yaml:"time,omitempty"`
	Move    string `yaml:"move,omitempty"`
	Startup string `yaml:"startup,omitempty"`
	Memory  string `yaml:"memory,omitempty"`
}

// listedCase is what GroupsFile says of one case.
type listedCase struct {
	Limits Limits `yaml:"limits"`
}

// change changes limits as they are written.
func (l Limits) change(to *protocols.Limits) error {
	for _, one := range []struct {
		key, value string
		setting    settings.Setting
	}{
		{"time", l.Time, settings.Time}, {"move", l.Move, settings.TimePerMove}, {"startup", l.Startup, settings.Startup}, {"memory", l.Memory, settings.Memory},
	} {
		if one.value == "" {
			continue
		}
		if err := one.setting.Limit(to, one.value); err != nil {
			return fmt.Errorf("%s: %w", one.key, err)
		}
	}
	return nil
}

// limited is a case with limits of its set's.
type limited struct {
	protocols.Case
	by []Limits // the group's, then its own; checked
}

// Limits implements protocols.Case.
func (c limited) Limits(seats int) protocols.Limits {
	l := c.Case.Limits(seats)
	for _, by := range c.by {
		_ = by.change(&l)
	}
	return l
}

// withLimits returns a case with the limits of its group and its own.
func withLimits(c protocols.Case, by ...Limits) protocols.Case {
	if by = slices.DeleteFunc(by, func(l Limits) bool { return l == Limits{} }); len(by) == 0 {
		return c
	}
	return limited{c, by}
}

// played is a case with the limits under which it has been played.
type played struct {
	protocols.Case
	limits protocols.Limits
}

// Limits implements protocols.Case.
func (c played) Limits(int) protocols.Limits { return c.limits }

// Played returns a case with the limits under which it has been played, with as many seats.
func Played(c protocols.Case, l protocols.Limits) protocols.Case { return played{c, l} }

// checkLimits returns an error if limits of a group are wrong.
func (g listed) checkLimits() error {
	var l protocols.Limits
	if err := g.Limits.change(&l); err != nil {
		return fmt.Errorf("limits: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(g.Cases)) {
		if err := g.Cases[name].Limits.change(&l); err != nil {
			return fmt.Errorf("cases: %s: limits: %w", name, err)
		}
	}
	return nil
}

// ownLimits returns what GroupsFile says of a group's cases, by their names in it.
func (s Set) ownLimits(group string) map[string]listedCase {
	own := make(map[string]listedCase)
	for _, c := range s.Cases {
		if c.Group == group && c.Limited != (Limits{}) {
			own[shortName(c)] = listedCase{c.Limited}
		}
	}
	return own
}
