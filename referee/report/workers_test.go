package report

import (
	"slices"
	"testing"

	"umpire/referee/standings"
)

// TestPlaceNotes: footnotes name levels that differ, and the first of the
// workers that change results.
func TestPlaceNotes(t *testing.T) {
	st := standings.Standings{Isolation: []standings.Level{{Isolation: "strict", Matches: 12}, {Isolation: "box", Matches: 1}}}
	for range 5 {
		st.WorkerEffects = append(st.WorkerEffects, standings.WorkerEffect{Worker: "lab", Bot: "alice", Here: 0.125, Elsewhere: 0.5, P: 0.00042})
	}
	effect := "Worker lab changes results: bot alice has 12 % of the match points there, and 50 % in the same pairs on other workers (p = 0.00042)."
	st.WorkerEffects[2].Other = "hall"
	want := []string{
		"The matches were played at different levels of isolation: 12 matches at strict, 1 match at box.",
		effect, effect,
		"Workers lab and hall give different results: bot alice has 12 % of the match points on lab, and 50 % in the same pairs on hall (p = 0.00042).",
		"There are 2 more such workers.",
	}
	if found := placeNotes(&st); !slices.Equal(found, want) {
		t.Errorf("found %q, expected %q", found, want)
	}
	if found := placeNotes(&standings.Standings{}); found != nil {
		t.Errorf("found %q, expected nothing", found)
	}
}

// TestCommonLevel: what all matches have in common is named, and several levels
// as mixed.
func TestCommonLevel(t *testing.T) {
	level := func(names ...string) (list []standings.Level) {
		for _, name := range names {
			list = append(list, standings.Level{Isolation: name, Matches: 1})
		}
		return list
	}
	for _, c := range []struct {
		list []standings.Level
		want string
	}{{nil, "strict"}, {level("box"), "box"}, {level("box", "none"), "mixed"}} {
		if got := CommonLevel(c.list, "strict"); got != c.want {
			t.Errorf("%v: found %s, expected %s", c.list, got, c.want)
		}
	}
}
