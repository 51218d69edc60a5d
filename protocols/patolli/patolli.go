// Package patolli is the batch task Patolli of the American Computer Science
// League, 2019-2020, contest 4, intermediate division: markers walk a path of
// 52 locations by the rolls of a die, and the contestant answers with their
// final locations.
package patolli

import (
	_ "embed"

	"umpire/protocols"
)

//go:embed rules.md
var rules string

// LinesPerTest is the number of lines in a test of the contest.
const LinesPerTest = 5

// Game returns the facts of patolli.
func Game() protocols.Game {
	return protocols.Game{
		Name:     "patolli",
		Title:    "ACSL Patolli",
		Rules:    rules,
		MinSeats: 1,
		MaxSeats: 1,
		Formula:  "X",
		Points:   LinesPerTest,
		Rank:     protocols.ByPoints,
		Parse:    parse,
		Groups:   groupNames(),
		Generate: generate,
	}
}
