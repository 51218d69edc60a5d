package mensch

import (
	"umpire/bots"
	"umpire/protocols/mensch"
)

// cautious looks at the position after each option.
func cautious(t *bots.Table) error {
	return play(t, weights{entered: 32, lead: 1.7, home: 14, enemy: 0.5, busy: 4, danger: 0.7, hunt: 0.25}.choose)
}

// weights are the values that cautious gives to things, in steps. They were
// found by playing some hundred random choices against runner.
type weights struct {
	entered float64 // a piece in play no longer needs a six
	lead    float64 // steps of a piece that has come far are worth more
	home    float64 // a piece in the final cells can't be sent back
	enemy   float64 // a step of another colour
	busy    float64 // one of the bot's own pieces on the start cell keeps others in their corners
	danger  float64 // a piece that is certain to be sent back loses this share of its worth
	hunt    float64 // an enemy piece that is certain to be reached is worth this share of its loss
}

func (w weights) choose(p *player, options []mensch.Request) int {
	return best(options, func(r mensch.Request) float64 {
		after := *p
		after.position.Place(r.Piece, p.target(r))
		return w.worth(&after)
	})
}

// worth is the value of a position to the player.
func (w weights) worth(p *player) float64 {
	value := 0.0
	waiting := false
	for _, piece := range p.me.Pieces() {
		steps := p.position.Steps(piece)
		switch {
		case steps == 0:
			waiting = true
		case steps > 40:
			value += w.piece(steps) + w.home
		default:
			value += w.piece(steps) * (1 - w.danger*p.danger(p.position.Cell(piece)))
		}
	}
	if waiting && p.position.Own(p.me, p.me.StartCell()) {
		value -= w.busy
	}
	for c := range mensch.Colour(p.colours) {
		if c == p.me {
			continue
		}
		for _, piece := range c.Pieces() {
			steps := p.position.Steps(piece)
			if steps == 0 {
				continue
			}
			value -= w.enemy * w.piece(steps)
			if steps <= 40 {
				value += w.hunt * w.piece(steps) * p.hit(p.me, p.position.Cell(piece))
			}
		}
	}
	return value
}

// piece is the value to its colour of a piece that is in.
func (w weights) piece(steps int) float64 {
	s := float64(steps)
	return w.entered + s + w.lead*s*s/44
}

// danger is roughly the probability that a piece of the player on a track cell
// is sent back before its next turn.
func (p *player) danger(cell int) float64 {
	safe := 1.0
	for c := range mensch.Colour(p.colours) {
		if c != p.me {
			safe *= 1 - p.hit(c, cell)
		}
	}
	return 1 - safe
}

// hit is roughly the probability that a colour can land on a track cell with
// its next roll.
func (p *player) hit(c mensch.Colour, cell int) float64 {
	missed := 1.0
	waiting := false
	for _, piece := range c.Pieces() {
		if p.position.In(piece) {
			missed *= 1 - p.reach(piece, cell)
		} else {
			waiting = true
		}
	}
	if waiting && cell == c.StartCell() {
		missed *= 5.0 / 6
	}
	return 1 - missed
}

// reach is roughly the probability that one roll takes a piece to a cell: by a
// number from 1 to 5, or by sixes and then one.
func (p *player) reach(piece mensch.Piece, cell int) float64 {
	chance := 1.0 / 6
	for s := 1; s <= 18; s++ {
		if p.position.Ahead(piece, s) == cell {
			return chance
		}
		if s%6 == 0 {
			chance /= 6
		}
	}
	return 0
}
