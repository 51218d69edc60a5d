package cli_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"umpire/referee/external/kits"
	"umpire/referee/program/build"
	"umpire/referee/testlevel"
)

// TestKits makes a game of one's own in each language that is installed, and does with it
// what `umpire new` says. By default that is the one that costs least; only for a release
// those are checked that are compiled or long in starting, other than that one.
func TestKits(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	u := newUser(t)
	table, err := build.LoadLanguages(t.Context(), "")
	must(t, err)
	for _, k := range kits.Kits {
		t.Run(k.Lang, func(t *testing.T) {
			t.Parallel()
			if k.Lang != "go" { // which starts fast
				testlevel.Needs(t, testlevel.Thorough)
			}
			if row, _ := table.ForFile(k.Judge()); row.Missing() != "" {
				t.Skipf("%s is not installed", row.Missing())
			}
			dir := t.TempDir()
			said := u.types(t, dir, "umpire new --game game --lang "+k.Lang, "")
			_, next, ok := strings.Cut(said, "\nnext: ")
			if !ok {
				t.Fatalf("said no next command:\n%s", said)
			}
			t.Run("check", func(t *testing.T) {
				if k.Lang != "go" && k.Lang != "py" {
					testlevel.Needs(t, testlevel.Release)
				}
				said := u.types(t, dir, strings.TrimSpace(next)+" -n 1", "")
				if strings.Contains(said, "warning") || !strings.Contains(said, "pictures, shown whole\n") || !strings.Contains(said, "\nnothing is wrong; ") {
					t.Errorf("found\n%s", said)
				}
			})
			said = u.types(t, dir, "umpire new ./game bot --lang "+k.Lang, "")
			if _, next, ok = strings.Cut(said, "\nnext: "); !ok {
				t.Fatalf("said no next command:\n%s", said)
			}
			out := u.types(t, dir, strings.TrimSpace(next)+" --json --time-per-move 2m --case openings/4", "")
			if n := strings.Count(out, `"verdict":"ok"`); n != 2 {
				t.Errorf("%d of 2 seats are ok in\n%s", n, out)
			}
		})
	}
}

// TestExampleGames checks the examples of the guide as their authors would.
func TestExampleGames(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	t.Parallel()
	u := newUser(t)
	for _, game := range []string{"ttt", "cards", "lowest", "carts"} {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.Abs("../external/testdata/" + game)
			must(t, err)
			if said := u.types(t, t.TempDir(), "umpire games --check "+dir+" -n "+strconv.Itoa(testlevel.Times(2, 2, 2, 20)), ""); !strings.Contains(said, "\nnothing is wrong; ") {
				t.Errorf("found\n%s", said)
			}
		})
	}
}
