// Package protocoltest is the conformance suite that every game passes: it
// checks that a game keeps the promises of package protocols, whatever its
// rules are. It knows no rules; a game's own tests check those. It also holds
// three toy games, Sum, Morra and Relay, for tests of drivers.
package protocoltest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"umpire/protocols"
)

// Suite is the conformance suite with its settings. The zero value is ready
// for use.
type Suite struct {
	// Reply draws a reply for an awaited seat, legal more often than not: a reply
	// that is a foul is drawn again, up to 100 times. It gets the very Match that
	// Case.Start returned and must not change it. Nil draws small integers, which
	// play simple games to their end and give little but fouls in others.
	Reply func(m protocols.Match, seat int, rng *rand.Rand) string
	// Seeds is the number of cases drawn of every group; 0 means 5, or 1 with
	// -short.
	Seeds int
	// Steps is the most calls of Next a match may take to end; 0 means 200,000.
	Steps int
	// Lines are scripted matches, for ends that drawn replies seldom reach: each
	// is the text of a case, then the replies in the order in which they are
	// awaited. With the last one the match must be over, unless that is "…", after
	// which replies are drawn. All checks play them too. A dialogue in the Rules
	// must be one of them, as a seat sees it.
	Lines [][]string

	// The following switch a check off. Each is the reason, in a sentence.

	OpenReplies  string // why a Chooser accepts replies that are not among its Choices
	PlacesApart  string // why places do not follow from scores among seats that have not failed
	FailedMayWin string // why a failed seat may be alone in place 1
	InexactEnds  string // why a match may end otherwise than exact Values say

	pulse *pulse
}

// Run checks g, one subtest for each promise. A subtest stops at its first
// finding.
func (s Suite) Run(t *testing.T, g protocols.Game) {
	t.Helper()
	for _, c := range checks {
		var hung *hang
		t.Run(c.name, func(t *testing.T) {
			if err := s.find(c, g); err != nil {
				errors.As(err, &hung)
				t.Error(err)
			}
		})
		if hung != nil {
			return // the match still computes
		}
	}
}

// find runs a check and returns its finding, if any.
func (s Suite) find(c check, g protocols.Game) error {
	return s.watch(func(s Suite) error {
		return guard(func() error { return c.run(s, g) })
	})
}

// check is one part of the suite. It returns its finding and knows no
// testing.T, so that the suite's own tests can examine it.
type check struct {
	name string
	run  func(Suite, protocols.Game) error
}

var checks = []check{
	{"facts", checkFacts},
	{"generate", checkGenerate},
	{"cases", checkCases},
	{"broken cases", checkBroken},
	{"all", checkAll},
	{"seats", checkSeats},
	{"lines", checkLines},
	{"dialogues", checkDialogues},
	{"play", checkTemper(temper{})},
	{"fouls", checkTemper(temper{junk: 0.4, foul: 0.05})},
	{"junk", checkTemper(temper{junk: 1, foul: 1})},
	{"each junk reply", checkEachJunk},
	{"failures", checkFailures},
	{"at once", checkAtOnce},
	{"simultaneous", checkSimultaneous},
	{"drawing", checkDrawing},
	{"choices", checkChoices},
	{"analysis", checkAnalysis},
}

const triesForReply = 100 // how often a reply is drawn again

func (s Suite) steps() int { return cmp.Or(s.Steps, 200_000) }

// seeds lists the seeds that cases are drawn from, the largest one among them.
func (s Suite) seeds() []uint64 {
	n := s.Seeds
	switch {
	case n > 0:
	case testing.Short():
		n = 1
	default:
		n = 5
	}
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	seeds[n-1] = math.MaxUint64
	return seeds
}

// sample is a case of the game under test and where it comes from.
type sample struct {
	from  string // for messages
	group string // "" if it is one of All, or of a line
	seed  uint64
	seats int      // of the match, if it is of a line; else 0
	line  []string // the scripted replies of a line
	protocols.Case
}

// cases draws the cases for the checks: of every group, and of All if the game
// has it.
func (s Suite) cases(g protocols.Game) ([]sample, error) {
	var out []sample
	for _, group := range g.Groups {
		for _, seed := range s.seeds() {
			c, err := g.Generate(group, seed)
			if err != nil {
				return nil, fmt.Errorf("generate group %q, seed %d: %w", group, seed, err)
			}
			if c == nil {
				return nil, fmt.Errorf("generate group %q, seed %d: neither a case nor an error", group, seed)
			}
			out = append(out, sample{from: fmt.Sprintf("group %q, seed %d", group, seed), group: group, seed: seed, Case: c})
		}
	}
	return append(out, s.someOfAll(g)...), nil
}

// someOfAll picks the first cases of All and some later ones, ever further
// apart.
func (s Suite) someOfAll(g protocols.Game) []sample {
	if g.All == nil {
		return nil
	}
	var out []sample
	i, pick := 0, 0
	for c := range g.All() {
		if i == pick {
			out = append(out, sample{from: fmt.Sprintf("case %d of all", i+1), seed: uint64(i), Case: c})
			pick += 1 + pick/2
		}
		i++
	}
	return out
}

// guard turns a panic of the game under test into an error.
func guard(check func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return check()
}
