// Package catalog is the one list of all built-in bots.
package catalog

import (
	"slices"

	"umpire/bots"
	"umpire/bots/mensch"
)

// Bots returns every built-in bot, grouped by game.
func Bots() []bots.Bot {
	return slices.Concat(
		mensch.Bots(),
	)
}
