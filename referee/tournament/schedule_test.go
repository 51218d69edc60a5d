package tournament

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"umpire/protocols"
	"umpire/referee/standings"
	"umpire/referee/strength"
	"umpire/referee/testlevel"
)

// TestTables: every bot sits in every seat equally often, every two share
// equally many tables, nobody plays itself, no seating comes twice.
func TestTables(t *testing.T) {
	for seats := 1; seats <= 5; seats++ {
		for bots := max(seats, 2); bots <= testlevel.Times(13, 18, 18); bots++ {
			all, n := Tables(bots, seats)
			tables := slices.Collect(all)
			if len(tables) != n {
				t.Errorf("%d bots, %d seats: %d tables, said to be %d", bots, seats, len(tables), n)
			}
			checkBalance(t, fmt.Sprintf("%d bots, %d seats", bots, seats), bots, tables)
			if t.Failed() {
				return
			}
		}
	}
}

func checkBalance(t *testing.T, name string, bots int, tables [][]int) {
	t.Helper()
	seat, pair, seen := map[[2]int]int{}, map[[2]int]int{}, map[string]bool{}
	for _, table := range tables {
		if key := fmt.Sprint(table); seen[key] {
			t.Errorf("%s: seating %s twice", name, key)
		} else {
			seen[key] = true
		}
		for i, a := range table {
			seat[[2]int{a, i}]++
			for j, b := range table {
				if i != j && a == b {
					t.Errorf("%s: %v plays itself", name, table)
				} else if i != j {
					pair[[2]int{a, b}]++
				}
			}
		}
	}
	seats := len(tables[0])
	for a := range bots {
		for i := range seats {
			if want := len(tables) / bots; seat[[2]int{a, i}] != want {
				t.Errorf("%s: bot %d sits %d times in seat %d, expected %d", name, a, seat[[2]int{a, i}], i+1, want)
			}
		}
		for b := range bots {
			want := len(tables) * seats * (seats - 1) / bots / (bots - 1)
			if got := pair[[2]int{a, b}]; a != b && got != want {
				t.Errorf("%s: bots %d and %d meet %d times, expected %d", name, a, b, got, want)
			}
		}
	}
}

// TestTablesAreFew: the schedules stay small where small ones exist.
func TestTablesAreFew(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for _, c := range []struct{ bots, seats, most int }{
		{4, 4, 4}, {5, 4, 5}, {6, 4, 30}, {7, 4, 7}, {8, 4, 56}, {13, 4, 13}, {16, 4, 160}, {20, 4, 380}, {7, 3, 7}, {24, 4, 600}, {MaxBots, 4, 3300},
	} {
		if _, n := Tables(c.bots, c.seats); n > c.most {
			t.Errorf("%d bots in %d seats: %d tables, expected at most %d", c.bots, c.seats, n, c.most)
		}
	}
}

func plan(format Format, bots, seats, plays int) Plan {
	texts := make([]string, plays)
	for i := range texts {
		texts[i] = fmt.Sprint(i)
	}
	return Plan{Format: format, Bots: bots, Seats: seats, Challengers: 1, Plays: Plays(texts, 0, 1)}
}

// TestRoundRobin: each pair exactly once per case and order.
func TestRoundRobin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bots, cases := rapid.IntRange(2, 12).Draw(t, "bots"), rapid.IntRange(1, 5).Draw(t, "cases")
		p := plan(RoundRobin, bots, 2, cases)
		must(t, p.Check())
		round, ok := p.Next(nil)
		seen := map[string]int{}
		n := 0
		for m := range round.Matches {
			seen[fmt.Sprint(m.CaseRepetition, m.Bots)]++
			n++
		}
		if want := bots * (bots - 1) * cases; !ok || len(seen) != want || n != want || round.Len != want {
			t.Fatalf("%d different matches of %d, Len %d, expected %d", len(seen), n, round.Len, want)
		}
		if _, more := p.Next([][]standings.Meeting{nil}); more {
			t.Fatal("a second round")
		}
	})
}

func TestGauntlet(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		p := plan(Gauntlet, 7, seats, 2)
		p.Challengers = 2
		must(t, p.Check())
		round, _ := p.Next(nil)
		met, seat, n := map[[2]int]int{}, map[[2]int]int{}, 0
		for m := range round.Matches {
			n++
			for i, a := range m.Bots {
				seat[[2]int{a, i}]++
				for _, b := range m.Bots {
					met[[2]int{a, b}]++
				}
			}
		}
		if n != round.Len || met[[2]int{0, 1}] != 0 {
			t.Errorf("%d seats: %d matches, Len %d; challengers met %d times", seats, n, round.Len, met[[2]int{0, 1}])
		}
		for bot := range 7 {
			for i := range seats {
				if seat[[2]int{bot, i}] != seat[[2]int{bot, 0}] {
					t.Errorf("%d seats: bot %d sits unevenly: %v", seats, bot, seat)
				}
			}
			if bot >= 2 && (met[[2]int{0, bot}] == 0 || met[[2]int{0, bot}] != met[[2]int{1, 2}]) {
				t.Errorf("%d seats: bot %d met the first %d times", seats, bot, met[[2]int{0, bot}])
			}
		}
	}
}

func TestPlays(t *testing.T) {
	texts := []string{"a", "b", "a", "c"}
	if got, want := fmt.Sprint(Plays(texts, 0, 1)), "[{0 1} {1 1} {2 2} {3 1}]"; got != want {
		t.Errorf("all: %s, expected %s", got, want)
	}
	if got := Plays(texts, 6, 1); len(got) != 6 || fmt.Sprint(got[:4]) != fmt.Sprint(Plays(texts, 4, 1)) {
		t.Errorf("6 of 4: %v", got)
	}
	seen := map[string]bool{}
	for _, p := range Plays(texts, 11, 7) {
		key := fmt.Sprint(texts[p.Case], p.Repetition)
		if seen[key] {
			t.Errorf("%s twice", key)
		}
		seen[key] = true
	}
	if a, b := fmt.Sprint(Plays(texts, 2, 5)), fmt.Sprint(Plays(texts, 2, 5)); a != b {
		t.Errorf("the same seed drew %s and %s", a, b)
	}
}

// finish plays a tournament in rounds: outcome decides the encounters.
func finish(p Plan, outcome func(strength.Pair) standings.Meeting) (rounds [][]standings.Meeting) {
	for {
		round, ok := p.Next(rounds)
		if !ok {
			return rounds
		}
		var done []standings.Meeting
		for _, pair := range round.Pairs {
			e := standings.Meeting{Pair: pair}
			if pair.B != standings.Bye {
				e = outcome(pair)
			}
			done = append(done, e)
		}
		rounds = append(rounds, done)
	}
}

func stronger(pair strength.Pair) standings.Meeting {
	e := standings.Meeting{Pair: pair, Wins: [2]int{4, 0}, Scores: [2]protocols.Score{protocols.Points(2), protocols.Points(0)}}
	if pair.A > pair.B {
		e.Wins, e.Scores = [2]int{0, 4}, [2]protocols.Score{protocols.Points(0), protocols.Points(2)}
	}
	return e
}

func TestSwiss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bots := rapid.IntRange(2, 17).Draw(t, "bots")
		rounds := rapid.IntRange(1, 20).Draw(t, "rounds")
		seed := rapid.Uint64().Draw(t, "seed")
		p := plan(Swiss, bots, 2, 2)
		p.Rounds = rounds
		play := func() [][]standings.Meeting {
			rng := rand.New(rand.NewPCG(seed, 0))
			return finish(p, func(pair strength.Pair) standings.Meeting {
				return standings.Meeting{Pair: pair, Wins: [2]int{rng.IntN(3), rng.IntN(3)}}
			})
		}
		done := play()
		if fmt.Sprint(done) != fmt.Sprint(play()) {
			t.Fatal("the same results gave other pairings")
		}
		if len(done) != rounds {
			t.Fatalf("%d rounds, expected %d", len(done), rounds)
		}
		met, byes := map[strength.Pair]int{}, map[int]int{}
		for n, round := range done {
			seen := map[int]bool{}
			for _, e := range round {
				if e.A == e.B || seen[e.A] || seen[e.B] {
					t.Fatalf("round %d: %v", n, round)
				}
				seen[e.A] = true
				if e.B == standings.Bye {
					byes[e.A]++
					continue
				}
				seen[e.B] = true
				met[strength.Pair{A: min(e.A, e.B), B: max(e.A, e.B)}]++
			}
			if len(seen) != bots {
				t.Fatalf("round %d leaves bots out: %v", n, round)
			}
		}
		for pair, n := range met {
			if rounds <= bots/2 && n > 1 {
				t.Fatalf("%v met %d times in %d rounds of %d bots", pair, n, rounds, bots)
			}
		}
		for bot, n := range byes {
			if rounds <= bots && n > 1 {
				t.Fatalf("bot %d had %d byes in %d rounds", bot, n, rounds)
			}
		}
	})
}

// TestRematch: a pair that meets again plays matches that differ.
func TestRematch(t *testing.T) {
	p := plan(Swiss, 2, 2, 2)
	p.Rounds = 3
	seen := map[string]bool{}
	var done [][]standings.Meeting
	for range 3 {
		round, _ := p.Next(done)
		for m := range round.Matches {
			if key := fmt.Sprint(m); seen[key] {
				t.Errorf("%s again", key)
			} else {
				seen[key] = true
			}
		}
		done = append(done, []standings.Meeting{stronger(round.Pairs[0])})
	}
	if len(seen) != 12 {
		t.Errorf("%d matches, expected 12", len(seen))
	}
}

func TestKnockout(t *testing.T) {
	for bots := 2; bots <= 33; bots++ {
		p := plan(Knockout, bots, 2, 1)
		done := finish(p, stronger)
		losses := map[int]int{}
		for _, round := range done {
			for _, e := range round {
				if e.B != standings.Bye {
					losses[e.A+e.B-e.Winner(p.Rank)]++
				}
			}
		}
		if losses[0] != 0 || len(losses) != bots-1 {
			t.Errorf("%d bots: losses %v", bots, losses)
		}
		last := done[len(done)-1]
		if final := last[0].Pair; len(last) != 1 || final.A+final.B != 1 {
			t.Errorf("%d bots: the final is %v, expected the first two seeds", bots, last)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{plan("ladder", 3, 2, 1), "round-robin, gauntlet, swiss or knockout"},
		{plan(RoundRobin, 1, 2, 1), "2 bots or more, found 1"},
		{plan(RoundRobin, 3, 4, 1), "3 bots for 4 seats"},
		{plan(Swiss, 5, 4, 1), "is for two"},
		{plan(Gauntlet, 3, 2, 1), ""},
		{plan(RoundRobin, MaxBots+1, 4, 1), "at most 100"},
		{plan(RoundRobin, 10_000, 2, 25), "a round-robin tournament takes 2499750000 matches, expected at most 10000000"},
		{plan(RoundRobin, 1_000_000_000, 2, 1), "takes 999999999000000000 matches"},
		{plan(RoundRobin, 632, 2, 25), ""},
		{plan(RoundRobin, 634, 2, 25), "takes 10033050 matches"},
		{plan(Swiss, 10_000, 2, 25), ""},
		{plan(Swiss, 100_000, 2, 25), "takes 42500000 matches"},
		{plan(Knockout, 10_000, 2, 25), ""},
		{Plan{Format: Gauntlet, Bots: 10_000, Seats: 2, Challengers: 5000, Plays: Plays([]string{"a"}, 0, 1)}, "takes 50000000 matches"},
		{Plan{Format: Gauntlet, Bots: 3, Seats: 2, Challengers: 3}, "--challengers: found 3, "},
	} {
		err := c.plan.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, expected %q", c.plan, err, c.want)
		}
	}
}

// TestSwissFigures: four rounds of five bots, computed by hand. The bot on the left
// of each meeting wins, but the meeting marked =, a tie.
func TestSwissFigures(t *testing.T) {
	bye := standings.Bye
	round := func(pairs ...[3]int) (list []standings.Meeting) {
		for _, p := range pairs {
			list = append(list, standings.Meeting{Pair: strength.Pair{A: p[0], B: p[1]}, Played: 2, Wins: [2]int{p[2], 4 - p[2]}})
		}
		return list
	}
	done := [][]standings.Meeting{
		round([3]int{0, 2, 4}, [3]int{1, 3, 4}, [3]int{4, bye, 0}),
		round([3]int{0, 1, 4}, [3]int{4, 2, 2}, [3]int{3, bye, 0}), // 4 and 2 tie
		round([3]int{0, 4, 4}, [3]int{1, 2, 4}, [3]int{3, bye, 0}),
		round([3]int{0, 3, 4}, [3]int{1, 4, 4}, [3]int{2, bye, 0}),
	}
	// In halves: 0 has 8, 1 has 6, 2 has 1+2 = 3, 3 has 4, 4 has 2+1 = 3.
	//
	// The byes: 4 in round 1 with 0 points before and three rounds to go: 3; 3 in
	// round 2 with 0 points and two to go: 2, and in round 3 with 2 points and one to
	// go: 3; 2 in round 4 with 1 point: 1.
	want := []standings.RoundFigures{
		{Reached: 8, Buchholz: 3 + 6 + 3 + 4, BuchholzCut1: 6 + 3 + 4, SonnebornBerger: 2 * (3 + 6 + 3 + 4)},
		{Reached: 6, Buchholz: 4 + 8 + 3 + 3, BuchholzCut1: 4 + 8 + 3, SonnebornBerger: 2 * (4 + 3 + 3)},
		{Reached: 3, Buchholz: 8 + 3 + 6 + 1, BuchholzCut1: 8 + 3 + 6, SonnebornBerger: 3 + 2*1},
		{Reached: 4, Buchholz: 6 + 2 + 3 + 8, BuchholzCut1: 6 + 3 + 8, SonnebornBerger: 2 * (2 + 3)},
		{Reached: 3, Buchholz: 3 + 3 + 8 + 6, BuchholzCut1: 3 + 8 + 6, SonnebornBerger: 2*3 + 3},
	}
	if diff := cmp.Diff(want, SwissFigures(5, protocols.ByWins, done)); diff != "" {
		t.Error(diff)
	}
}

// TestByesAreSpread: nobody has two byes more than another, also in more rounds
// than bots.
func TestByesAreSpread(t *testing.T) {
	for _, bots := range []int{3, 5, 7, 13, 15} {
		p := plan(Swiss, bots, 2, 1)
		p.Rounds = 3 * bots
		byes := make([]int, bots)
		for _, round := range finish(p, stronger) {
			for _, e := range round {
				if e.B == standings.Bye {
					byes[e.A]++
				}
			}
			if slices.Max(byes)-slices.Min(byes) > 1 {
				t.Fatalf("%d bots: byes %v", bots, byes)
			}
		}
	}
}

// must ends the test if what it needs has failed.
func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
