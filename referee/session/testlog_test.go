package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"umpire/referee/record"
	"umpire/referee/report"
)

// TestLogKeepsNewest: the log keeps its newest lines as they are, also those of another
// version, which are not read.
func TestLogKeepsNewest(t *testing.T) {
	file := filepath.Join(t.TempDir(), testLogFile)
	text := []byte("torn {\n")
	for i := range maxLogged - 2 {
		text = fmt.Appendf(text, "{\"v\":1,\"cases\":%d}\n", i)
	}
	const other = `{"v":1000,"later":true}`
	text = append(text, other...) // and no line end
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cases := range []int{5000, 5001} {
		if _, err := addToLog(file, report.LoggedTest{V: report.JSONVersion, Cases: cases}); err != nil {
			t.Fatal(err)
		}
	}
	_, now, err := readTestLog(file)
	if err != nil || len(now) != maxLogged-1 || now[0].Cases != 1 || now[maxLogged-2].Cases != 5001 {
		t.Errorf("found %d tests: %v", len(now), err)
	}
	if text, err = os.ReadFile(file); err != nil || bytes.Count(text, []byte(other)) != 1 || bytes.Count(text, []byte("\n")) != maxLogged {
		t.Errorf("the log has %d lines: %v", bytes.Count(text, []byte("\n")), err)
	}
}

// TestCheckedOut reads the commit as Git lays repositories out.
func TestCheckedOut(t *testing.T) {
	const hash, other = "0123456789012345678901234567890123456789", "abcdefabcdefabcdefabcdefabcdefabcdefabcd"
	for name, test := range map[string]struct {
		want  string
		files map[string]string
	}{
		"detached": {hash, map[string]string{".git/HEAD": hash + "\n"}},
		"loose":    {hash, map[string]string{".git/HEAD": "ref: refs/heads/a/b\n", ".git/refs/heads/a/b": hash + "\n", ".git/packed-refs": other + " refs/heads/a/b\n"}},
		"packed": {hash, map[string]string{
			".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": "# pack-refs with: peeled\n" + other + " refs/heads/mai\n" + hash + " refs/heads/main\n",
		}},
		"worktree": {hash, map[string]string{
			".git": "gitdir: main/.git/worktrees/w\n", "main/.git/worktrees/w/HEAD": "ref: refs/heads/w\n",
			"main/.git/worktrees/w/commondir": "../..\n", "main/.git/refs/heads/w": hash + "\n",
		}},
		"unborn":  {"", map[string]string{".git/HEAD": "ref: refs/heads/main\n"}},
		"outside": {"", map[string]string{".git/HEAD": "ref: ../../secret\n", "secret": hash + "\n"}},
		"no hash": {"", map[string]string{".git/HEAD": "secret\n"}},
	} {
		dir := t.TempDir()
		for file, text := range test.files {
			path := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := checkedOut(filepath.Join(dir, ".git")); got != test.want {
			t.Errorf("%s: found %q, expected %q", name, got, test.want)
		}
	}
}

// TestWorst: failures come first, then the smallest share of the points, then the worst
// place; the seats of a case count together.
func TestWorst(t *testing.T) {
	match := func(name string, seat int, verdict string, score float64, place int) lastMatch {
		return lastMatch{record.Case{Name: name, Text: name, Points: 4}, seat, report.Before{Verdict: verdict, Score: score, Place: place}}
	}
	last := LastTest{Matches: []lastMatch{
		match("full", 1, "ok", 4, 1), match("half", 1, "ok", 2, 2), match("failed", 1, "ok", 4, 1), match("failed", 2, "time", 4, 2),
		match("tied", 1, "ok", 2, 1), match("none", 1, "ok", 0, 2),
	}}
	for n, want := range [][]string{{}, {"failed"}, {"failed", "none"}, {"half", "failed", "none"}, {"half", "failed", "tied", "none"}} {
		var got []string
		for _, m := range last.Worst(n).Matches {
			got = append(got, m.Case.Name)
		}
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("the worst %d: found %v, expected %v", n, got, want)
		}
	}
}
