package vmukni

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/protocols/svg"
)

// TestSVG compares the pictures of some positions with files checked by eye.
func TestSVG(t *testing.T) {
	golden := func(name string, m *match, seat int) {
		t.Helper()
		protocoltest.Golden(t, name, m.SVG(seat), *update)
	}
	m := worked(t)
	golden("start", m, 1)
	drive(t, m, script(t, "3", "6"))
	golden("over", m, 0)
	m = worked(t)
	m.Next()
	m.Reply(1, "3")
	m.Next()
	golden("two-groups", m, 2)

	large, err := generate("large", 1)
	if err != nil {
		t.Fatal(err)
	}
	m = newMatch(large.(*Case))
	for _, way := range []string{"1", "12", "8"} {
		step := m.Next()
		m.Reply(step.Await[0], way)
	}
	m.Next()
	golden("from-above", m, 1)
	m.Fail(2, protocols.Failure{Kind: protocols.KindCrash})
	m.Next()
	golden("failed", m, 0)
}

// TestArrivals checks how the tiles of the worked example came to their cells:
// the row of 2s goes, and the 4 above falls by one; the column of 4s goes with it.
func TestArrivals(t *testing.T) {
	m := worked(t)
	m.Next()
	m.Reply(1, "3")
	if got, want := m.board.String(), "...../...../3..../12.2./31.5."; got != want {
		t.Fatalf("board %s, expected %s", got, want)
	}
	want := [Size][Size]arrival{}
	want[2][0].entered = true
	if got := m.arrivals(); got != want {
		t.Errorf("found %v, expected %v", got, want)
	}
}

// TestArrivalsOfFalls drops tiles that a row of 5s in row 4 carried: the 4s that
// stood on it by one, the inserted tile among them, those beside it not.
func TestArrivalsOfFalls(t *testing.T) {
	m := &match{c: &Case{queue: []int{5, 1}, faceUp: 1}, notes: announcements()}
	for row, tiles := range []string{".....", ".....", "1.2.3", "45541", "31234"} {
		for column, tile := range tiles {
			if tile != '.' {
				m.board.Put(row+1, column+1, int(tile-'0'))
			}
		}
	}
	m.play(4) // 5 4 5 5 4: no run
	if m.last.count != 0 {
		t.Fatalf("groups %v", m.last.Groups())
	}
	m.board = m.before
	m.board.Put(4, 1, 5) // 5 5 5 4 1 with the new tile: a run of four
	m.ways, m.points = m.ways[:0], [Seats]int{}
	m.play(4)
	if groups := m.last.Groups(); len(groups) != 1 || groups[0].Length != 4 {
		t.Fatalf("groups %v, expected a run of four", groups)
	}
	want := [Size][Size]arrival{}
	want[3][0].fell, want[3][2].fell = 1, 1 // the 1 and the 2 of row 3
	if got := m.arrivals(); got != want {
		t.Errorf("found %v, expected %v", got, want)
	}
}

// TestPhases follows the worked example as it is drawn: the 3 comes in from the left, the
// 2 there makes room, the row of 2s goes for 10 points, the 4 above falls by a cell, and the
// column of 4s goes for twice as many.
func TestPhases(t *testing.T) {
	m := worked(t)
	m.Next()
	m.Reply(1, "3")
	var found []string
	for _, phase := range m.Phases() {
		text := ""
		for _, part := range partsOf(phase) {
			if _, from, ok := strings.Cut(part[1], ` data-from="`); ok {
				from, _, _ = strings.Cut(from, `"`)
				text += part[0] + " from " + from + "; "
			} else if part[0] == "in" && strings.Contains(part[1], "gain") {
				before, _, _ := strings.Cut(part[1], "</text></g>")
				text += before[strings.LastIndex(before, ">")+1:] + "; "
			}
		}
		found = append(found, text)
	}
	if want := []string{"c31 from 14 184; c32 from 60 184; ", "+10; ", "c33 from 140 144; ", "2×10; "}; !slices.Equal(found, want) {
		t.Errorf("found %q, expected %q", found, want)
	}
	if at := newMatch(m.c).Phases(); at != nil {
		t.Errorf("the start has %d phases", len(at))
	}
}

// TestChangesAreSmall checks that the parts that change in the longest match
// take little room in a page: each text once and, for each step, which part
// gets which text.
func TestChangesAreSmall(t *testing.T) {
	const most = 350_000 // bytes
	m, rng := newMatch(longest(t)), rand.New(rand.NewPCG(1, 1))
	var page struct {
		Keys, Texts []string
		Steps       [][][2]int // indexes of keys and texts
	}
	before, texts := map[string]string{}, map[string]int{}
	note := func() {
		var changes [][2]int
		for _, part := range partsOf(m.SVG(0)) {
			key, text := part[0], part[1]
			if before[key] == text {
				continue
			}
			if _, known := before[key]; !known {
				page.Keys = append(page.Keys, key)
			}
			if _, known := texts[text]; !known {
				texts[text] = len(page.Texts)
				page.Texts = append(page.Texts, text)
			}
			before[key] = text
			changes = append(changes, [2]int{slices.Index(page.Keys, key), texts[text]})
		}
		page.Steps = append(page.Steps, changes)
	}
	note()
	for step := m.Next(); len(step.Await) > 0; step = m.Next() {
		m.Reply(step.Await[0], strconv.Itoa(1+rng.IntN(Ways)))
		note()
	}
	stored, err := json.Marshal(page)
	if err != nil || len(page.Steps) != MaxMoves+1 {
		t.Fatal(err, len(page.Steps))
	}
	if len(stored) > most {
		t.Errorf("%d bytes, expected at most %d", len(stored), most)
	}
	t.Logf("%d bytes", len(stored))
}

// longest is a case of 200 moves with three pictures, all tiles face up.
func longest(t *testing.T) *Case {
	t.Helper()
	for seed := range uint64(100) {
		c, err := generate("extreme", seed)
		if err != nil {
			t.Fatal(err)
		}
		if c := c.(*Case); c.Moves() == MaxMoves && c.pictures == MinPictures && c.faceUp == MaxMoves {
			return c
		}
	}
	t.Fatal("found no such case")
	return nil
}

// partsOf splits a picture into its parts, each with its key.
func partsOf(picture string) (parts [][2]string) {
	for _, part := range strings.Split(svg.WithoutStyle(picture), ` data-key="`)[1:] {
		key, text, _ := strings.Cut(part, `"`)
		parts = append(parts, [2]string{key, text})
	}
	return parts
}
