package cli_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// TestTournamentOutOfMemory plays a tournament in a control group that has less
// memory than its matches take together, though every bot keeps its limit: umpire
// lives, nobody is said to have failed, and what the kernel has ended is void.
func TestTournamentOutOfMemory(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough) // the kernel looks for memory for long before it kills
	t.Parallel()
	m := newLimitsTest(t)
	places := m.places(t)
	list := onePerLevel(places)
	if testlevel.Current() < testlevel.Release { // the weakest level and the strongest
		list = slices.Compact(testlevel.Dimension{list[0], list[len(list)-1]})
	}
	defer testlevel.Rest(t, len(list), len(places))
	for _, place := range list {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			m, level := m.at(place)
			m.group = smallGroup(t, 320<<20)
			must(t, errors.Join(os.Chmod(filepath.Dir(m.group), 0o755), os.Chmod(m.group, 0o666)))
			m.starve(t, level)
		})
	}
}

func (m limitsTest) starve(t *testing.T, level string) {
	dir := filepath.Join(m.dir, fmt.Sprint("starved-", m.uid, "-", level))
	must(t, os.Mkdir(dir, 0o777))
	must(t, os.Chmod(dir, 0o777)) // whatever the mask
	// Two of the hungry ones never fit, one does.
	hungry := func(name string) string { return name + "=" + strings.SplitN(m.hog("burst", 160), "=", 2)[1] }
	_, code, stderr := m.umpire(t, "tournament", "vmukni", "@greedy", hungry("a"), hungry("b"), "--case", "small#1.1",
		"--isolation", level, "--jobs", "3", "--memory", "200M", "--time", "300s", "-o", dir+"/out", "--quiet")
	if code == 2 {
		t.Skip(stderr)
	}
	if code != 3 {
		t.Fatalf("exit code %d, expected 3: some matches could not be played; %s", code, stderr)
	}
	played, void := 0, 0
	for _, r := range recordsIn(t, dir+"/out") {
		if r.Error != "" {
			if void++; !strings.Contains(r.Error, "ran out of memory") {
				t.Errorf("error %q, expected that there was no memory", r.Error)
			}
			continue
		}
		played++
		for _, s := range r.Seats {
			if s.Verdict != "ok" {
				t.Errorf("%s: %s (%s), expected ok", s.Bot, s.Verdict, s.Detail)
			}
		}
	}
	t.Logf("%d played, %d void", played, void)
	if void == 0 || played+void != 6 {
		t.Errorf("%d of 6 matches were played, %d void, expected some to be void", played, void)
	}
}
