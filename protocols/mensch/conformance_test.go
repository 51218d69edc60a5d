package mensch

import (
	"math/rand/v2"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/testlevel"
)

func TestConformance(t *testing.T) {
	for _, g := range Games() {
		t.Run(g.Name, func(t *testing.T) {
			if g.Name == "mensch-2" || g.Name == "mensch-3" {
				g.Groups = g.Groups[:1] // the largest cases would take half a minute
			}
			suite := protocoltest.Suite{Reply: legalReply, Seeds: testlevel.Times(1, 1, 5)}
			if g.MaxSeats > 1 {
				suite.OpenReplies = "a request that the rules refuse is answered, and the turn goes on"
				suite.Lines = [][]string{{
					quick.String(), "dice", "enter R2", "move R2 1", "dice", "giveup", "dice", "move R2 5",
					"dice", "move B1 4", "enter B1", "move B1 4", "dice", "…",
				}}
			}
			suite.Run(t, g)
		})
	}
}

// legalReply is a request that is mostly accepted, or an output that is mostly
// right.
func legalReply(m protocols.Match, _ int, rng *rand.Rand) string {
	often := rng.IntN(8) > 0
	switch m := m.(type) {
	case *match:
		if often {
			return usefulRequest(rng, &m.board, 1).String()
		}
		return anyRequest(rng, int(m.seats)).String()
	case *tracedBatch:
		return output(&m.batch, often)
	case *batch:
		return output(m, often)
	}
	return ""
}

func output(b *batch, right bool) string {
	if right {
		return string(b.task.answer())
	}
	return "6 1\n"
}
