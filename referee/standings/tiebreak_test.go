package standings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

// TestTies: direct encounters decide only where all of the tied have met equally
// often; otherwise equal bots stay tied.
func TestTies(t *testing.T) {
	for _, c := range []struct {
		name    string
		matches []string
		want    string
	}{
		{"all met once", []string{"a 1, b 0", "b 1, c 0", "c 1, d 0", "d 1, a 0", "a 1, c 0", "b 1, d 0", "x 1, c 0", "x 1, d 0", "a 0, x 1", "b 0, x 1"},
			"1 x, 2 a, 3 b, 4 c, 5 d"},
		{"a cycle", []string{"a 1, b 0", "b 1, c 0", "c 1, a 0"}, "1 a=, 1 b=, 1 c="},
		{"have not met", []string{"a 1, x 0", "b 1, y 0"}, "1 a=, 1 b=, 3 x=, 3 y="},
		{"two met, the third none of them", []string{"a 1, b 0", "b 1, x 0", "a 0, x 1", "c 1, x 0", "c 0, y 1"}, "1 y, 2 a=, 2 b=, 2 c=, 5 x"},
	} {
		if got := ranking(tally(protocols.ByWins, c.matches...).Standings(nil)); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// TestEqualBotsOfSwiss: 24 bots of which each ties every match share rank 1, however
// often they met.
func TestEqualBotsOfSwiss(t *testing.T) {
	tl, o := NewTally(protocols.ByWins), &Ordering{Swiss: true, Rounds: make(map[Bot]RoundFigures)}
	for i := range 24 {
		o.Rounds[Bot{Name: name(i)}] = RoundFigures{Reached: 4, Buchholz: 16}
		for j := range 4 {
			tl.Add(played(4*i+j, fmt.Sprintf("%s 1, %s 1", name(i), name((i+1+j*j)%24))))
		}
	}
	for _, r := range tl.Standings(o).Rows {
		if r.Rank != 1 || !r.Tied {
			t.Errorf("%s: rank %d, tied %v", r.Bot, r.Rank, r.Tied)
		}
	}
}

func name(i int) string { return string(rune('a'+i/26)) + string(rune('a'+i%26)) }

// TestTiebreaks: the listed tie-breaks decide, in their order, and no others.
func TestTiebreaks(t *testing.T) {
	// Points: a 11, b 10, c 13. Difference: a 1, b -5, c 4. Won: a 2, b 2, c 1. Match
	// points, which are those among themselves: a 2, b 2½, c 1½. Sonneborn-Berger: a
	// 2½ + 1½ = 4, b 2 + 1½·1½ = 4¼, c 2 + ½·2½ = 3¼. b failed once.
	matches := []string{"a 9, b 0", "b 3, a 0", "a 2, c 1", "a 0, c 6", "b 5, c 4", "b 2 time, c 2"}
	for list, want := range map[string]string{
		"points":           "1 c, 2 a, 3 b",
		"difference":       "1 c, 2 a, 3 b",
		"wins":             "1 a=, 1 b=, 3 c",
		"wins,points":      "1 a, 2 b, 3 c",
		"failures":         "1 a=, 1 c=, 3 b",
		"failures,wins":    "1 a, 2 c, 3 b",
		"direct":           "1 b, 2 a, 3 c",
		"match-points":     "1 b, 2 a, 3 c",
		"sonneborn-berger": "1 b, 2 a, 3 c",
		"firsts":           "1 b, 2 a=, 2 c=",
	} {
		o := &Ordering{Rounds: make(map[Bot]RoundFigures), Tiebreaks: breaks(t, list)}
		for _, bot := range []string{"a", "b", "c"} {
			o.Rounds[Bot{Name: bot}] = RoundFigures{Reached: 1}
		}
		if got := ranking(tally(protocols.ByWins, matches...).Standings(o)); got != want {
			t.Errorf("%q: %s, expected %s", list, got, want)
		}
	}
}

func breaks(t *testing.T, list string) []Tiebreak {
	t.Helper()
	parsed, err := ParseTiebreaks(list)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestParseTiebreaks(t *testing.T) {
	if got := breaks(t, "direct, buchholz-cut1"); !slices.Equal(got, []Tiebreak{Direct, BuchholzCut1}) {
		t.Errorf("found %v", got)
	}
	for list, want := range map[string]string{
		"direkt": `found "direkt", expected some of direct, buchholz,`, "wins,wins": "found wins twice", "wins,": `found ""`,
	} {
		if _, err := ParseTiebreaks(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", list, err, want)
		}
	}
}

// TestWhy: the last comparison is the one that decided.
func TestWhy(t *testing.T) {
	s := tally(protocols.ByWins, "a 3, b 1", "a 1, b 3", "a 2, b 1", "b 2, a 1", "c 0, a 1", "c 0, b 1 time").Standings(nil)
	row := func(bot string) *Row {
		return &s.Rows[slices.IndexFunc(s.Rows, func(r Row) bool { return r.Bot == bot })]
	}
	// a and b: 3 match points, 8 points, 2 of 4 among themselves; b failed once.
	got := fmt.Sprint(s.Why(row("a"), row("b")))
	if want := "[{match-points 0 3 3} {points 0 8 8} {direct 0 2 2} {failures 1 0 1}]"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
	if got, want := fmt.Sprint(s.Why(row("c"), row("b"))), "[{match-points -1 0 3}]"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
}
