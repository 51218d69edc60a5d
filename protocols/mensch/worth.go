package mensch

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

var cautious = weights{entered: 32, lead: 1.7, home: 14, enemy: 0.5, busy: 4, danger: 0.7, hunt: 0.25}

// Worth is the value of a position to one of the colours that play, in steps: the
// expected value that the built-in player cautious gives it. Chances are those of
// everybody's next roll, roughly.
func (p *Position) Worth(me Colour, colours int) float64 {
	w := &cautious
	value := 0.0
	waiting := false
	for _, piece := range me.Pieces() {
		steps := p.Steps(piece)
		switch {
		case steps == 0:
			waiting = true
		case steps > 40:
			value += w.piece(steps) + w.home
		default:
			value += w.piece(steps) * (1 - w.danger*p.danger(me, colours, p.Cell(piece)))
		}
	}
	if waiting && p.Own(me, me.StartCell()) {
		value -= w.busy
	}
	for c := range Colour(colours) {
		if c == me {
			continue
		}
		for _, piece := range c.Pieces() {
			steps := p.Steps(piece)
			if steps == 0 {
				continue
			}
			value -= w.enemy * w.piece(steps)
			if steps <= 40 {
				value += w.hunt * w.piece(steps) * p.hit(me, p.Cell(piece))
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

// danger is roughly the probability that a piece of a colour on a track cell is
// sent back before its next turn.
func (p *Position) danger(me Colour, colours, cell int) float64 {
	safe := 1.0
	for c := range Colour(colours) {
		if c != me {
			safe *= 1 - p.hit(c, cell)
		}
	}
	return 1 - safe
}

// hit is roughly the probability that a colour can land on a track cell with
// its next roll.
func (p *Position) hit(c Colour, cell int) float64 {
	missed := 1.0
	waiting := false
	for _, piece := range c.Pieces() {
		if p.In(piece) {
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
func (p *Position) reach(piece Piece, cell int) float64 {
	chance := 1.0 / 6
	for s := 1; s <= 18; s++ {
		if p.Ahead(piece, s) == cell {
			return chance
		}
		if s%6 == 0 {
			chance /= 6
		}
	}
	return 0
}
