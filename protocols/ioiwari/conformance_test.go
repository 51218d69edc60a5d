package ioiwari

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// drawReply draws a pit that is not empty.
func drawReply(m protocols.Match, _ int, rng *rand.Rand) string {
	pits := filled(m.(*match).board)
	return fmt.Sprint(pits[rng.IntN(len(pits))])
}

func TestConformance(t *testing.T) {
	protocoltest.Suite{
		Reply: drawReply, Seeds: 20,
		Lines: [][]string{{"4 3 2 4 2 3 2", "2", "3", "5", "4", "5", "7"}},
	}.Run(t, Game())
}

func FuzzParse(f *testing.F) { protocoltest.Suite{}.Fuzz(f, Game()) }

func FuzzReply(f *testing.F) { protocoltest.Suite{Reply: drawReply}.FuzzReply(f, Game()) }
