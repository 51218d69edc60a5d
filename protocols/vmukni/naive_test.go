package vmukni

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// naive is the game as its page describes it, on a map of cells, sharing
// nothing with the package.
type naive map[[2]int]byte // by row and column from 1; an empty cell is absent

// play makes a move and describes it as account does.
func (n naive) play(way int, tile byte) string {
	var path [][2]int
	for i := 1; i <= 5; i++ {
		switch {
		case way <= 5:
			path = append(path, [2]int{way, i})
		case way <= 10:
			path = append(path, [2]int{i, way - 5})
		default:
			path = append(path, [2]int{way - 10, 6 - i})
		}
	}
	line := string(tile)
	gap := false
	for _, at := range path {
		if n[at] == 0 {
			gap = true
			break
		}
		line += string(n[at])
	}
	dropped := "0"
	if !gap {
		dropped, line = line[5:], line[:5]
	}
	for i := range line {
		n[path[i]] = line[i]
	}
	var groups []string
	sum := 0
	for {
		n.fall()
		cells, name := n.next()
		if cells == nil {
			return fmt.Sprintf("drop %s: %s = %d", dropped, strings.Join(groups, ", "), sum)
		}
		points := map[int]int{3: 10, 4: 20, 5: 30}[len(cells)] * (len(groups) + 1)
		first := cells[0]
		groups = append(groups, fmt.Sprintf("%s %d,%d %cx%d +%d", name, first[0], first[1], n[first], len(cells), points))
		sum += points
		for _, at := range cells {
			delete(n, at)
		}
	}
}

// fall moves single tiles down until none can.
func (n naive) fall() {
	for moved := true; moved; {
		moved = false
		for at, tile := range n {
			under := [2]int{at[0] + 1, at[1]}
			if at[0] < 5 && n[under] == 0 {
				delete(n, at)
				n[under] = tile
				moved = true
				break
			}
		}
	}
}

// next collects all maximal runs, rows first and each kind from the top and the
// left, and returns the first of the longest.
func (n naive) next() (best [][2]int, name string) {
	for _, line := range []string{"row", "column"} {
		down, right := 0, 1
		if line == "column" {
			down, right = 1, 0
		}
		for row := 1; row <= 5; row++ {
			for column := 1; column <= 5; column++ {
				tile := n[[2]int{row, column}]
				if tile == 0 || n[[2]int{row - down, column - right}] == tile {
					continue
				}
				var run [][2]int
				for i := 0; n[[2]int{row + i*down, column + i*right}] == tile; i++ {
					run = append(run, [2]int{row + i*down, column + i*right})
				}
				if len(run) >= 3 && len(run) > len(best) {
					best, name = run, line
				}
			}
		}
	}
	return best, name
}

// text is the board as records hold it.
func (n naive) text() string {
	rows := make([]string, 5)
	for i := range rows {
		for column := 1; column <= 5; column++ {
			tile := n[[2]int{i + 1, column}]
			if tile == 0 {
				tile = '.'
			}
			rows[i] += string(tile)
		}
	}
	return strings.Join(rows, "/")
}

// TestAgainstNaive compares moves on 100,000 positions: boards at rest drawn at
// random, and those that follow from them.
func TestAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	most := 0
	boards := testlevel.Times(2_000, 2_000, 20_000)
	for range boards {
		pictures := MinPictures + r.IntN(MaxPictures-MinPictures+1)
		b := settled(r, pictures)
		n := naive{}
		for i, c := range strings.ReplaceAll(b.String(), "/", "") {
			if c != '.' {
				n[[2]int{i/5 + 1, i%5 + 1}] = byte(c)
			}
		}
		for range 5 {
			way, tile, before := 1+r.IntN(Ways), 1+r.IntN(pictures), b.String()
			m := b.Insert(way, tile)
			want := n.play(way, byte('0'+tile))
			if got := account(m); got != want || b.String() != n.text() {
				t.Fatalf("way %d, tile %d on %s:\n got %s, %s\nwant %s, %s",
					way, tile, before, got, b.String(), want, n.text())
			}
			most = max(most, len(m.Groups()))
		}
	}
	if most < 4 {
		t.Errorf("the longest move had %d groups", most)
	}
}
