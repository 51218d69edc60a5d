package cli_test

import (
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFleetOwnGame plays a game of its author's own on two workers: they get what its judge
// needs and no more, and the records are those of a tournament on one machine, in the folder
// itself, which verifies them. A case that the judge refuses ends the run; where it errs in all
// matches, the workers are not needed any more.
func TestFleetOwnGame(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	g := newGated(t)
	g.tools = fewTools(t, "python3")
	game := filepath.Join(g.dir, "lowest")
	must(t, os.CopyFS(game, os.DirFS(filepath.Join("..", "external", "testdata", "lowest"))))
	local := filepath.Join(game, "local")
	args := []string{"tournament", game, "@one", "@two", "@random", "--seats", "2", "--cases-per-pair", "1", "--on-judge-error", "loses", "--quiet"}
	g.start("", append(args, "-o", local)...).quietly().exits("the local tournament", 0)
	spread := func(workers int, args ...string) (code int, told string) {
		t.Helper()
		run := g.start("", append(args, "-o", g.run, "--listen", "127.0.0.1:0", "--jobs", "0", "--recheck", "100%")...)
		url, _ := run.listening(0)
		var list []*umpireProcess
		for i := range workers {
			list = append(list, startUmpire(t, "/usr/bin/env", g.tools, "UMPIRE_CACHE="+filepath.Join(g.dir, "cache", string(rune('a'+i))), g.path,
				"worker", "--join", url, "--token-file", g.token(), "--jobs", "1", "--no-pause").quietly())
		}
		go func() { _, _ = io.Copy(io.Discard, run.out) }()
		text, _ := io.ReadAll(run.stderr)
		if code = run.ends("the tournament"); code != 2 {
			for _, w := range list {
				w.ends("a worker")
			}
		}
		return code, string(text)
	}
	if code, told := spread(2, args...); code != 0 {
		t.Fatalf("the tournament: exit code %d: %s", code, told)
	}
	if got, want := inFolder(t, g.run), inFolder(t, local); !maps.Equal(got, want) {
		t.Errorf("found %d matches, expected %d that end in the same way:\n%v\n%v", len(got), len(want), got, want)
	}
	verify := exec.CommandContext(t.Context(), g.path, "verify", g.run, "--game", game)
	verify.Env = append(os.Environ(), "UMPIRE_ISOLATION=none")
	if out, err := verify.CombinedOutput(); err != nil || !strings.Contains(string(out), "6 records: 6 valid, 0 not\n") {
		t.Errorf("verify: %v: %s", err, out)
	}
	there, err := filepath.Glob(filepath.Join(g.dir, "cache", "a", "worker", "*", "game", "*"))
	names := ""
	for _, path := range there {
		names += filepath.Base(path) + " "
	}
	if want := "generate.py judge.py umpire.py umpire.yaml "; err != nil || names != want {
		t.Errorf("a worker has %v, %v, expected %s", there, err, want)
	}

	must(t, os.RemoveAll(g.run))
	if code, told := spread(1, append(args[:7:7], "--case", "x 2")...); code != 2 || !strings.Contains(told, "case text:1: the judge refuses it: expected a number of rounds") {
		t.Errorf("a refused case: exit code %d: %s", code, told)
	}

	must(t, os.RemoveAll(g.run))
	must(t, os.WriteFile(filepath.Join(game, "judge.py"), []byte("print('x', flush=True)\n"), 0o644))
	if code, told := spread(1, args[:7:7]...); code != 3 || !strings.Contains(told, "could not play ") {
		t.Errorf("a judge that errs: exit code %d: %s", code, told)
	}
}
