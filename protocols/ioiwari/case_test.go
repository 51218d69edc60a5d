package ioiwari

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

func TestBadCases(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", `line 1: found the end, expected the beads in the pits (7 integers from 2 to 4)`},
		{"six pits", "4 4 4 2 2 2", `line 1: found 6 values in "4 4 4 2 2 2", expected the beads in the pits (7 integers from 2 to 4)`},
		{"pit of 5", "5 3 2 4 2 2 2", `line 1: found "5", expected the beads in the pits (7 integers from 2 to 4)`},
		{"pit of 1", "4 4 4 3 2 2 1", `line 1: found "1", expected the beads in the pits (7 integers from 2 to 4)`},
		{"19 beads", "4 4 3 2 2 2 2", `line 1: found 19 beads, expected 20 beads in all`},
		{"letters", "4 4 4 x 2 2 2", `line 1: found "x", expected the beads in the pits (7 integers from 2 to 4)`},
		{"second line", "4 4 4 2 2 2 2\n1", `line 2: found "1", expected the end`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse(test.text)
			var bad *protocols.CaseError
			if !errors.As(err, &bad) || err.Error() != test.want {
				t.Errorf("error %v, expected %s", err, test.want)
			}
		})
	}
}

func TestAllAscends(t *testing.T) {
	var texts []string
	for c := range all() {
		texts = append(texts, c.String())
	}
	if len(texts) != startBoards {
		t.Errorf("%d boards, expected %d", len(texts), startBoards)
	}
	if !slices.IsSorted(texts) {
		t.Error("the boards do not ascend")
	}
	if first, last := texts[0], texts[len(texts)-1]; first != "2 2 2 2 4 4 4" || last != "4 4 4 2 2 2 2" {
		t.Errorf("from %s to %s", first, last)
	}
}

// TestGenerateReachesAll checks that the generator leaves out no board.
func TestGenerateReachesAll(t *testing.T) {
	seen := map[protocols.Case]bool{}
	for seed := range uint64(5000) {
		c, err := generate("random", seed)
		if err != nil {
			t.Fatal(err)
		}
		seen[c] = true
	}
	if len(seen) != startBoards {
		t.Errorf("5000 seeds give %d boards, expected %d", len(seen), startBoards)
	}
}

// TestOfficialCases checks the case set: the 25 boards of the olympiad, which
// differ even when turned.
func TestOfficialCases(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "cases", "ioiwari", "official")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 25 {
		t.Errorf("%d cases, expected 25", len(entries))
	}
	turned := map[Board]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		c, err := parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		if string(text) != c.String()+"\n" || strings.TrimSuffix(e.Name(), ".txt") == e.Name() {
			t.Errorf("%s holds %q, expected the canonical text", e.Name(), text)
		}
		b := c.(Case).board
		for range Pits {
			if other := turned[b]; other != "" && other != e.Name() {
				t.Errorf("%s is %s turned", e.Name(), other)
			}
			turned[b] = e.Name()
			b = Board{b[1], b[2], b[3], b[4], b[5], b[6], b[0]}
		}
	}
}
