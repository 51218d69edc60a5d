package report

import (
	"umpire/protocols"
	"umpire/referee/standings"
)

// Standings prints standings.
type Standings struct {
	Game  protocols.Game
	Title string
	Of    *standings.Standings
	// Encounters are those of a Swiss tournament or knockout, and Rounds its rounds as
	// tables: none where a round is too long to be shown.
	Encounters RoundsJSON
	Rounds     []Table
	long       int      // encounters of a round, where these are too many to be shown
	Lead       []Column // columns that order the rows before the game's own rule

	bracket *standings.Bracket // of a knockout; nil for other formats

	SPRT  *SPRT  // the sequential test that ends the tournament; nil: none
	Until *Until // of a round robin that goes on where its order is least certain; nil: all is played

	Missing, Total int // matches of the tournament that are still to be played, and all
	Unrelated      int // matches that do not count, being of another tournament

	Quiet        bool // print only the standings
	Pairs        bool // also print head-to-head results
	NoTimes      bool // leave out times
	NoCrosstable bool // leave out the crosstable
	Verbose      bool // also print compilers' words about bots that could not be compiled
}

// StandingsJSON is the JSON form of standings.
type StandingsJSON struct {
	Game   string `json:"game"`
	Format string `json:"format,omitempty"` // knockout, if they are those of one
	// Filter is which matches count; nil: all.
	Filter *standings.Filter `json:"filter,omitempty"`
	// Missing is how many matches of the tournament are still to be played, without
	// those that failed, and Unrelated how many are in its folder that are not of it.
	SPRT      *SPRT  `json:"sprt,omitempty"`
	Until     *Until `json:"until,omitempty"`
	Missing   int    `json:"missing,omitempty"`
	Unrelated int    `json:"unrelated,omitempty"`
	Why       *Why   `json:"why,omitempty"` // with --why
	standings.Standings
	RoundsJSON
}

// longestRound is the most encounters that a round may have to be shown.
const longestRound = 200

// ShowSwiss adds the rounds of a Swiss tournament and their order to the
// standings.
func (v *Standings) ShowSwiss(rounds [][]Encounter) {
	v.Lead, v.Encounters.Rounds = []Column{lead("rounds won", 0, 2), lead("Buchholz", 1, 2)}, rounds
	most := 0
	for _, round := range rounds {
		most = max(most, len(round))
	}
	if most > longestRound {
		v.long = most
	} else {
		v.Rounds = Rounds(rounds)
	}
}

// ShowBracket adds a knockout's bracket, its rounds and their order to the
// standings.
func (v *Standings) ShowBracket(b standings.Bracket) {
	v.Lead = []Column{lead("rounds survived", 0, 1)}
	v.Encounters = RoundsJSON{Rounds: Encounters(b.Rounds, b.Name, b.Matches, b.Rank), Winner: b.Name(b.Winner())}
	for i, round := range b.Rounds {
		for j, e := range round {
			one := &v.Encounters.Rounds[i][j]
			one.Winner, one.Tie = b.Name(b.WinnerOf(e)), "the one given first goes on"
			if e.Fails[0] != e.Fails[1] {
				one.Tie = "the one that failed in fewer matches goes on"
			}
		}
	}
	if len(b.Rounds) > 0 { // two bots or more can play
		v.bracket, v.Rounds = &b, Rounds(v.Encounters.Rounds)
	}
}
