package patolli

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"umpire/referee/testlevel"
)

// published are the lines that the contest published, with their results.
func published() (lines, results []string) {
	const table = `4 14 24 1 8 12 6 6 3 5 1 5 6 → 13 15 18
14 28 31 10 20 24 7 6 6 5 5 6 2 4 → 26 29 30
5 30 33 3 20 24 8 6 6 6 5 6 3 4 6 → 20 23 24
4 11 15 2 8 20 5 5 2 5 1 6 → 14 16 20
45 50 48 42 46 40 6 3 2 6 5 4 1 → 44 46 47
37 41 47 35 43 48 6 5 5 6 5 4 2 → 49 50
13 29 39 15 21 31 10 4 5 2 4 6 6 5 5 6 5 → 34 35 36
43 47 40 28 30 32 10 5 3 2 6 1 5 2 6 3 2 → 37 38 39
1 5 10 2 12 8 12 5 5 4 4 3 3 2 2 1 1 6 6 → 9 11 12
20 25 15 30 18 24 16 6 6 4 5 2 1 6 4 2 3 6 5 4 5 3 1 → 32 33 35`
	for row := range strings.SplitSeq(table, "\n") {
		line, result, _ := strings.Cut(row, " → ")
		lines, results = append(lines, line), append(results, result)
	}
	return lines, results
}

func parseLine(t testing.TB, text string) Line {
	t.Helper()
	l, fault := ParseLine(text)
	if fault != nil {
		t.Fatal(fault)
	}
	return l
}

func TestPublished(t *testing.T) {
	lines, results := published()
	for i, text := range lines {
		l := parseLine(t, text)
		if end := l.Play(); end.String() != results[i] {
			t.Errorf("%s: %s, want %s", text, end.String(), results[i])
		}
	}
}

// positionOf places markers.
func positionOf(opponent, player []int) (p Position) {
	for _, l := range opponent {
		p.opponent |= 1 << l
	}
	for _, l := range player {
		p.player |= 1 << l
	}
	return p
}

// TestRoll has rows for every rule.
func TestRoll(t *testing.T) {
	type locations = []int
	for _, test := range []struct {
		name             string
		opponent, player locations
		roll             int
		want             Move
		after            string
	}{
		{"beyond the grid", locations{1, 2, 3}, locations{50}, 3, Move{50, 50, Beyond}, "50"},
		{"onto an own marker", locations{1, 2, 3}, locations{20, 24}, 4, Move{20, 20, Taken}, "20 24"},
		{"onto the opponent", locations{1, 2, 24}, locations{20}, 4, Move{20, 20, Taken}, "20"},
		{"onto an occupied prime", locations{1, 2, 23}, locations{20}, 3, Move{20, 20, Taken}, "20"},
		{"onto an occupied square", locations{1, 2, 25}, locations{20}, 5, Move{20, 20, Taken}, "20"},
		{"off the grid", locations{1, 2, 3}, locations{48, 50}, 4, Move{48, 52, Leaves}, "50"},
		{"the last one off the grid", locations{1, 2, 3}, locations{51}, 1, Move{51, 52, Leaves}, "GAME OVER"},
		{"off the grid past a corner", locations{1, 2, 3}, locations{49}, 3, Move{49, 52, Leaves}, "GAME OVER"},

		{"from a prime six on", locations{1, 2, 3}, locations{10}, 3, Move{10, 19, Prime}, "19"},
		{"from a prime up to a marker", locations{1, 2, 17}, locations{10}, 3, Move{10, 16, Prime}, "16"},
		{"from a prime up to an own marker", locations{1, 2, 3}, locations{10, 15}, 3, Move{10, 14, Prime}, "14 15"},
		{"on a prime before a marker", locations{1, 2, 14}, locations{10}, 3, Move{10, 13, Prime}, "13"},
		{"a marker behind the walk", locations{1, 2, 20}, locations{10}, 3, Move{10, 19, Prime}, "19"},
		{"the walk ends on a prime: once only", locations{1, 2, 3}, locations{15}, 2, Move{15, 23, Prime}, "23"},
		{"the walk ends on a square: once only", locations{1, 2, 3}, locations{18, 50}, 1, Move{18, 25, Prime}, "25 50"},
		{"43 walks on to 49", locations{1, 2, 3}, locations{42}, 1, Move{42, 49, Prime}, "49"},
		{"47 with nothing ahead", locations{1, 2, 3}, locations{46}, 1, Move{46, 47, Prime}, "47"},
		{"47 with 48 taken", locations{1, 2, 48}, locations{46}, 1, Move{46, 47, Prime}, "47"},
		{"47 with 49 taken", locations{1, 2, 49}, locations{46}, 1, Move{46, 48, Prime}, "48"},
		{"47 with 50 taken", locations{1, 2, 3}, locations{46, 50}, 1, Move{46, 49, Prime}, "49 50"},
		{"47 with 51 taken", locations{1, 2, 51}, locations{46}, 1, Move{46, 50, Prime}, "50"},

		{"from a square six back", locations{1, 2, 5}, locations{20}, 5, Move{20, 19, Square}, "19"},
		{"past where it came from", locations{1, 2, 5}, locations{24}, 1, Move{24, 19, Square}, "19"},
		{"from 9", locations{1, 2, 30}, locations{8}, 1, Move{8, 3, Square}, "3"},
		{"from 16 up to a marker", locations{1, 2, 12}, locations{15}, 1, Move{15, 13, Square}, "13"},
		{"from 36 before a marker", locations{1, 2, 35}, locations{34}, 2, Move{34, 36, Square}, "36"},
		{"from 49", locations{1, 2, 3}, locations{45, 51}, 4, Move{45, 43, Square}, "43 51"},
		{"4 is not among the squares", locations{30, 31, 32}, locations{3}, 1, Move{3, 4, Standing}, "4"},

		{"past a corner to the multiple", locations{1, 2, 3}, locations{6}, 4, Move{6, 8, Corner}, "8"},
		{"the multiple is e", locations{1, 2, 3}, locations{6}, 2, Move{6, 8, Corner}, "8"},
		{"the multiple is a prime: it stands", locations{1, 2, 4}, locations{39}, 3, Move{39, 42, Corner}, "42"},
		{"the multiple is taken", locations{1, 2, 8}, locations{6}, 4, Move{6, 6, Corner}, "6"},
		{"the corner itself is no turn", locations{1, 2, 3}, locations{8}, 4, Move{8, 12, Standing}, "12"},
		{"from the corner it is none either", locations{1, 2, 3}, locations{12}, 2, Move{12, 14, Standing}, "14"},
		{"first down, then along is none", locations{1, 2, 3}, locations{1}, 5, Move{1, 6, Standing}, "6"},
		{"standing", locations{1, 2, 3}, locations{20, 30, 40}, 1, Move{20, 21, Standing}, "21 30 40"},
		{"markers in between do not matter", locations{21, 2, 3}, locations{20, 40}, 2, Move{20, 22, Standing}, "22 40"},
		{"void", locations{1, 2, 3}, nil, 1, Move{}, "GAME OVER"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := positionOf(test.opponent, test.player)
			opponent := p.opponent
			got := p.Roll(test.roll)
			if got != test.want || p.String() != test.after {
				t.Errorf("%v against %v rolls %d: %+v, %s; want %+v, %s",
					test.player, test.opponent, test.roll, got, p.String(), test.want, test.after)
			}
			if p.opponent != opponent {
				t.Error("the opponent's markers moved")
			}
		})
	}
}

// naive is the game as its page describes it, sharing nothing with the package:
// it finds the turns of the path in the picture of the grid.
type naive struct{ row, column map[int]int }

func newNaive() naive {
	const picture = `. . . . 1 52 . . . .
. . . . 2 51 . . . .
7 6 5 4 3 50 49 48 47 46
8 9 10 11 12 41 42 43 44 45
17 16 15 14 13 40 39 38 37 36
18 19 20 21 22 31 32 33 34 35
. . . . 23 30 . . . .
. . . . 24 29 . . . .
. . . . 25 28 . . . .
. . . . 26 27 . . . .`
	n := naive{map[int]int{}, map[int]int{}}
	for i, row := range strings.Split(picture, "\n") {
		for j, field := range strings.Fields(row) {
			var l int
			if _, err := fmt.Sscan(field, &l); err == nil {
				n.row[l], n.column[l] = i, j
			}
		}
	}
	return n
}

// turns reports whether the path has a horizontal step and, later, a vertical
// one.
func (n naive) turns(s, e int) bool {
	horizontal := false
	for l := s; l < e; l++ {
		if n.row[l] == n.row[l+1] {
			horizontal = true
		} else if horizontal {
			return true
		}
	}
	return false
}

// answer plays a line.
func (n naive) answer(opponent, player, rolls []int) string {
	return n.answerBy(naive.roll, opponent, player, rolls)
}

// answerBy plays a line by one reading of what a roll does.
func (n naive) answerBy(roll func(n naive, opponent, others []int, s, d int) int, opponent, player, rolls []int) string {
	for _, d := range rolls {
		if len(player) == 0 {
			break
		}
		slices.Sort(player)
		e := roll(n, opponent, player[1:], player[0], d)
		player = append([]int{e}, player[1:]...)
		if e == 52 {
			player = player[1:]
		}
	}
	slices.Sort(player)
	if len(player) == 0 {
		return "GAME OVER"
	}
	return strings.Trim(fmt.Sprint(player), "[]")
}

func (n naive) roll(opponent, others []int, s, d int) int {
	occupied := func(l int) bool { return slices.Contains(opponent, l) || slices.Contains(others, l) }
	e := s + d
	divisors := 0
	for i := 1; i <= e; i++ {
		if e%i == 0 {
			divisors++
		}
	}
	if e > 52 || occupied(e) {
		return s
	}
	if e == 52 {
		return 52
	}
	step := 0
	if divisors == 2 {
		step = 1
	} else if e == 9 || e == 16 || e == 25 || e == 36 || e == 49 {
		step = -1
	}
	if step != 0 {
		to := e
		for range 6 {
			if occupied(to + step) {
				return to
			}
			to += step
		}
		if to > 52 {
			return e
		}
		return to
	}
	if n.turns(s, e) {
		for l := s + 1; l <= e; l++ {
			if l%d == 0 {
				if occupied(l) {
					return s
				}
				return l
			}
		}
	}
	return e
}

// TestAgainstNaive compares the answers to 100,000 random lines.
func TestAgainstNaive(t *testing.T) {
	n := newNaive()
	for l, want := range n.row {
		if n.row[l] != want || grid()[want][n.column[l]] != l {
			t.Fatalf("the grid has location %d elsewhere", l)
		}
	}
	r := rand.New(rand.NewPCG(5, 2))
	over := 0
	count := testlevel.Times(10_000, 10_000, 100_000)
	for range count {
		places := r.Perm(51)[:6]
		for i := range places {
			places[i]++
		}
		rolls := make([]int, r.IntN(20))
		for i := range rolls {
			rolls[i] = 1 + r.IntN(6)
		}
		text := strings.Trim(fmt.Sprint(slices.Concat(places, []int{len(rolls)}, rolls)), "[]")
		l := parseLine(t, text)
		end := l.Play()
		if want := n.answer(places[:3], places[3:], rolls); end.String() != want {
			t.Fatalf("%s: %s, want %s", text, end.String(), want)
		}
		if end.Over() {
			over++
		}
	}
	if over == 0 {
		t.Error("no line ended in GAME OVER")
	}
}

// TestMarkers checks that markers stay on different locations and leave only
// one by one, at 52.
func TestMarkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfNDistinct(rapid.IntRange(1, 51), 6, 6, rapid.ID).Draw(t, "places")
		p := positionOf(places[:3], places[3:])
		for _, roll := range rapid.SliceOf(rapid.IntRange(1, 6)).Draw(t, "rolls") {
			before, opponent := p.Locations(), p.opponent
			move := p.Roll(roll)
			after := p.Locations()
			want := len(before)
			if len(before) > 0 {
				if move.From != before[0] || move.Rule == 0 {
					t.Fatalf("%v rolls %d: %+v", before, roll, move)
				}
				if move.To == Last {
					want--
				}
			}
			if len(after) != want || p.player&opponent != 0 || p.opponent != opponent ||
				!slices.IsSorted(after) || want > 0 && (after[0] < 1 || after[want-1] > 51) {
				t.Fatalf("%v rolls %d: %+v, %v", before, roll, move, after)
			}
		}
	})
}
