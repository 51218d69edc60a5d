// Package solitarschack is Solitärschack, a game for one player of the Swedish
// olympiad: a 6x6 board of pieces in three layers, where the piece just removed
// determines which may be removed next. It knows the rules, the line protocol
// and the scoring; what a square is worth it asks of package planner.
package solitarschack

import (
	_ "embed"
	"time"

	"umpire/protocols"
)

//go:embed rules.md
var rules string

// Game returns the facts of Solitärschack.
func Game() protocols.Game {
	return protocols.Game{
		Name:     "solitarschack",
		Title:    "Solitärschack",
		Rules:    rules,
		MinSeats: 1,
		MaxSeats: 1,
		Formula:  "P * X / Y",
		Baseline: 200,
		Rank:     protocols.ByPoints,
		Analysis: analysis,
		Parse:    parse,
		Groups:   groupNames(),
		Generate: generate,
	}
}

// limits are the budgets of a match.
var limits = protocols.Limits{Time: 2 * time.Second, Memory: 256 << 20}
