package solitarschack

import (
	"math/rand/v2"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/testlevel"
)

func TestConformance(t *testing.T) {
	protocoltest.Suite{
		Reply: reply, Seeds: testlevel.Times(1, 1, 5),
		Lines: [][]string{{dialogue(t).String(), "6 6", "5 6", "6 6", "1 1", "0 0"}},
	}.Run(t, Game())
}

// reply removes any piece in reach, and ends the match when there is none or,
// rarely, before.
func reply(m protocols.Match, _ int, rng *rand.Rand) string {
	squares := m.(*match).Reachable()
	if squares == 0 || rng.IntN(200) == 0 {
		return "0 0"
	}
	for range rng.IntN(squares.Len()) {
		squares &= squares - 1
	}
	return squares.First().String()
}

func FuzzParse(f *testing.F) {
	f.Add(rows(5, "1 2 3 4 torn lopare") + "\r\n\r\n")
	f.Add(rows(12, "dam springare blank 1 1 1"))
	protocoltest.Suite{}.Fuzz(f, Game())
}

func FuzzReply(f *testing.F) { protocoltest.Suite{Reply: reply}.FuzzReply(f, Game()) }
