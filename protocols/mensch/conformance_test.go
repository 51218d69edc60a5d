package mensch

import (
	"math/rand/v2"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

func TestConformance(t *testing.T) {
	for _, g := range Games() {
		t.Run(g.Name, func(t *testing.T) {
			if g.Name == "mensch-2" || g.Name == "mensch-3" {
				g.Groups = g.Groups[:1] // the largest cases would take half a minute
			}
			protocoltest.Suite{Reply: legalReply}.Run(t, g)
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
