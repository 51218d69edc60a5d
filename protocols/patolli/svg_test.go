package patolli

import (
	"fmt"
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// ruled has a line for each possible outcome of a roll.
const ruled = `4 14 24 1 8 12 6 6 3 5 1 5 6
5 30 33 3 20 24 8 6 6 6 5 6 3 4 6
37 41 47 35 43 48 6 5 5 6 5 4 2
1 2 3 49 50 51 5 6 3 2 1 6`

// TestSVG compares the pictures of some positions with files checked by eye:
// the first roll that each rule decides, by moving or by staying.
func TestSVG(t *testing.T) {
	c, err := parse(ruled)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(1).(*match)
	m.Next()
	protocoltest.Golden(t, "start", m.SVG(0), *update)
	var seen []string
	for s := range m.Trace() {
		s := s.(state)
		name := fmt.Sprintf("rule-%d", s.drawn.move.Rule)
		if s.drawn.move.Rule > 0 && s.drawn.move.From == s.drawn.move.To {
			name += "-stays"
		}
		if s.Roll == 0 {
			name = "trace"
		}
		if !slices.Contains(seen, name) {
			seen = append(seen, name)
			protocoltest.Golden(t, name, s.SVG(0), *update)
		}
	}
	slices.Sort(seen)
	if got, want := fmt.Sprint(seen), "[rule-0 rule-1-stays rule-2-stays rule-3 rule-4 rule-5 rule-6 rule-6-stays rule-7 trace]"; got != want {
		t.Errorf("seen %s, expected %s", got, want)
	}
	m.Reply(1, "13 15 18\n20 23 <b>\nGAME OVER\n")
	protocoltest.Golden(t, "wrong", m.SVG(0), *update)

	m = c.Start(1).(*match)
	m.Next()
	m.Reply(1, answersOf(c.(*Case)))
	protocoltest.Golden(t, "right", m.SVG(0), *update)

	m = c.Start(1).(*match)
	m.Next()
	m.Fail(1, protocols.Failure{Kind: protocols.KindMemory})
	protocoltest.Golden(t, "failed", m.SVG(0), *update)
}
