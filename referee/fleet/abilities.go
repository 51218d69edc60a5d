package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"umpire/referee/arena"
)

// Ability is something that a worker has and a program needs: a language with
// its compiler or interpreter, a kind of machine.
type Ability struct {
	Key  string `json:"key"`  // equal for equal abilities on all machines
	Text string `json:"text"` // for people
}

// here is the ability of the coordinator's own worker alone, which has the
// programs that can't travel.
var here = Ability{"here", "a program that is only on the coordinator's machine"}

// hereName is the name of the coordinator's own worker.
const hereName = "here"

// needs are the abilities that a job needs, sorted by key.
type needs []Ability

// needs returns what the programs of a fixture need.
func (c *Coordinator) needs(f arena.Fixture) needs {
	var all needs
	for _, s := range f.Seats {
		own := needs{here}
		switch p := c.Packages[s.Digest]; {
		case p != nil:
			own = p.Needs
		case c.Packages == nil:
			own = nil
		}
		for _, a := range own {
			if !slices.ContainsFunc(all, func(b Ability) bool { return a.Key == b.Key }) {
				all = append(all, a)
			}
		}
	}
	slices.SortFunc(all, func(a, b Ability) int { return strings.Compare(a.Key, b.Key) })
	return all
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
func (n needs) met(have []Ability) bool {
	return !slices.ContainsFunc(n, func(a Ability) bool {
		return !slices.ContainsFunc(have, func(b Ability) bool { return a.Key == b.Key })
	})
}

func (n needs) String() string {
	if len(n) == 0 {
		return "nothing in particular"
	}
	var list []string
	for _, a := range n {
		list = append(list, a.Text)
	}
	return strings.Join(list, ", ")
}
