package solitarschack

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/protocols/solitarschack/board"
)

// TestSVG compares the pictures of some positions with files checked by eye.
func TestSVG(t *testing.T) {
	golden := func(name string, m protocols.Match, seat int) {
		t.Helper()
		protocoltest.Golden(t, name, m.(*match).SVG(seat), *update)
	}
	c, err := generate(groupNames()[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(1)
	m.Next()
	golden("start", m, 1)

	m = dialogue(t).Start(1)
	play(t, m, "6 6", "5 6", "6 6", "1 1")
	golden("moved", m, 1)
	play(t, m, "0 0")
	golden("ended", m, 0)

	m = walkToSet(t)
	golden("set", m, 1)
	m.Fail(1, protocols.Failure{Kind: protocols.KindFoul, Detail: "<script>"})
	golden("failed", m, 0)

	m = dialogue(t).Start(1)
	play(t, m, "4 4")
	golden("no-square-left", m, 1)
}

// walkToSet is a match of random removals up to the first set after the tenth.
func walkToSet(t *testing.T) *match {
	rng := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(100) {
		c, err := generate(groupNames()[0], seed)
		if err != nil {
			t.Fatal(err)
		}
		m := c.Start(1).(*match)
		for m.Next(); m.Reachable() != 0; m.Next() {
			m.Reply(1, reply(m, 1, rng))
			if m.ended {
				break
			}
			if m.Tally.Removals > piecesSeen && m.Tally.Useful() == 0 {
				return m
			}
		}
	}
	t.Fatal("found no set")
	return nil
}

// TestPlaces marks the sequences of the rules: where sets end and how much they
// are worth, and which pieces are in runs.
func TestPlaces(t *testing.T) {
	for sequence, want := range map[string]string{
		"4 1 2 3 4 dam torn springare lopare": "[. . . 8 . . . . 8]",
		"1 1 2 3 4":                           "[r r . . 12]",
		"4 3 2 1 1":                           "[. . . 12r r]",
		"1 2 2 2 dam":                         "[. r r r .]",
		"":                                    "[]",
	} {
		m := new(match)
		for i, name := range strings.Fields(sequence) {
			m.sequence[i], _ = board.ParsePiece(name)
			m.Tally.Add(m.sequence[i])
		}
		marks := []string{}
		for _, p := range m.places() {
			mark := ""
			if p.set > 0 {
				mark = fmt.Sprint(p.set)
			}
			if p.run {
				mark += "r"
			}
			if mark == "" {
				mark = "."
			}
			marks = append(marks, mark)
		}
		if got := fmt.Sprint(marks); got != want {
			t.Errorf("%q: %s, expected %s", sequence, got, want)
		}
	}
}
