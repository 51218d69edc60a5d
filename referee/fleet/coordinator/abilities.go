package coordinator

import (
	"context"
	"slices"
	"strings"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
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

// AwaitLanguage reports whether a worker has what a program needs that this machine lacks
// the language of. Workers have some time to join; where this machine does not play, from
// when the first has joined.
func AwaitLanguage(ctx context.Context, c *Coordinator, digest string) (able bool, err error) {
	n, pause := needsOf(c.config.Packages, arena.Fixture{Seats: []arena.Seat{{Digest: digest}}}, labels(c.config.Needs)...), c.config.Silence/8
	for waited := time.Duration(0); waited < 2*c.config.Silence; {
		some := false
		c.do(func(time.Time) {
			list := c.crew.there()
			some = len(list) > 0
			able = some && canPlay(list, n)
		})
		if able || c.isDraining() { // nothing is played any more
			return true, nil
		}
		if err := worker.Wait(ctx, pause); err != nil {
			return false, err
		}
		if some || c.config.Own != nil {
			waited += pause
		}
	}
	return false, nil
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

// met reports whether a worker has all that is needed.
func (n needs) met(m *member) bool {
	if m.own {
		return !slices.Contains(n, elsewhere)
	}
	return !slices.ContainsFunc(n, func(a program.Ability) bool { return a == here || a != elsewhere && !m.abilities[a.Key] })
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
