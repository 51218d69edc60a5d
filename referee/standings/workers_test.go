package standings

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// onWorkers is a round robin of bots on cases, both orders of a pair on one
// worker: strength is how probable a bot's win is there, times anything.
func onWorkers(seed uint64, bots, cases int, worker func(r *rand.Rand, c int) string, strength func(bot int, worker string) float64) *Tally {
	r := rand.New(rand.NewPCG(seed, 1))
	t := NewTally(protocols.ByWins)
	for c := range cases {
		for a := range bots {
			for b := range a {
				on := worker(r, c)
				for _, seats := range [][2]int{{a, b}, {b, a}} {
					first := r.Float64()*(strength(seats[0], on)+strength(seats[1], on)) < strength(seats[0], on)
					m := played(c+1, fmt.Sprintf("bot%d %d, bot%d %d", seats[0], btoi(first), seats[1], btoi(!first)))
					m.Worker, m.Isolation = on, "box"
					t.Add(m)
				}
			}
		}
	}
	return t
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func anyOf(names ...string) func(*rand.Rand, int) string {
	return func(r *rand.Rand, _ int) string { return names[r.IntN(len(names))] }
}

// TestNoWorkerEffect: where workers make no difference, hardly any tournament
// is said to show one: about one in a hundred.
func TestNoWorkerEffect(t *testing.T) {
	runs := testlevel.Times(20, 100, 100)
	for name, worker := range map[string]func(*rand.Rand, int) string{
		"alike": anyOf("a", "b", "c"),
		"one late": func(r *rand.Rand, c int) string {
			if c < 8 {
				return anyOf("a", "b")(r, c)
			}
			return anyOf("a", "b", "c")(r, c)
		},
	} {
		found := 0
		for seed := range uint64(runs) {
			s := onWorkers(seed, 5, 12, worker, func(bot int, _ string) float64 { return float64(1 + bot) }).Standings(nil)
			found += btoi(len(s.WorkerEffects) > 0)
		}
		if found > max(2, runs/20) {
			t.Errorf("%s: %d of %d tournaments show an effect, expected about 1", name, found, runs)
		}
	}
}

// TestLateWorker: a worker that has played other cases than the rest, on which
// bots do otherwise, is not said to change results.
func TestLateWorker(t *testing.T) {
	for seed := range uint64(20) {
		c := 0
		worker := func(r *rand.Rand, at int) string {
			c = at
			if at < 10 {
				return anyOf("a", "b")(r, at)
			}
			return anyOf("a", "b", "late", "late")(r, at)
		}
		strength := func(bot int, _ string) float64 {
			if c >= 10 && bot == 0 {
				return 20 // bot0 is good at the later cases
			}
			return 1
		}
		if s := onWorkers(seed, 5, 20, worker, strength).Standings(nil); len(s.WorkerEffects) > 0 {
			t.Errorf("seed %d: found %+v, expected none", seed, s.WorkerEffects)
		}
	}
}

// TestWorkerEffect: a worker on which one bot fails is found, and the bot.
func TestWorkerEffect(t *testing.T) {
	tally := onWorkers(1, 5, 20, anyOf("a", "b", "slow"), func(bot int, worker string) float64 {
		if bot == 4 && worker == "slow" {
			return 0.05
		}
		return 1
	})
	s := tally.Standings(nil)
	if len(s.WorkerEffects) != 1 {
		t.Fatalf("found %+v, expected one effect", s.WorkerEffects)
	}
	e := s.WorkerEffects[0]
	if e.Worker != "slow" || e.Other != "" || e.Bot != "bot4" || e.Here > 0.15 || e.Elsewhere < 0.35 || e.P > 1e-4 {
		t.Errorf("found %+v, expected bot4 on slow, with a twentieth of its strength", e)
	}
	if len(s.Workers) != 3 || s.Workers[2].Worker != "slow" || s.Isolation != nil {
		t.Errorf("found workers %+v, isolation %+v", s.Workers, s.Isolation)
	}
}

// TestWorkerEffectOfTables is the same with three seats.
func TestWorkerEffectOfTables(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	tally := NewTally(protocols.ByPlaces)
	for c := range 30 {
		for out := range 4 { // of four bots, one has no seat
			on := []string{"a", "slow"}[r.IntN(2)]
			for _, seats := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				var parts []string
				for _, bot := range seats {
					bot = (bot + out + 1) % 4
					score := r.IntN(100)
					if bot == 1 && on == "slow" {
						score /= 10
					}
					parts = append(parts, fmt.Sprintf("bot%d %d", bot, score))
				}
				m := played(c+1, strings.Join(parts, ", "))
				m.Worker = on
				tally.Add(m)
			}
		}
	}
	s := tally.Standings(nil)
	if !slices.ContainsFunc(s.WorkerEffects, func(e WorkerEffect) bool {
		return e.Bot == "bot1" && e.Worker == "a" && e.Other == "slow" && e.Here > e.Elsewhere
	}) {
		t.Errorf("found %+v, expected bot1 on a and slow", s.WorkerEffects)
	}
}

// TestLevels: levels are listed where they differ; records without one, as those
// made by hand, are not counted.
func TestLevels(t *testing.T) {
	tally := NewTally(protocols.ByPoints)
	for i, level := range []string{"box", "strict", "", "strict"} {
		m := played(i, "a 1, b 0")
		m.Isolation = level
		tally.Add(m)
	}
	found := tally.Standings(nil).Isolation
	if want := []Level{{"strict", 2}, {"box", 1}}; !slices.Equal(found, want) {
		t.Errorf("found %v, expected %v", found, want)
	}
	again := NewTally(protocols.ByPoints)
	m := record.Summary{Game: "toy", Isolation: "box", Seats: played(0, "a 1, b 0").Seats}
	again.Add(&m)
	if found := again.Standings(nil).Isolation; found != nil {
		t.Errorf("one level: found %v, expected none", found)
	}
}
