// Package catalog is the one list of all built-in bots.
package catalog

import (
	"slices"

	"umpire/bots"
	"umpire/bots/ioiwari"
	"umpire/bots/mensch"
	"umpire/bots/patolli"
	"umpire/bots/solitarschack"
	"umpire/bots/vmukni"
)

// Bots returns every built-in bot, grouped by game.
func Bots() []bots.Bot {
	return slices.Concat(
		ioiwari.Bots(),
		vmukni.Bots(),
		solitarschack.Bots(),
		mensch.Bots(),
		patolli.Bots(),
	)
}
