package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"umpire/referee/arena"
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
// the language of. Workers have the time of two audits to join; where this machine does
// not play, from when the first has joined.
func AwaitLanguage(ctx context.Context, c *Coordinator, digest string) (able bool, err error) {
	n, pause := c.needs(arena.Fixture{Seats: []arena.Seat{{Digest: digest}}}), c.Silence/8
	for waited := time.Duration(0); waited < 2*c.Silence; {
		able, some := anyCan(&c.crew, n)
		if able {
			return true, nil
		}
		if err := wait(ctx, pause); err != nil {
			return false, err
		}
		if c.isDraining() { // nothing is played any more
			return true, nil
		}
		if some || c.Own != nil {
			waited += pause
		}
	}
	return false, nil
}

// needs are the abilities that a job needs, sorted by key.
type needs []program.Ability

// needs returns what the programs of a fixture need.
func (c *Coordinator) needs(f arena.Fixture) needs {
	var all needs
	for _, s := range f.Seats {
		own := needs{here}
		switch p := c.Packages[s.Digest]; {
		case p != nil && p.Lack != "":
			own = append(needs{elsewhere}, p.Needs...)
		case p != nil:
			own = p.Needs
		case c.Packages == nil:
			own = nil
		}
		for _, a := range own {
			if !slices.ContainsFunc(all, func(b program.Ability) bool { return a.Key == b.Key }) {
				all = append(all, a)
			}
		}
	}
	return all.sorted()
}

func (n needs) sorted() needs {
	slices.SortFunc(n, func(a, b program.Ability) int { return strings.Compare(a.Key, b.Key) })
	return n
}

// and adds that only the worker with an id may play; "": all may.
func (n needs) and(id string) needs {
	if id == "" {
		return n
	}
	return append(n, only(id)).sorted()
}

// class names the needs, in a form that fits into a subject.
func (n needs) class() string {
	h := sha256.New()
	for _, a := range n {
		h.Write([]byte(a.Key + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// met reports whether somebody with the given abilities has all that is needed.
func (n needs) met(have []program.Ability) bool {
	hasAll := slices.Contains(have, here)
	if hasAll && slices.Contains(n, elsewhere) {
		return false
	}
	return !slices.ContainsFunc(n, func(a program.Ability) bool {
		return (!hasAll || strings.HasPrefix(a.Key, onlyKey)) &&
			a != elsewhere && !slices.ContainsFunc(have, func(b program.Ability) bool { return a.Key == b.Key })
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
