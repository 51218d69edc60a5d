package session

import (
	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

// Test is a bot that plays every case in every seat that its game tests.
type Test struct {
	Play       // with one entrant; an Opponent is the one of the user's choice
	Unfit bool // the result is wanted also of a bot that can't be compiled or started
	// Resume plays only what an earlier test has not played: its records are in
	// Results, else the cache folder.
	Resume bool
	// All plays also the cases of a problem package that come after one on which the bot
	// fails.
	All bool
}

// TestResult is how a test went.
type TestResult struct {
	report.TestResult
	Set      cases.Set // the cases that have been played
	Scores   scoring.Scores
	Opponent scoring.Tally // how the matches ended for the opponent of the user's choice
	Records  string        // file that holds the records; "" if there is none
	Finished int           // matches
	Matches  int           // to be played
	Unfit    error         // why the bot could not be compiled or started; nil if it could
}

// Tested says whose tests are meant: a bot's, against an opponent.
type Tested struct {
	Game     string
	Bot      program.Entrant
	Opponent program.Entrant // the zero value is the game's default
}
