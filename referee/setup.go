package referee

import (
	"umpire/protocols"
)

// Setup is what a match is played from, apart from who plays it.
type Setup struct {
	Game      protocols.Game
	Case      protocols.Case
	Seats     int // how many there are, 1 or more
	Limits    protocols.Limits
	Pondering Pondering // "" is contestant.Allow
}

// Lines is the conductor of the match; voided as in Lines.Voided. It panics
// where the game does.
func (s Setup) Lines(voided *VoidError) Lines {
	return Lines{Match: s.start(), Pondering: s.Pondering, Voided: voided}
}

// start gives the match from its beginning.
func (s Setup) start() protocols.Match { return s.Case.Start(s.Seats) }
