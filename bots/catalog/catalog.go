// Package catalog is the one list of all built-in bots.
package catalog

import (
	"slices"

	"umpire/bots"
	"umpire/bots/solitarschack"
)

// Bots returns every built-in bot, grouped by game.
func Bots() []bots.Bot {
	return slices.Concat[[]bots.Bot](
		solitarschack.Bots(),
	)
}
