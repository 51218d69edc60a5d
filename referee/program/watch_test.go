package program_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"umpire/referee/program"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestWatched: a change is noticed of what the digest covers, and of nothing
// else.
func TestWatched(t *testing.T) {
	for _, test := range []struct{ label, changed, same string }{
		{"x=one.py", "one.py", "beside.py"},
		{"folder", "folder/lib/part.py", "folder/.hidden"},
		{"folder", "folder/new.py", "folder/__pycache__/part.pyc"},
		{"sh run.sh data.txt", "data.txt", "other.txt"},
		{"./exe run.sh", "exe", "one.py"},
	} {
		dir := t.TempDir()
		for _, name := range []string{"one.py", "beside.py", "folder/main.py", "folder/lib/part.py", "run.sh", "data.txt", "exe"} {
			put(t, filepath.Join(dir, name), "before\n")
		}
		content, err := program.ParseEntrant(dir, test.label).Watched(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		check := func() error { return content.Check(context.Background()) }
		put(t, filepath.Join(dir, test.same), "other\n")
		if err := check(); err != nil {
			t.Errorf("%s: with another %s: %v", test.label, test.same, err)
		}
		// A new time is no change, nor the same bytes written again.
		if _, err := os.Stat(filepath.Join(dir, test.changed)); err == nil {
			put(t, filepath.Join(dir, test.changed), "before\n")
			if err := os.Chtimes(filepath.Join(dir, test.changed), time.Time{}, time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
			if err := check(); err != nil {
				t.Errorf("%s: %s was only touched: %v", test.label, test.changed, err)
			}
		}
		put(t, filepath.Join(dir, test.changed), "after!\n")
		if check() == nil {
			t.Errorf("%s: another %s is not noticed", test.label, test.changed)
		}
	}
	if content, err := program.ParseEntrant("", "@greedy").Watched(context.Background()); content != nil || err != nil {
		t.Errorf("@greedy: %v, %v", content, err)
	}
	if _, err := program.ParseEntrant(t.TempDir(), "nosuch.py").Watched(context.Background()); err == nil {
		t.Error("a file that is not there is watched")
	}
}

// TestPlace: names of the same bot have the same place, and of others another.
func TestPlace(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bot.py", "other/bot.py", "a bot.py"} {
		put(t, filepath.Join(dir, name), "")
	}
	places := make(map[string]string)
	for _, same := range [][]string{
		{"bot.py", "./bot.py", "x=bot.py", filepath.Join(dir, "bot.py")},
		{"other/bot.py"},
		{"a bot.py", "x=a bot.py"},
		{"other", "other/"},
		{"@greedy", "x=@greedy"},
		{"python3 bot.py"},
		{"python3 -O bot.py", "x=python3 -O bot.py"},
		{"nosuch.py", "./nosuch.py"},
	} {
		first := program.ParseEntrant(dir, same[0]).Place()
		for _, label := range same {
			if got := program.ParseEntrant(dir, label).Place(); got != first {
				t.Errorf("%s is at %q, and %s at %q", label, got, same[0], first)
			}
		}
		if other, taken := places[first]; taken {
			t.Errorf("%s and %s are both at %q", same[0], other, first)
		}
		places[first] = same[0]
	}
}
