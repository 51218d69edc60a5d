package standings

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/record"
)

// played makes the brief of a match: "alice 7, bob 3 time" are the scores, seat
// 1 first; places follow from them.
func played(block int, text string) *record.Summary {
	b := &record.Summary{Game: "toy", PairingKey: uint64(block), Key: record.Key(fmt.Sprint(block, text))}
	for part := range strings.SplitSeq(text, ", ") {
		s := record.SummarySeat{Verdict: "ok", Replies: 2, WallUS: 10, SlowestUS: 7}
		var score string
		fmt.Sscan(part, &s.Bot, &score, &s.Verdict)
		s.Score, _ = protocols.ParseScore(score)
		b.Seats = append(b.Seats, s)
	}
	for i := range b.Seats {
		b.Seats[i].Place = 1
		for _, o := range b.Seats {
			if o.Score.Compare(b.Seats[i].Score) > 0 {
				b.Seats[i].Place++
			}
		}
	}
	return b
}

func tally(rank protocols.Rank, matches ...string) *Tally {
	t := NewTally(rank)
	for i, m := range matches {
		t.Add(played(i, m))
	}
	return t
}

func ranking(s Standings) string {
	var out []string
	for _, r := range s.Rows {
		text := fmt.Sprintf("%d %s", r.Rank, r.Bot)
		if r.Tied {
			text += "="
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name    string
		rank    protocols.Rank
		matches []string
		want    string
	}{
		{"points", protocols.ByPoints, []string{"a 9, b 1", "a 1, b 2", "b 2, a 1"}, "1 a, 2 b"},
		{"match points", protocols.ByWins, []string{"a 9, b 1", "a 1, b 2", "b 2, a 1"}, "1 b, 2 a"},
		{"match points, then scores", protocols.ByWins, []string{"a 9, b 1", "a 1, b 2"}, "1 a, 2 b"},
		{"scores, then firsts", protocols.ByPlaces, []string{"a 3, b 2, c 1", "a 0, b 1, c 1", "c 1, b 0, a 0"}, "1 c, 2 a=, 2 b="},
		{"head to head", protocols.ByPoints, []string{"a 1, b 2", "c 2, a 3", "b 2, c 1"}, "1 b, 2 a, 3 c"},
		{"fewer failures", protocols.ByPoints, []string{"a 1, b 1 time"}, "1 a, 2 b"},
		{"a tie that remains", protocols.ByWins, []string{"b 1, a 1", "c 0, a 1", "c 0, b 1"}, "1 a=, 1 b=, 3 c"},
		{"uneven", protocols.ByPoints, []string{"a 3, b 1", "b 1, a 3", "c 4, b 1"}, "1 c, 2 a, 3 b"},
	} {
		if got := ranking(tally(c.rank, c.matches...).Standings(nil)); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
	rounds := &Ordering{Rounds: map[Bot]RoundFigures{{Name: "b"}: {Reached: 1}, {Name: "a"}: {}}}
	if got := ranking(tally(protocols.ByPoints, "a 9, b 1").Standings(rounds)); got != "1 b, 2 a" {
		t.Errorf("rounds: %s", got)
	}
}

// TestMeanMove: the mean and the slowest are of the same requests: those that were
// answered, and those on which the time ran out.
func TestMeanMove(t *testing.T) {
	b := played(1, "a 0 crash, b 1 time")
	b.Seats[0].Replies, b.Seats[0].WallUS, b.Seats[0].LostUS, b.Seats[0].SlowestUS = 2, 906, 900, 4
	b.Seats[1].Replies, b.Seats[1].WallUS, b.Seats[1].Late, b.Seats[1].SlowestUS, b.Seats[1].RanOut = 3, 100, 1, 94, true
	tl := NewTally(protocols.ByWins)
	tl.Add(b)
	for _, r := range tl.Standings(nil).Rows {
		if want := map[string]float64{"a": 3, "b": 25}[r.Bot]; r.MeanUS != want {
			t.Errorf("%s: found a mean of %v µs, expected %v", r.Bot, r.MeanUS, want)
		}
	}
}

func TestCounts(t *testing.T) {
	tl := tally(protocols.ByWins, "a 7, b 3 time", "b 5, a 5", "a 1 foul, b 2")
	failed := played(9, "a 0, b 0")
	failed.Failed = true
	tl.Add(failed)
	tl.Add(played(0, "a 7, b 3 time"))
	tl.Expect(Bot{Name: "c"}, "", "")
	s := tl.Standings(nil)
	if s.Matches != 3 || s.Failed != 1 || s.Duplicates != 1 || !s.Uneven {
		t.Errorf("%+v", s)
	}
	a := s.Rows[0]
	if a.Bot != "a" || a.Played != 3 || a.Won != 1 || a.Drawn != 1 || a.Lost != 1 || a.MatchPoints != 1.5 || a.Points != protocols.Points(13) ||
		a.Against != 10 || a.Difference != 3 || a.Failures["foul"] != 1 || a.Failed != 1 || a.MeanUS != 5 || a.SlowestUS != 7 {
		t.Errorf("a: %+v", a)
	}
	if c := s.Rows[2]; c.Bot != "c" || c.Rank != 3 || c.Rating != nil {
		t.Errorf("c: %+v", c)
	}
	if d := s.Pairs[0]; d != (HeadToHead{Bot: "a", Opponent: "b", Played: 3, Won: 1, Drawn: 1, Lost: 1, Points: protocols.Points(13), Against: protocols.Points(10), Observations: 3, Cases: 3}) {
		t.Errorf("pair: %+v", d)
	}
	failed.Failed = false
	tl.Add(failed)
	if s := tl.Standings(nil); s.Matches != 4 || s.Failed != 0 {
		t.Errorf("played again: %+v", s)
	}
}

// seatings are all ways in which so many of the bots can take the seats.
func seatings(bots, seats int) (tables [][]int) {
	if seats == 0 {
		return [][]int{nil}
	}
	for _, table := range seatings(bots, seats-1) {
		for bot := range bots {
			if !slices.Contains(table, bot) {
				tables = append(tables, append(slices.Clone(table), bot))
			}
		}
	}
	return tables
}

// TestAnyOrder: the order of the records makes no difference at all.
func TestAnyOrder(t *testing.T) {
	for _, seats := range []int{2, 3} {
		rng := rand.New(rand.NewPCG(1, uint64(seats)))
		var all []*record.Summary
		for _, table := range seatings(5, seats) {
			for c := range 7 {
				var text []string
				for _, bot := range table {
					text = append(text, fmt.Sprintf("%c %d", 'a'+bot, rng.IntN(4)))
				}
				all = append(all, played(c, strings.Join(text, ", ")))
			}
		}
		var first string
		for range 20 {
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			tl := NewTally(protocols.ByWins)
			for _, b := range all {
				tl.Add(b)
			}
			text, err := json.Marshal(tl.Standings(nil))
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(text)
			}
			if string(text) != first {
				t.Fatalf("%d seats: found\n%s, before\n%s", seats, text, first)
			}
		}
	}
}

// TestElo: the ratings are those of the formula, and mirrored matches are one
// observation.
func TestElo(t *testing.T) {
	tl := NewTally(protocols.ByWins)
	const n = 10_000
	for i := range n { // a wins 3 of 4, both ways round
		a := 1
		if i%4 == 0 {
			a = -1
		}
		tl.Add(played(i, fmt.Sprintf("a %d, b 0", a)))
		tl.Add(played(i, fmt.Sprintf("b 0, a %d", a)))
	}
	s := tl.Standings(nil)
	a, b := s.Rows[0].Rating, s.Rows[1].Rating
	if d := a.Value - b.Value; math.Abs(d-190.85) > 0.2 {
		t.Errorf("difference %.2f, expected 190.85", d)
	}
	if s.Pairs[0].Observations != n {
		t.Errorf("%d observations, expected %d", s.Pairs[0].Observations, n)
	}
	want := 1.96 * 400 / math.Ln10 / math.Sqrt(n*0.75*0.25) / 2 // half of the difference's
	if half := *a.High - a.Value; math.Abs(half-want) > 0.11 {
		t.Errorf("±%.2f, expected %.2f", half, want)
	}
}

// TestEloOfAll: who wins everything has a finite rating, and bots that met only
// through others are compared.
func TestEloOfAll(t *testing.T) {
	s := tally(protocols.ByWins, "a 1, b 0", "a 1, b 0", "c 1, d 0", "b 1, c 0").Standings(nil)
	sum := 0.0
	for _, r := range s.Rows {
		if math.IsNaN(r.Rating.Value) || math.Abs(r.Rating.Value-1500) > 400 || *r.Rating.High <= r.Rating.Value {
			t.Errorf("%s: %+v", r.Bot, r.Rating)
		}
		sum += r.Rating.Value
	}
	if math.Abs(sum-6000) > 0.3 {
		t.Errorf("mean %.2f, expected 1500", sum/4)
	}
}

// TestMean: of more seats, the mean has an interval that comes from the cases.
func TestMean(t *testing.T) {
	tl := NewTally(protocols.ByPlaces)
	for block, x := range []int{2, 4, 6} {
		for _, table := range seatings(3, 3) {
			var text []string
			for _, bot := range table {
				text = append(text, fmt.Sprintf("%c %d", 'a'+bot, x*bot))
			}
			tl.Add(played(block, strings.Join(text, ", ")))
		}
	}
	m := tl.Standings(nil).Rows[0].Mean
	want := 4.303 * math.Sqrt(16.0/3) // t(2) times sd 4 over the root of 3 cases
	if m.Value != 8 || math.Abs(*m.High-8-want) > 0.001 || math.Abs(8-*m.Low-want) > 0.001 {
		t.Errorf("%v ± %v, expected 8 ± %.3f", m.Value, *m.High-m.Value, want)
	}
	if m := tally(protocols.ByPlaces, "a 1, b 2, c 3").Standings(nil).Rows[0].Mean; m.Value != 3 || m.Low != nil {
		t.Errorf("one observation: %+v", m)
	}
}

// TestTwoPrograms: results of two programs of one name are kept apart.
func TestTwoPrograms(t *testing.T) {
	tl := NewTally(protocols.ByWins)
	for i, digest := range []string{"0123456789", "abcdef"} {
		b := played(i, "a 1, b 0")
		b.Seats[0].Digest = digest
		tl.Add(b)
	}
	if got := ranking(tl.Standings(nil)); got != "1 a#01234567=, 1 a#abcdef=, 3 b" {
		t.Error(got)
	}
}

// A bot gains nothing by matches against itself, unless somebody else sits there too.
func TestOwnMatches(t *testing.T) {
	s := tally(protocols.ByWins, "a 7, b 3", "b 9, b 1", "b 9, b 1", "b 1, b 0, a 2").Standings(nil)
	if s.Own != 2 || s.Matches != 4 || s.Rows[0].Bot != "a" || s.Rows[0].Won != 2 || s.Rows[1].Played != 3 || s.Rows[1].Won != 0 {
		t.Errorf("found %+v", s)
	}
}

func BenchmarkAdd(b *testing.B) {
	t := NewTally(protocols.ByWins)
	var all []*record.Summary
	for i := range 1000 {
		all = append(all, played(i, "a 1, b 0"), played(i, "b 0, a 1"))
	}
	b.ReportAllocs()
	n := uint64(0)
	for b.Loop() {
		r := all[n%2000]
		n++
		r.Key = n
		t.Add(r)
	}
}
