package mensch

import (
	"umpire/bots"
	"umpire/protocols/mensch"
)

// cautious looks at the position after each option.
func cautious(t *bots.Table) error {
	return play(t, func(p *player, options []mensch.Request) int {
		return best(options, func(r mensch.Request) float64 {
			after := p.position
			after.Place(r.Piece, p.position.Target(r))
			return after.Worth(p.me, p.colours)
		})
	})
}
