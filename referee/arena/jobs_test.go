package arena

import (
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// TestAffinity: bots that take turns share a processor, which their match has
// for itself if there are enough; bots that think all the time have one each, or
// are not played unless the user gives up pinning.
func TestAffinity(t *testing.T) {
	turns := protocols.Game{MinSeats: 2, MaxSeats: 2}
	at := protocols.Game{MinSeats: 2, MaxSeats: 2, Simultaneous: true}
	four := []int{0, 1, 2, 3}
	for _, c := range []struct {
		name      string
		game      protocols.Game
		pondering referee.Pondering
		jobs      int
		cpus      []int
		pin       bool
		want      Affinity
	}{
		{"turns", turns, referee.PonderFreeze, 4, four, true, Affinity{CPUs: four, Spread: 1}},
		{"turns, unpinned", turns, referee.PonderFreeze, 4, four, false, Affinity{}},
		{"turns, more jobs than processors", turns, referee.PonderFreeze, 5, four, true, Affinity{}},
		{"pondering", turns, referee.PonderAllow, 2, four, true, Affinity{CPUs: four, Spread: 2}},
		{"pondering, one processor for two", turns, referee.PonderAllow, 3, four, true, Affinity{Contended: true}},
		{"pondering, unpinned", turns, referee.PonderAllow, 3, four, false, Affinity{Contended: true}},
		{"pondering, processors unknown", turns, referee.PonderAllow, 3, nil, true, Affinity{}},
		{"simultaneous moves", at, referee.PonderFreeze, 2, four, true, Affinity{}},
	} {
		got := LoadOf(c.game, c.pondering, 2).Affinity(c.jobs, c.cpus, c.pin)
		if !slices.Equal(got.CPUs, c.want.CPUs) || got.Spread != c.want.Spread || got.Contended != c.want.Contended {
			t.Errorf("%s: found %+v, expected %+v", c.name, got, c.want)
		}
	}
	l := LoadOf(turns, referee.PonderAllow, 2)
	if n := l.Jobs(5); n != 2 {
		t.Errorf("found %d jobs for 5 processors, expected 2", n)
	}
	if n := l.Jobs(1); n != 1 {
		t.Errorf("found %d jobs for 1 processor, expected 1", n)
	}
	if n := l.Most(sandbox.Room{Programs: 7}); n != 3 {
		t.Errorf("found %d matches in room for 7 contestants, expected 3", n)
	}
}
