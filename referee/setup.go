package referee

import (
	"umpire/protocols"
)

// Setup is everything a match is played from except its players.
type Setup struct {
	Game      protocols.Game
	Case      protocols.Case
	Seats     int // number of seats, at least 1
	Limits    protocols.Limits
	Pondering Pondering // "" means PonderAllow
}

// Lines returns the conductor of the match. It panics where the game does.
func (s Setup) Lines() Lines { return Lines{Match: s.start(), Pondering: s.Pondering} }

// start returns the match at its beginning.
func (s Setup) start() protocols.Match { return s.Case.Start(s.Seats) }
