package report

import (
	"fmt"
	"slices"
	"testing"

	"umpire/referee/standings"
)

// TestVoidNotes: a footnote says how many of a bot's failures were not its own.
func TestVoidNotes(t *testing.T) {
	row := func(bot string, timeouts int, voided map[string]int) standings.Row {
		return standings.Row{Bot: bot, Failures: map[string]int{"time": timeouts}, Voided: voided}
	}
	rows := []standings.Row{
		row("alice", 1, map[string]int{"machine": 1, "stall": 1}),
		row("bob", 3, nil),
		row("carol", 0, map[string]int{"machine": 1}),
		row("dave", 2, map[string]int{"helper": 2}),
		row("erin", 0, map[string]int{"memory": 1}),
	}
	want := []string{
		"alice: 3 timeouts, of which 2 were the machine's and were played again.",
		"carol: 1 timeout, of which 1 was the machine's and was played again.",
		"dave: 2 matches were void because of it and were played again.",
		"erin: 1 match was played again, since the machine had no memory left.",
	}
	if got := voidNotes(rows); !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
	rows = nil
	for i := range shownVoids + 3 {
		rows = append(rows, row(fmt.Sprint(i), 0, map[string]int{"machine": 1}))
	}
	if got := voidNotes(rows); len(got) != shownVoids+1 || got[shownVoids] != "So were matches of 3 bots more: --json has the numbers." {
		t.Errorf("found %q, expected the first %d, and that there are 3 more", got, shownVoids)
	}
}
