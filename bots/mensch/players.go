package mensch

import (
	"math/rand/v2"

	"umpire/bots"
	"umpire/protocols/mensch"
)

// random chooses by the lines it has seen so far, so that it repeats a match in
// the same way.
func random(t *bots.Table) error {
	return play(t, func(p *player, options []mensch.Request) int {
		return rand.New(rand.NewPCG(p.seen, 0)).IntN(len(options))
	})
}

// runner captures the piece that has come farthest; else it enters a piece, as
// only a six can; else it moves its leading piece, as far as possible.
func runner(t *bots.Table) error {
	return play(t, func(p *player, options []mensch.Request) int {
		return best(options, func(r mensch.Request) float64 {
			value := float64(10*p.position.Steps(r.Piece) + r.Number())
			if r.Verb == mensch.Enter {
				value = 900
			}
			if victim := p.position.On(p.position.Target(r)); victim != mensch.NoPiece {
				value += 1000 * float64(p.position.Steps(victim))
			}
			return value
		})
	})
}

// best is the index of the first option with the highest value.
func best(options []mensch.Request, value func(mensch.Request) float64) int {
	at, highest := 0, value(options[0])
	for i := 1; i < len(options); i++ {
		if v := value(options[i]); v > highest {
			at, highest = i, v
		}
	}
	return at
}
