package conformance

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/external"
	"umpire/referee/talk"
)

// Suite checks the game of a folder.
type Suite struct {
	Folder  *external.Folder
	Judge   external.Judge
	Bots    []arena.Program // of the folder
	Matches int             // of random play, each of them twice
	Jobs    int             // judges at a time, at least 1
	// Told is called with each part of the suite when it is over.
	Told func(Part)

	game protocols.Game
	set  cases.Set
	// What was played by the folder's bots, and, with pictures, at random.
	seen, drawn []played
}

// Part is a part of the suite, as it went.
type Part struct {
	Name     string    `json:"part"`
	Did      string    `json:"did,omitempty"` // in words; "" where something is wrong
	Matches  int       `json:"matches"`
	Wrong    *Finding  `json:"wrong,omitempty"`
	Warnings []Finding `json:"warnings,omitempty"`
}

// Finding is something that is wrong with a folder.
type Finding struct {
	What    string   `json:"what"`
	Where   []string `json:"where,omitempty"`   // the match, and what was said in it
	Instead string   `json:"instead,omitempty"` // what to write

	judge bool // it is the judge's: no match can count on it
}

func (f *Finding) Error() string { return f.What }

// wrongf returns a finding without a place.
func wrongf(instead, format string, args ...any) *Finding {
	return &Finding{What: fmt.Sprintf(format, args...), Instead: instead}
}

// setup is the case, the number of seats and the repetition of a match.
type setup struct {
	cases.Case
	seats      int
	repetition int // of the case, from 1: another deal where the judge draws
}

// fixture returns what a judge is told of a match.
func (s *Suite) fixture(u setup) arena.Fixture {
	return arena.Fixture{
		Game: s.game.Name, Case: u.Record(), Seats: make([]arena.Seat, u.seats), Repetition: u.repetition, Random: s.Folder.Random, Seed: 1,
		Want: talk.Shown,
	}
}

// setups returns the setups of n matches: all cases with all numbers of seats, in turn.
func (s *Suite) setups(n int) (list []setup) {
	for round := 1; len(list) < n; round++ {
		for _, c := range s.set.Cases {
			for seats := s.game.MinSeats; seats <= s.game.MaxSeats; seats++ {
				list = append(list, setup{c, seats, round})
			}
		}
	}
	return list[:n]
}

// played is a match that was played.
type played struct {
	setup
	events []referee.Event
	talk   string
	result referee.Result
}

// hasChoices reports whether the judge named choices.
func (p played) hasChoices() bool { return strings.Contains("\n"+p.talk, "\nchoice ") }

// table is where matches are played, one at a time, by the judges of a job.
type table struct {
	suite  *Suite
	judges arena.Judges
}
