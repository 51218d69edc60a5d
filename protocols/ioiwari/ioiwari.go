// Package ioiwari is the game IOIWARI of the International Olympiad in
// Informatics 2001: two players sow beads around a circle of seven pits. It
// holds the rules, the line protocol, and an exact solver.
package ioiwari

import (
	_ "embed"

	"umpire/protocols"
)

//go:embed rules.md
var rules string

// Game returns the facts of ioiwari. The default formula is the task's scoring:
// 4 points for a win, 2 for a tie.
func Game() protocols.Game {
	return protocols.Game{
		Name:            "ioiwari",
		Title:           "Ioiwari",
		Rules:           rules,
		MinSeats:        2,
		MaxSeats:        2,
		SubmissionSeats: []int{1},
		DefaultOpponent: "optimal",
		Formula:         "P * (win + tie / 2)",
		Points:          4,
		Rank:            protocols.ByWins,
		Analysis:        analysis,
		Parse:           parse,
		Groups:          groupNames(),
		Generate:        generate,
		All:             all,
	}
}
