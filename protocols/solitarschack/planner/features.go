package planner

import (
	rules "umpire/protocols/solitarschack/board"
)

// Feature is one property of a position and how often the property holds there.
type Feature struct {
	Index int16 // below FeatureCount
	Count int16
}

// The features, in blocks. A class is one of the six kinds of squares that
// remain up to turning and mirroring the board; numbers of squares are cut off
// at the end of their block.
const (
	featureBias     = 0
	featureSequence = featureBias + 1                // one for every sequence of removed types
	featureCell     = featureSequence + sequences    // class and cell
	featureOut      = featureCell + classes*cells    // colour, and how many squares a visible piece reaches
	featureIn       = featureOut + rules.Layers*outs // colour, and from how many pieces in sight a square is reached
	featureWays     = featureIn + rules.Layers*ins   // visible and hidden pieces that are reachable now
	featureFrom     = featureWays + ways*hiddens     // class and type of the last removal
	featureSteps    = featureFrom + classes*(rules.Types+1)
	featureSame     = featureSteps + steps // pieces that reach one of their type, by type
	featurePairs    = featureSame + rules.Types + 1
	FeatureCount    = featurePairs + pairs

	classes = 6
	outs    = 6  // 0 to 4, and more
	ins     = 5  // 0 to 3, and more
	ways    = 7  // 0 to 5, and more
	hiddens = 3  // 0, 1, and more
	steps   = 16 // squares that are reachable in one or two steps: 0 to 14, and more
)

// The pairs: how often a piece in sight reaches one of another kind.
const (
	pairNeighbours = iota // digits that follow one another, up or down
	pairDigits            // two digits
	pairFigures           // two figures
	pairDigitToFigure
	pairFigureToDigit
	pairs
)

// class holds the kind of every square.
var class = [rules.Area]int16{
	0, 1, 2, 2, 1, 0,
	1, 3, 4, 4, 3, 1,
	2, 4, 5, 5, 4, 2,
	2, 4, 5, 5, 4, 2,
	1, 3, 4, 4, 3, 1,
	0, 1, 2, 2, 1, 0,
}

// Features returns all features of a position.
func Features(s *State) []Feature { return s.last(s.board(nil)) }

// sight holds the squares of a position's pieces.
type sight struct {
	colour [rules.Layers]rules.Squares    // hidden pieces too
	piece  [rules.Types + 1]rules.Squares // visible pieces by type
}

func (v *sight) digits() rules.Squares {
	return v.piece[rules.One] | v.piece[rules.Two] | v.piece[rules.Three] | v.piece[rules.Four]
}

// neighbours returns the digits one below and one above the digit p.
func (v *sight) neighbours(p rules.Piece) rules.Squares {
	var a rules.Squares
	if p > rules.One {
		a = v.piece[p-1]
	}
	if p < rules.Four {
		a |= v.piece[p+1]
	}
	return a
}

// board adds the features that do not depend on the last removal.
func (s *State) board(out []Feature) []Feature {
	var v sight
	out = append(out, Feature{featureBias, 1})
	for rest := s.Occupied; rest != 0; rest &= rest - 1 {
		q := rest.First()
		c := s.cells[q]
		v.colour[c.colour()] |= 1 << q
		if c < hiddenSilver {
			v.piece[c.piece()] |= 1 << q
		}
		out = append(out, Feature{featureCell + class[q]*cells + int16(c), 1})
	}
	return s.edges(out, &v)
}

// edges adds the features for which pieces reach which squares.
func (s *State) edges(out []Feature, v *sight) []Feature {
	var same [rules.Types + 1]int
	var pair [pairs]int
	var in counter
	digits := v.digits()
	figures := s.Occupied &^ s.Hidden &^ digits
	for rest := s.Occupied &^ s.Hidden; rest != 0; rest &= rest - 1 {
		q := rest.First()
		c := s.cells[q]
		p := c.piece()
		to := rules.Reach(p, q) & s.Occupied
		out = append(out, Feature{featureOut + int16(c.colour())*outs + int16(min(to.Len(), outs-1)), 1})
		in.add(to)
		same[p] += (to & v.piece[p]).Len()
		if p.Digit() {
			pair[pairNeighbours] += (to & v.neighbours(p)).Len()
			pair[pairDigits] += (to & digits).Len()
			pair[pairDigitToFigure] += (to & figures).Len()
		} else {
			pair[pairFigures] += (to & figures).Len()
			pair[pairFigureToDigit] += (to & digits).Len()
		}
	}
	for colour, squares := range v.colour {
		for n := range ins {
			out = some(out, featureIn+colour*ins+n, (squares & in.exactly(n)).Len())
		}
	}
	for p, n := range same {
		out = some(out, featureSame+p, n)
	}
	for i, n := range pair {
		out = some(out, featurePairs+i, n)
	}
	return out
}

// last adds the features of the last removal; there must be one.
func (s *State) last(out []Feature) []Feature {
	reachable := s.Reachable()
	two := reachable
	for visible := reachable &^ s.Hidden; visible != 0; visible &= visible - 1 {
		q := visible.First()
		two |= rules.Reach(s.cells[q].piece(), q)
	}
	open := min((reachable &^ s.Hidden).Len(), ways-1)
	hidden := min((reachable & s.Hidden).Len(), hiddens-1)
	return append(out,
		Feature{featureSequence + int16(s.Sequence), 1},
		Feature{featureWays + int16(open*hiddens+hidden), 1},
		Feature{featureFrom + class[s.From]*(rules.Types+1) + int16(s.Last), 1},
		Feature{featureSteps + int16(min((two&s.Occupied).Len(), steps-1)), 1})
}

// some adds a feature that holds n times, unless n is 0.
func some(out []Feature, index, n int) []Feature {
	if n == 0 {
		return out
	}
	return append(out, Feature{int16(index), int16(n)})
}

// counter counts for every square, up to 4: one set for each bit of the
// numbers.
type counter struct{ one, two, four rules.Squares }

// add counts each square of a once more.
func (c *counter) add(a rules.Squares) {
	carry := c.one & a
	c.one ^= a
	c.four |= c.two & carry
	c.two ^= carry
}

// exactly returns the squares that were counted n times; 4 stands for 4 or
// more.
func (c *counter) exactly(n int) rules.Squares {
	switch n {
	case 0:
		return ^(c.one | c.two | c.four)
	case 1:
		return c.one &^ (c.two | c.four)
	case 2:
		return c.two &^ (c.one | c.four)
	case 3:
		return c.one & c.two &^ c.four
	}
	return c.four
}
