// Package vmukni is the game ВМЪКНИ ("insert") of the PC Magazine Bulgaria and
// Musala Soft contest, task 4: two players push tiles into a 5x5 board and
// score the runs of equal tiles that vanish.
package vmukni

import (
	_ "embed"

	"umpire/protocols"
)

//go:embed rules.md
var rules string

// Seats is the number of players; seat 1 moves first.
const Seats = 2

// Game returns the facts of vmukni.
func Game() protocols.Game {
	return protocols.Game{
		Name:            "vmukni",
		Title:           "ВМЪКНИ (insert)",
		Rules:           rules,
		MinSeats:        Seats,
		MaxSeats:        Seats,
		SubmissionSeats: []int{1, 2},
		DefaultOpponent: "greedy",
		Formula:         "X",
		Rank:            protocols.ByPoints,
		Analysis:        analysis,
		Parse:           parse,
		Groups:          groupNames(),
		Generate:        generate,
	}
}
