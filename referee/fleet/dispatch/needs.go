package dispatch

import (
	"slices"
	"strings"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
	"umpire/referee/record"
)

// elsewhere is needed by a program that the coordinator's machine lacks the language
// of: all workers have it but its own.
var elsewhere = program.Ability{Key: "elsewhere"}

// here is the ability of the coordinator's own worker alone, which has all
// programs: also those that can't travel.
var here = program.Ability{Key: "here", Text: "a program that is only on the coordinator's machine"}

// lackFor returns why the coordinator's machine can't judge a fixture; nil if it can.
func (c *Config) lackFor(f arena.Fixture) error {
	for _, s := range f.Seats {
		if p := c.Packages[s.Digest]; p != nil && p.Lack != "" {
			return &record.NotJudgedError{Bot: s.Bot, Why: p.Lack}
		}
	}
	return nil
}

// needs are the abilities that a match needs, sorted by key.
type needs []program.Ability

// class is the matches that need the same.
type class struct {
	needs needs
	jobs  []*job // that wait and that nobody has been given yet, in order
	told  bool   // the user has been told that nobody can play them
}

// classOf returns the class of a match.
func (s *Schedule) classOf(e *Match) *class {
	if e.class == nil {
		n := s.d.config.needsOf(e.f)
		i := slices.IndexFunc(s.classes, func(c *class) bool { return slices.Equal(c.needs, n) })
		if i < 0 {
			i, s.classes = len(s.classes), append(s.classes, &class{needs: n})
		}
		e.class = s.classes[i]
	}
	return e.class
}

// needsOf returns what the programs of a fixture need.
func (c *Config) needsOf(f arena.Fixture) (all needs) {
	for _, label := range c.Needs {
		all = append(all, program.Ability{Key: fleet.LabelAbility(label), Text: "a worker with label " + label})
	}
	var digests []string
	for _, s := range f.Seats {
		digests = append(digests, s.Digest)
	}
	if f.Package != nil {
		digests = append(digests, f.Package.Digest) // its judge is a program, too
	}
	for _, digest := range digests {
		switch p := c.Packages[digest]; {
		case c.Packages == nil:
		case p == nil:
			all = append(all, here)
		case p.Lack != "":
			all = append(append(all, elsewhere), p.Needs...)
		default:
			all = append(all, p.Needs...)
		}
	}
	slices.SortFunc(all, func(a, b program.Ability) int { return strings.Compare(a.Key, b.Key) })
	return slices.CompactFunc(all, func(a, b program.Ability) bool { return a.Key == b.Key })
}

// can reports whether a worker has what is needed.
func (m *member) can(n needs) bool {
	return !slices.ContainsFunc(n, func(a program.Ability) bool {
		return m.own && a == elsewhere || !m.own && a != elsewhere && (a == here || !m.abilities[a.Key])
	})
}

func (n needs) String() string {
	if len(n) == 0 {
		return "nothing in particular"
	}
	var list []string
	for _, a := range n {
		if a != elsewhere {
			list = append(list, a.Text)
		}
	}
	return strings.Join(list, ", ")
}
