// Package mensch holds the built-in bots of the game Mensch: players of the
// match, and a reference solution for each of the five batch tasks.
package mensch

import (
	"umpire/bots"
)

// Bots returns the package's bots: the players, weakest first, then the
// references.
func Bots() []bots.Bot {
	return []bots.Bot{
		{Game: "mensch", Name: "random", About: "picks any entry or move that is possible", Play: random},
		{Game: "mensch", Name: "runner", About: "captures when it can, else runs with its leading piece", Play: runner},
		{Game: "mensch", Name: "cautious", About: "weighs steps, captures and the danger its pieces are in", Play: cautious},
		{Game: "mensch-1", Name: "reference", About: "draws the die", Play: reference1},
		{Game: "mensch-2", Name: "reference", About: "rolls the numbers", Play: reference2},
		{Game: "mensch-3", Name: "reference", About: "answers any number of requests", Play: reference3},
		{Game: "mensch-4", Name: "reference", About: "answers any number of requests", Play: reference4},
		{Game: "mensch-5", Name: "reference", About: "answers any number of requests and draws the board", Play: reference5},
	}
}
