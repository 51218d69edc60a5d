package vmukni

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// boardOf reads a board in String's form.
func boardOf(t testing.TB, text string) (b Board) {
	t.Helper()
	rows := strings.Split(text, "/")
	if len(rows) != Size {
		t.Fatalf("%d rows in %q", len(rows), text)
	}
	for i, row := range rows {
		for j, c := range row {
			if c != '.' {
				b.Put(i+1, j+1, int(c-'0'))
			}
		}
	}
	if b.String() != text {
		t.Fatalf("board %q reads as %q", text, b.String())
	}
	return b
}

// account describes a move, as in
// "drop 3: row 3,2 2x3 +10, column 3,3 4x3 +20 = 30".
func account(m Move) string {
	var groups []string
	for _, g := range m.Groups() {
		groups = append(groups, fmt.Sprintf("%s %d,%d %dx%d +%d", g.Line, g.Row, g.Column, g.Tile, g.Length, g.Points))
	}
	return fmt.Sprintf("drop %d: %s = %d", m.Dropped, strings.Join(groups, ", "), m.Points)
}

// TestInsert has a row for every rule; the names say which.
func TestInsert(t *testing.T) {
	const letters = "12312/23123/31231/12312/23123" // no two neighbours are equal
	for _, test := range []struct {
		name, board string
		way, tile   int
		want, after string
	}{
		{"worked example of the page", "...../..4../2.22./1242./3145.", 3, 3,
			"drop 0: row 3,2 2x3 +10, column 3,3 4x3 +20 = 30", "...../...../3..../12.2./31.5."},

		{"way 1, left", letters, 1, 7, "drop 2:  = 0", "71231/23123/31231/12312/23123"},
		{"way 2", letters, 2, 7, "drop 3:  = 0", "12312/72312/31231/12312/23123"},
		{"way 3", letters, 3, 7, "drop 1:  = 0", "12312/23123/73123/12312/23123"},
		{"way 4", letters, 4, 7, "drop 2:  = 0", "12312/23123/31231/71231/23123"},
		{"way 5", letters, 5, 7, "drop 3:  = 0", "12312/23123/31231/12312/72312"},
		{"way 6, above", letters, 6, 7, "drop 2:  = 0", "72312/13123/21231/32312/13123"},
		{"way 7", letters, 7, 7, "drop 3:  = 0", "17312/22123/33231/11312/22123"},
		{"way 8", letters, 8, 7, "drop 1:  = 0", "12712/23323/31131/12212/23323"},
		{"way 9", letters, 9, 7, "drop 2:  = 0", "12372/23113/31221/12332/23113"},
		{"way 10", letters, 10, 7, "drop 3:  = 0", "12317/23122/31233/12311/23122"},
		{"way 11, right", letters, 11, 7, "drop 1:  = 0", "23127/23123/31231/12312/23123"},
		{"way 12", letters, 12, 7, "drop 2:  = 0", "12312/31237/31231/12312/23123"},
		{"way 13", letters, 13, 7, "drop 3:  = 0", "12312/23123/12317/12312/23123"},
		{"way 14", letters, 14, 7, "drop 1:  = 0", "12312/23123/31231/23127/23123"},
		{"way 15", letters, 15, 7, "drop 2:  = 0", "12312/23123/31231/12312/31237"},

		{"beyond a gap nothing moves", "...../...../...../...../12.31", 5, 7,
			"drop 0:  = 0", "...../...../...../...../71231"},
		{"the gap nearest to the edge counts", "...../...../...../...../1.3.2", 15, 7,
			"drop 0:  = 0", "...../...../...../...../1.327"},
		{"an empty edge cell keeps the tile", "...../...../...../...../.1231", 5, 7,
			"drop 0:  = 0", "...../...../...../...../71231"},
		{"a tile inserted high falls", "...../...../...../1..../2....", 1, 7,
			"drop 0:  = 0", "...../...../7..../1..../2...."},
		{"a pushed tile falls", "...../...../1..../2..../3....", 3, 7,
			"drop 0:  = 0", "...../...../7..../2..../31..."},
		{"from above onto a stack", "...../...../...../..2../..1..", 8, 7,
			"drop 0:  = 0", "...../...../..7../..2../..1.."},
		{"from above onto an empty board", "...../...../...../...../.....", 10, 7,
			"drop 0:  = 0", "...../...../...../...../....7"},

		{"a run of three", "...../...../...../...../1.1..", 7, 1,
			"drop 0: row 5,1 1x3 +10 = 10", "...../...../...../...../....."},
		{"a run of four", "...../...../...../...../.1112", 1, 1,
			"drop 0: row 5,1 1x4 +20 = 20", "...../...../...../...../....2"},
		{"a run of five", "...../...../...../...../11.11", 8, 1,
			"drop 0: row 5,1 1x5 +30 = 30", "...../...../...../...../....."},
		{"a run of three in a column", "...../...../..1../..1../..2..", 8, 1,
			"drop 0: column 2,3 1x3 +10 = 10", "...../...../...../...../..2.."},
		{"a run of four in a column", "...../..1../..1../..1../..2..", 8, 1,
			"drop 0: column 1,3 1x4 +20 = 20", "...../...../...../...../..2.."},
		{"a run of five in a column", "...../..1../..1../..1../..1..", 8, 1,
			"drop 0: column 1,3 1x5 +30 = 30", "...../...../...../...../....."},
		{"two equal tiles are no run", "...../...../...../...../1.233", 6, 1,
			"drop 0:  = 0", "...../...../...../1..../1.233"},
		{"points by length and ordinal", "....2/...13/...13/..331/.1223", 14, 3,
			"drop 0: column 2,5 3x4 +20, row 5,3 2x3 +20, column 3,4 1x3 +30 = 70",
			"...../...../...../.3.../.13.."},
		{"no cap", "...../43..2/311.4/113.4/12243", 5, 3,
			"drop 3: column 3,2 1x3 +10, column 3,5 4x3 +20, row 5,3 2x3 +30, row 5,1 3x3 +40 = 100",
			"...../...../4..../3..../1.1.."},
		{"only one of two crossing runs goes", "...../...../22.../132../312..", 8, 2,
			"drop 0: row 3,1 2x3 +10 = 10", "...../...../...../132../312.."},
		{"the tile that falls off makes no run", "..1../..1../..2../..3../..1..", 8, 4,
			"drop 1:  = 0", "..4../..1../..1../..2../..3.."},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardOf(t, test.board)
			m := b.Insert(test.way, test.tile)
			if got := account(m); got != test.want || b.String() != test.after {
				t.Errorf("way %d, tile %d on %s:\n got %s, %s\nwant %s, %s",
					test.way, test.tile, test.board, got, b.String(), test.want, test.after)
			}
			if m.Way != test.way || m.Tile != test.tile {
				t.Errorf("move says way %d, tile %d", m.Way, m.Tile)
			}
		})
	}
}

// TestGroup has a row for every rule of precedence.
func TestGroup(t *testing.T) {
	for _, test := range []struct{ name, board, want string }{
		{"none", "...../...../11.../22.../11.22", "none"},
		{"equal tiles apart", "...../...../...../...../11.11", "none"},
		{"a row before a column it crosses", "...../...../2..../2..../222..", "row 5,1 2x3"},
		{"a row before a column that starts higher", "...../.1.../.1.../.1.../222..", "row 5,1 2x3"},
		{"a longer column before a row", "...../2..../2..../2..../222..", "column 2,1 2x4"},
		{"a longer row before a higher one", "...../...../...../111../2222.", "row 5,1 2x4"},
		{"the higher of two rows", "...../...../...../22111/11222", "row 4,3 1x3"},
		{"the column with the higher top", ".1.../.1.../11.../13.../12...", "column 1,2 1x3"},
		{"the longer of two columns, though lower", "1..../1..../12.../32.../22...", "column 1,1 1x3"},
		{"four before three in columns", "1..../12.../12.../32.../22...", "column 2,2 2x4"},
		{"the left one of two columns", "...../...../1.1../1.1../1.1..", "column 3,1 1x3"},
		{"a whole row", "...../...../...../...../33333", "row 5,1 3x5"},
		{"the end of a row", "...../...../...../...../12333", "row 5,3 3x3"},
		{"the middle of a row", "...../...../...../...../13331", "row 5,2 3x3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := boardOf(t, test.board)
			got := "none"
			if g, ok := b.group(); ok {
				got = fmt.Sprintf("%s %d,%d %dx%d", g.Line, g.Row, g.Column, g.Tile, g.Length)
			}
			if got != test.want {
				t.Errorf("group in %s: %s, want %s", test.board, got, test.want)
			}
		})
	}
}

// settled draws a board at rest; it may hold runs.
func settled(r *rand.Rand, pictures int) (b Board) {
	for column := 1; column <= Size; column++ {
		height := r.IntN(Size + 1)
		for row := Size; row > Size-height; row-- {
			b.Put(row, column, 1+r.IntN(pictures))
		}
	}
	return b
}

// TestGain checks that Gain agrees with Insert.
func TestGain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		pictures := MinPictures + r.IntN(MaxPictures-MinPictures+1)
		b := settled(r, pictures)
		c, way, tile := b, 1+r.IntN(Ways), 1+r.IntN(pictures)
		if m, gain := b.Insert(way, tile), c.Gain(way, tile); m.Points != gain || b != c {
			t.Fatalf("Insert gives %d and %s, Gain %d and %s", m.Points, b.String(), gain, c.String())
		}
	}
}

// TestConservation checks that tiles only come in, fall off and vanish in
// groups, and that a move leaves a board at rest without a run.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pictures := rapid.IntRange(MinPictures, MaxPictures).Draw(t, "pictures")
		var b Board
		for range rapid.IntRange(1, 60).Draw(t, "moves") {
			before := count(&b)
			m := b.Insert(rapid.IntRange(1, Ways).Draw(t, "way"), rapid.IntRange(1, pictures).Draw(t, "tile"))
			before[m.Tile]++
			before[m.Dropped]--
			points := 0
			for i, g := range m.Groups() {
				before[g.Tile] -= int(g.Length)
				points += 10 * (int(g.Length) - 2) * (i + 1)
			}
			before[0] = 0
			if after := count(&b); after != before || points != m.Points {
				t.Fatalf("%s leaves %s with %v, expected %v", account(m), b.String(), after, before)
			}
			rest := b
			rest.fall()
			if _, ok := b.group(); ok || rest != b {
				t.Fatalf("%s is not at rest", b.String())
			}
		}
	})
}

// count is the number of tiles of each picture.
func count(b *Board) (tiles [MaxPictures + 1]int) {
	for row := 1; row <= Size; row++ {
		for column := 1; column <= Size; column++ {
			if tile := b.At(row, column); tile != 0 {
				tiles[tile]++
			}
		}
	}
	return tiles
}

// inserts draws moves for a benchmark.
func inserts(n int) [][2]int {
	r := rand.New(rand.NewPCG(1, 2))
	moves := make([][2]int, n)
	for i := range moves {
		moves[i] = [2]int{1 + r.IntN(Ways), 1 + r.IntN(5)}
	}
	return moves
}

func BenchmarkInsert(b *testing.B) {
	moves := inserts(4096)
	board, i := Board{}, 0
	b.ReportAllocs()
	for b.Loop() {
		move := moves[i%len(moves)]
		board.Insert(move[0], move[1])
		i++
	}
}

func BenchmarkGain(b *testing.B) {
	moves := inserts(4096)
	board, i := Board{}, 0
	b.ReportAllocs()
	for b.Loop() {
		move := moves[i%len(moves)]
		board.Gain(move[0], move[1])
		i++
	}
}
