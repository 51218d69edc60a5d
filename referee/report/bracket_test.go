package report

import (
	"fmt"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/standings"
)

// TestTallBracket: of a large knockout only the last rounds are drawn.
func TestTallBracket(t *testing.T) {
	k := standings.Knockout{Matches: 1}
	for i := range 64 {
		k.Bots = append(k.Bots, standings.Bot{Name: fmt.Sprint("bot", i)})
	}
	b := standings.NewTally(protocols.ByPoints).Bracket(k)
	for _, round := range b.Rounds {
		for i := range round {
			round[i].Played = 1
		}
	}
	b.Rounds[0][1].Fails = [2]int{1, 0}
	var v Standings
	v.ShowBracket(b)
	for i, want := range []string{"the one given first goes on", "the one that failed in fewer matches goes on"} {
		if got := v.Encounters.Rounds[0][i].Tie; got != want {
			t.Errorf("tie %d: found %q, expected %q", i, got, want)
		}
	}
	b.Rounds[0][1].Fails = [2]int{}
	// The first round is decided by the seeds; the others have no bots yet.
	drawn := bracketTable(b)
	if got, want := strings.Join(drawn.Header, ","), "round of 32,,round of 16,,quarter-finals,,semi-finals,,final,,winner"; got != want {
		t.Errorf("found columns %q, expected %q", got, want)
	}
	if got := len(drawn.Rows); got != 63 {
		t.Errorf("found %d rows, expected one for each of 32 bots and one between each two", got)
	}
	if got := drawn.Rows[0][0]; got != "bot0 0:0" {
		t.Errorf("found %q in the first row, expected bot0 with the result of its first encounter", got)
	}
}
