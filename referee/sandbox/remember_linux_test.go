package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/testlevel"
)

// TestTrialRemembered uses a level that fails its trial: it passes only where it is
// believed to have passed before.
func TestTrialRemembered(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	l, dir := new(broken), filepath.Join(t.TempDir(), "trials")
	if _, _, err := tryOnce(l, dir); err == nil {
		t.Fatal("a level that starts nothing passed")
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("a failure is remembered: %v", list)
	}
	file := filepath.Join(dir, string(l.Level())+"-"+conditions())
	remember(dir, file)
	known, _, err := tryOnce(l, dir)
	if err != nil {
		t.Fatalf("tried again: %v", err)
	}

	// Others could have made it.
	must(t, os.Chmod(file, 0o666))
	if _, _, err := tryOnce(l, dir); err == nil {
		t.Error("a file that all may write was believed")
	}
	must(t, os.Chmod(file, 0o600))

	// Another limit.
	var old unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_CORE, &old))
	less := unix.Rlimit{Cur: 4096, Max: old.Max}
	if old.Cur == less.Cur {
		less.Cur = 0
	}
	must(t, unix.Setrlimit(unix.RLIMIT_CORE, &less))
	_, _, err = tryOnce(l, dir)
	if unix.Setrlimit(unix.RLIMIT_CORE, &old) != nil || err == nil {
		t.Error("not tried again with another limit")
	}

	// A start that fails.
	if _, err := known.Start(Command{Path: "/nonexistent"}); err == nil {
		t.Fatal("started a file that is not there")
	}
	if _, _, err := tryOnce(l, dir); err == nil {
		t.Error("not tried again after a start that failed")
	}
}

// TestTrialsForgotten: with a trial that is passed, those are removed that were
// passed more than thirty days before, and nothing of a user's.
func TestTrialsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		const days = 24 * time.Hour
		name := func(digit string) string { return "basic-" + strings.Repeat(digit, 32) }
		for name, age := range map[string]time.Duration{
			name("a"): 0, name("b"): 30 * days, name("c"): 30*days + 1, "notes": 31 * days, "basic-notes": 31 * days,
		} {
			file := filepath.Join(dir, name)
			must(t, os.WriteFile(file, nil, 0o600))
			must(t, os.Chtimes(file, time.Time{}, time.Now().Add(-age)))
		}
		remember(dir, filepath.Join(dir, "passed"))
		var names []string
		list, err := os.ReadDir(dir)
		for _, e := range list {
			names = append(names, e.Name())
		}
		if want := []string{name("a"), name("b"), "basic-notes", "notes", "passed"}; !slices.Equal(names, want) || err != nil {
			t.Errorf("found %q, error %v, expected %q", names, err, want)
		}
	})
}

func TestChooseRemembers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trials")
	for range 2 {
		l, _, err := Choose(referee.LevelAuto, dir)
		must(t, err)
		if l.Level() == referee.LevelNone {
			t.Skip("this machine has no isolation")
		}
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Errorf("remembered %v", list)
		}
		l.(remembered).Launcher.(*launcher).CloseIdle()
	}
}
