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

// lackFor returns why the coordinator's machine can't judge a match of some programs;
// nil if it can.
func lackFor(f arena.Fixture, programs map[string]*program.Package) error {
	for _, s := range f.Seats {
		if p := programs[s.Digest]; p != nil && p.Lack != "" {
			return &record.NotJudgedError{Bot: s.Bot, Why: p.Lack}
		}
	}
	return nil
}

// needs are the abilities that a job needs, sorted by key.
type needs []program.Ability

// labels are the needs of a run that only workers with certain labels may play.
func labels(list []string) (n needs) {
	for _, label := range list {
		n = append(n, program.Ability{Key: fleet.LabelAbility(label), Text: "a worker with label " + label})
	}
	return n
}

// needsOf returns what the programs of a fixture need, beside what all do.
func needsOf(packages map[string]*program.Package, f arena.Fixture, all ...program.Ability) needs {
	var digests []string
	for _, s := range f.Seats {
		digests = append(digests, s.Digest)
	}
	if f.Package != nil {
		digests = append(digests, f.Package.Digest) // its judge is a program, too
	}
	all = slices.Clone(all)
	for _, digest := range digests {
		own := needs{here}
		switch p := packages[digest]; {
		case p != nil && p.Lack != "":
			own = append(needs{elsewhere}, p.Needs...)
		case p != nil:
			own = p.Needs
		case packages == nil:
			own = nil
		}
		all = append(all, own...)
	}
	slices.SortFunc(all, func(a, b program.Ability) int { return strings.Compare(a.Key, b.Key) })
	return slices.CompactFunc(all, func(a, b program.Ability) bool { return a.Key == b.Key })
}

// class names the needs.
func (n needs) class() string {
	var keys []string
	for _, a := range n {
		keys = append(keys, a.Key)
	}
	return strings.Join(keys, "\n")
}

// met reports whether a worker has all that is needed; own is the coordinator's.
func (n needs) met(own bool, abilities map[string]bool) bool {
	if own {
		return !slices.Contains(n, elsewhere)
	}
	return !slices.ContainsFunc(n, func(a program.Ability) bool { return a == here || a != elsewhere && !abilities[a.Key] })
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
