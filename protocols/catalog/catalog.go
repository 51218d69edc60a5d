// Package catalog is the one list of all games.
package catalog

import (
	"umpire/protocols"
	"umpire/protocols/solitarschack"
)

// Games returns every game, in the order in which they are shown.
func Games() []protocols.Game {
	return []protocols.Game{
		solitarschack.Game(),
	}
}
