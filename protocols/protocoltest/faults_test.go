package protocoltest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/dialogue"
	"umpire/referee/testlevel"
)

// faults are deliberate faults of a Connect Four, with the first check that finds
// each; "" where none does, because only the rules say that it is wrong. The
// suite's own knowledge of rules are the lines of fourSuite.
var faults = []struct {
	fault
	what, check string
}{
	{"01", "a disc put onto a full column replaces the top one", "fouls"},
	{"01b", "a full column counts as a pass", "fouls"},
	{"02", "the other seat is awaited", "dialogues"},
	{"02b", "the move is sent to the seat that made it", "dialogues"},
	{"02c", "seat 1 moves twice", "lines"},
	{"03", "the order of Choices", "analysis"},
	{"03b", "the places of a draw", "play"},
	{"03c", "who is told first", "play"},
	{"03d", "the order of a list in the text", "play"},
	{"04", "a draw scores for seat 1", "play"},
	{"04b", "the loser shares place 1", "play"},
	{"04c", "the loser has place 1 and the winner place 2", "play"},
	{"04d", "a win of seat 2 scores nothing", "fouls"},
	{"04e", "the loser has the winner's score", "play"},
	{"05", "a full board still awaits a reply", "lines"},
	{"05b", "Choices after the end", "choices"},
	{"05c", "a panic after the end", "play"},
	{"05d", "the match goes on after a row of four", "lines"},
	{"05e", "Result changes after the end", "play"},
	{"05f", "State after the end is that of the start", "play"},
	{"06", "a panic at an empty reply", "each junk reply"},
	{"06b", "a panic at a negative number", "fouls"},
	{"06c", "a panic at 2147483648", "fouls"},
	{"06d", "a foul that quotes invalid UTF-8", "fouls"},
	{"06e", "a hang on 1,000 bytes", "fouls"},
	{"07", "spaces are a foul", "play"},
	{"07b", `"3 4" is read as 3`, "fouls"},
	{"07c", `"+3" is read as 3`, "each junk reply"},
	{"07d", "leading zeros are a foul", "play"},
	{"07e", "an empty reply is column 0", "each junk reply"},
	{"07f", "lines after the case are ignored", "broken cases"},
	{"08", "a draw is decided by a counter of the package", "play"},
	{"08b", "the state depends on the clock, one time in 64", "play"},
	{"08c", "spaces by chance in the text", "play"},
	{"09", "a foul passes the turn", "fouls"},
	{"10", "State is shared with the match", "play"},
	{"11", "no falling row of four", "lines"},
	{"11b", "a row of four may wrap around the edge", "lines"},
	{"11c", "three in a row win", "lines"},
	{"13", "a failed seat is awaited", "fouls"},
	{"14", "the failed seat wins", "fouls"},
	{"15", "a line to the seat that has failed", "fouls"},
	{"16", "a script in the picture", "drawing"},
	{"16b", "a full column can be clicked", "drawing"},
	{"16c", "the picture of a position changes", "drawing"},
	{"16d", "control characters in the text", "broken cases"},
	{"16e", "the ring is a column off", ""},
	{"17", "every estimate is called exact", "analysis"},
	{"17b", "the sign of values is reversed", "analysis"},
	{"17c", "Values changes the match", "analysis"},
	{"17d", "a value for a reply that is no choice", "analysis"},
	{"18", "matches share a board", "lines"},
	{"19", "there are no limits", "seats"},
	{"20", "Generate uses the clock", "generate"},
	{"21", "the rules say columns 1 to 7", "dialogues"},
}

// TestFaults checks that the suite finds nothing in a sound Connect Four, and the
// faults that it is said to find in the others.
func TestFaults(t *testing.T) {
	quick := fourSuite
	quick.pulse = &pulse{limit: 100 * time.Millisecond}
	for i, test := range append(faults, struct {
		fault
		what, check string
	}{what: "none"}) {
		if test.check != "" && i%testlevel.Times(5, 1, 1) != 0 {
			continue
		}
		suite := fourSuite
		if test.fault == "06e" {
			suite = quick // it hangs for certain
		}
		t.Run(string(test.fault), func(t *testing.T) {
			for _, c := range checks {
				if test.check != "" && test.check != c.name {
					continue
				}
				if err := suite.find(c, connectFour(test.fault)); (err != nil) != (test.check != "") {
					t.Errorf("%s: %q finds %v", test.what, c.name, err)
				}
			}
		})
	}
}

// TestSwitchedOff checks the fields that switch a check off.
func TestSwitchedOff(t *testing.T) {
	for _, test := range []struct {
		fault
		check  string
		change func(*Suite)
	}{
		{"07c", "each junk reply", func(s *Suite) { s.OpenReplies = "signs are allowed" }},
		{"04b", "play", func(s *Suite) { s.PlacesApart = "the loser may be content" }},
		{"14", "failures", func(s *Suite) { s.FailedMayWin = "it was ahead" }},
		{"17", "analysis", func(s *Suite) { s.InexactEnds = "the end is drawn by lot" }},
	} {
		i := slices.IndexFunc(checks, func(c check) bool { return c.name == test.check })
		suite := fourSuite
		if err := suite.find(checks[i], connectFour(test.fault)); err == nil {
			t.Errorf("%s: %q finds nothing", test.fault, test.check)
		}
		test.change(&suite)
		if err := suite.find(checks[i], connectFour(test.fault)); err != nil {
			t.Errorf("%s: %q finds %v, although it is switched off", test.fault, test.check, err)
		}
	}
}

// TestBadLines checks what is said of lines and dialogues that are wrong.
func TestBadLines(t *testing.T) {
	for want, lines := range map[string][][]string{
		"line 1 of Suite.Lines: it is empty":                                                   {{}},
		`line 1 of Suite.Lines: its case: line 1: found "8"`:                                   {{"7 8"}},
		"line 2 of Suite.Lines: with 2 seats: the match is over after 7 of 8 replies":          {fourLine("3434343"), fourLine("34343430")},
		"line 1 of Suite.Lines: with 2 seats: seat 2 is awaited after the last of 1 replies":   {fourLine("3")},
		`line 1 of Suite.Lines: with 2 seats: reply 2, "7" of seat 2, is a foul: answered "7"`: {fourLine("37")},
		"in the rules is no seat's view of any of the 0 Suite.Lines":                           nil,
		`no seat's view of any of the 1 Suite.Lines: for "← 4", the nearest one has "← 5"`:     {fourLine("3535353")},
		`no seat's view of any of the 1 Suite.Lines: for "→ 3", the nearest one has "…"`:       {append(fourLine("34"), goesOn)},
	} {
		suite := Suite{Lines: lines}
		g := connectFour("")
		err := checkLines(suite, g)
		if err == nil {
			err = checkDialogues(suite, g)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, expected %q", lines, err, want)
		}
	}
	if err := checkLines(Suite{Lines: [][]string{append(fourLine("34"), goesOn)}}, connectFour("")); err != nil {
		t.Error(err)
	}
}

// TestDialogues checks how dialogues are read and compared.
func TestDialogues(t *testing.T) {
	const rules = "Rules:\n\n    seat 1     seat 2\n    < 3 4      < 3 4\n    > 1        < 1\n    …          > 2   a remark\n    < end      > 3\n\n" +
		"    → only read\n\n  > not indented\n"
	got := dialogue.Of(rules)
	want := [][]string{{"→ 3 4", "← 1", "…", "→ end"}, {"→ 3 4", "→ 1", "← 2", "← 3"}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Fatalf("found %q, expected %q", got, want)
	}
	for _, test := range []struct {
		view []string
		want int
	}{
		{[]string{"→ 3 4", "← 1", "→ 5", "→ end"}, -1},
		{[]string{"→ 3 4", "← 1", "→ end"}, -1},
		{[]string{"→ 3 4", "← 1", "…"}, -1},
		{[]string{"→ 3 4", "← 1", "→ 5"}, 3},
		{[]string{"→ 3 4", "← 2", "→ end"}, 1},
		{[]string{"→ 3 4"}, 1},
	} {
		if got := agreement(want[0], test.view); got != test.want {
			t.Errorf("%q agrees up to %d, expected %d", test.view, got, test.want)
		}
	}
}

// TestBatchDialogue checks that a dialogue with a whole input is played.
func TestBatchDialogue(t *testing.T) {
	for rules, want := range map[string]string{
		"    → 2\n    → 3 4\n    ← 7\n": "",
		"    → 2\n    → 3 4\n    ← 8\n": `expected "7"`,
		"    → 2\n    → 3 x\n    ← 7\n": "no seat's view",
	} {
		g := changed(Sum(), func(g *protocols.Game) { g.Rules = rules })
		err := checkDialogues(Suite{}, g)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, expected %q", rules, err, want)
		}
	}
}
