package mensch

import (
	"time"

	"umpire/protocols"
)

// Case is a case of the match game: the dice, which contestants never see. It
// is immutable.
type Case struct{ dice Dice }

// parse reads the line "A B m".
func parse(text string) (protocols.Case, error) {
	in := protocols.ReadCase(text)
	c := Case{readDice(in)}
	if err := in.End(); err != nil {
		return nil, err
	}
	return c, nil
}

// String is "A B m".
func (c Case) String() string { return c.dice.String() }

// Limits are 5 s per player for the match, and 1 s to start up.
func (c Case) Limits(int) protocols.Limits {
	return protocols.Limits{Time: 5 * time.Second, Startup: time.Second, Memory: 256 << 20}
}

// Start begins a match of two to four seats; seat 1 is red.
func (c Case) Start(seats int) protocols.Match {
	protocols.CheckSeats("mensch", seats, 2, 4)
	return newMatch(c.dice, seats)
}
