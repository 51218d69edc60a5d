package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// tokenFile makes the file of a workers' secret.
func tokenFile(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "token")
	write(t, path, "a secret of this test\n")
	return path
}

// TestFleetCalibrates compares a worker with this machine by built-in bots that are not in the
// tournament.
func TestFleetCalibrates(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	first := g.start("gate", "tournament", "ioiwari", "@random", g.bot(), "--time", "0", "--cases-per-pair", "1", "-o", g.run,
		"--listen", "127.0.0.1:0", "--jobs", "1", "--calibrate")
	url, _ := first.listening(0)
	worker := g.start("gate", "worker", "--join", url, "--token-file", g.token(), "--jobs", "1", "--no-pause", "--name", "lab").quietly()
	if line := first.says("^umpire: worker lab (needs [0-9.]+ times the CPU time|can't be compared)")[0]; !strings.Contains(line, "needs") {
		t.Errorf("found %q, expected what it needs", line)
	}
	g.open("gate")
	first.quietly().exits("the tournament", 0)
	worker.ends("the worker")
}

// TestFleetIsFair plays a tournament on two workers: each plays both orders of
// a pair, the records name it and its processors and verify, and what is played
// again on the other worker ends in the same way.
func TestFleetIsFair(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir, path := withUmpire(t)
	run, token := filepath.Join(dir, "run"), tokenFile(t, dir)
	first := startUmpire(t, path, "tournament", "ioiwari", "@greedy", "@random", "--time", "0", "--cases-per-pair", "6", "--json",
		"-o", run, "--listen", "127.0.0.1:0", "--token-file", token, "--jobs", "0", "--recheck", "50%", "--calibrate")
	url, _ := first.listening(0)
	said := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(first.stderr)
		said <- string(text)
	}()
	for range 2 {
		startWorker(t, path, "--join", url, "--token-file", token, "--jobs", "1", "--no-pause", "--name", "lab").quietly()
	}
	var result struct {
		Matches int
		Workers []struct {
			Worker  string
			Matches int
		}
		Rechecks struct {
			Matches, Same, Skipped int
			Differ, Unsteady       []any
		}
	}
	must(t, json.NewDecoder(first.out).Decode(&result))
	first.exits("the tournament", 0)
	if r := result.Rechecks; r.Matches != r.Same || len(r.Differ)+len(r.Unsteady) > 0 {
		t.Errorf("found %+v, expected no difference between workers", r)
	}
	pairs, played := make(map[string]string), make(map[string]int)
	words := <-said
	if !regexp.MustCompile(`umpire: the limits are for processors (?s:.*)umpire: worker lab(#2)? needs [0-9.]+ times the CPU time`).MatchString(words) {
		t.Errorf("found no word of what workers need in\n%s", words)
	}
	for _, r := range recordsIn(t, run) {
		bots := []string{r.Seats[0].Bot, r.Seats[1].Bot}
		slices.Sort(bots)
		pair := fmt.Sprint(r.Case.Text, r.Repetition, bots)
		if other, ok := pairs[pair]; ok && other != r.Worker {
			t.Errorf("%s: one order was played by worker %s, the other by %s", pair, other, r.Worker)
		}
		pairs[pair] = r.Worker
		played[r.Worker]++
		if s := r.Scale; s != 0 && (s < 0.5 || s > 2 || s == 1) {
			t.Errorf("%s: found scale %v, expected 0.5 to 2, and none in place of 1", pair, s)
		}
		if !strings.HasPrefix(r.Worker, "lab") || r.Isolation == "" {
			t.Errorf("%s: found worker %q, isolation %q", pair, r.Worker, r.Isolation)
		}
	}
	sum := 0
	for _, w := range result.Workers {
		sum += w.Matches
		if played[w.Worker] != w.Matches {
			t.Errorf("worker %s: found %d matches in the standings, %d in the records", w.Worker, w.Matches, played[w.Worker])
		}
	}
	if sum != result.Matches || result.Matches != 2*len(pairs) || len(pairs) != 6 {
		t.Errorf("found %d matches, %d of workers, %d pairs", result.Matches, sum, len(pairs))
	}
	startUmpire(t, path, "verify", run).quietly().exits("verify", 0)
}
