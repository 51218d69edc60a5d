// Package catalog is the one list of all games.
package catalog

import (
	"slices"

	"umpire/protocols"
	"umpire/protocols/ioiwari"
	"umpire/protocols/mensch"
	"umpire/protocols/patolli"
	"umpire/protocols/solitarschack"
	"umpire/protocols/vmukni"
)

// Games returns every game, in the order in which they are shown.
func Games() []protocols.Game {
	return slices.Concat(
		[]protocols.Game{ioiwari.Game(), vmukni.Game(), solitarschack.Game()},
		mensch.Games(),
		[]protocols.Game{patolli.Game()},
	)
}
