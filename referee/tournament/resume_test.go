package tournament

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"umpire/referee/record"
)

// TestDifferences: a run is resumed only with what decides its results
// unchanged, however that is written.
func TestDifferences(t *testing.T) {
	t.Setenv("UMPIRE_ISOLATION", "")
	seats, older := 2, Config{Format: Swiss, Budgets: Budgets{Time: "1500ms"}}
	older.Seats = &seats
	past := Past{
		Config: older,
		Info:   Info{Game: "toy", Cases: []string{"a"}, CasesDigest: "d", Runs: []InfoRun{{Isolation: "box"}}},
	}
	same := Conditions{Game: "toy", Config: older, Cases: 1, CasesDigest: "d", Isolation: "box"}
	same.Config.Budgets.Time = "1.5"
	seed, jobs := uint64(1), 3
	same.Config.Seed, same.Config.Pondering = &seed, "freeze" // an older version did not write them
	same.Config.Jobs, same.Config.Affinity = &jobs, "off"     // and these decide nothing
	if got := past.Differences(same); got != nil {
		t.Errorf("found %q, expected none", got)
	}
	other := same
	rounds := 3
	other.Game, other.Config.Rounds, other.Config.Budgets.Time = "sum", &rounds, ""
	other.Cases, other.CasesDigest, other.Isolation, other.Language = 2, "e", "none", "Go"
	want := []string{
		"game: found sum, expected toy",
		"--rounds: found 3, expected the game's",
		"--time: found the game's, expected 1.5s",
		"cases: found 2 cases, expected the 1 case of this run, unchanged",
		"isolation: found none, expected box",
		"--languages: found another row for Go, expected the table of this run, ",
	}
	if got := past.Differences(other); !slices.Equal(got, want) {
		t.Errorf("found\n%q, expected\n%q", got, want)
	}
}

// TestConfigComesLast: whoever is killed while a run is described leaves a folder that can
// be resumed, or one that has not begun.
func TestConfigComesLast(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, ConfigFile, "in the way"), 0o755))
	if err := Describe(dir, Config{Game: "toy"}, nil, Info{Game: "toy"}); err == nil {
		t.Fatal("found no error")
	}
	if _, err := os.Stat(filepath.Join(dir, InfoFile)); err != nil {
		t.Error(err)
	}
}

// TestRenewDigest: what is added gets a new digest, what was changed does not, unless it was
// withdrawn.
func TestRenewDigest(t *testing.T) {
	dir := t.TempDir()
	must(t, Describe(dir, Config{}, nil, Info{}))
	for _, step := range []struct {
		results            string
		withdrawn, changed bool
		lines              int
	}{
		{"a\nb\n", false, false, 2},
		{"a\nb\nc\n", false, false, 3},
		{"a\nc\n", false, true, 3},
		{"a\nx\nc\nd\n", false, true, 3},
		{"a\nc\n", true, false, 2},
		{"a\nc\nd\n", false, false, 3},
	} {
		must(t, os.WriteFile(filepath.Join(dir, record.ResultsFile), []byte(step.results), 0o644))
		changed, err := RenewDigest(dir, step.withdrawn)
		must(t, err)
		if _, info, err := Before(dir); err != nil || changed != step.changed || info.Results.Lines != step.lines {
			t.Errorf("%q: changed %v, %+v, %v; expected %v, %d lines", step.results, changed, info.Results, err, step.changed, step.lines)
		}
	}
}
