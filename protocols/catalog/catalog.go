// Package catalog is the one list of all games.
package catalog

import (
	"slices"

	"umpire/protocols"
	"umpire/protocols/mensch"
)

// Games returns every game, in the order in which they are shown.
func Games() []protocols.Game {
	return slices.Concat(
		mensch.Games(),
	)
}
