package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/sandbox/sandboxtest"
)

// allow lets so many matches be played whose bot waits at a gate.
func (g *gated) allow(gate string, n int) {
	g.t.Helper()
	for i := range n {
		must(g.t, os.MkdirAll(filepath.Join(g.dir, gate, fmt.Sprint(i)), 0o755))
	}
}

// withKey starts a worker that joins with a key.
func (g *gated) withKey(gate, key string, args ...string) *umpireProcess {
	return startUmpire(g.t, "/usr/bin/env", append([]string{g.tools, "GATE=" + filepath.Join(g.dir, gate), "UMPIRE_KEY=" + key, g.path,
		"fleet", "worker", "--join", g.url, "--jobs", "1"}, args...)...)
}

// keys does something with the file of workers' keys.
func (g *gated) keys(args ...string) string {
	g.t.Helper()
	out, err := startUmpireOutput(g, append([]string{"fleet", "keys", "--workers", g.keysFile()}, args...)...)
	must(g.t, err)
	return strings.TrimSpace(string(out))
}

func (g *gated) keysFile() string { return filepath.Join(g.dir, "workers") }

// TestFleetSameKey: a worker replaces the one with its key, unless it is refused itself.
func TestFleetSameKey(t *testing.T) {
	level := string(sandboxtest.StrongestLevel(t))
	t.Parallel()
	g := newGated(t)
	g.tools = "PATH=" + os.Getenv("PATH")
	key := g.keys("add", "lab")
	g.coordinator("--workers", g.keysFile(), "--isolation", level).quietly()
	older := g.withKey("none", key, "--isolation", level)
	g.playing(1)
	g.withKey("none", key, "--isolation", "none").quietly().exits("the refused worker", 2)
	g.playing(1)
	newer := g.withKey("none", key, "--isolation", level)
	older.says("another worker has joined with its key")
	older.quietly().exits("the older worker", 2)
	newer.says("this worker plays for run")
	newer.quietly()
	g.playing(1)
}

// TestFleetKeys: a worker whose key is removed ends, and what it has played is played
// again by others. One with a wrong key does not get in.
func TestFleetKeys(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	bot := "#!/bin/sh\nread line\nuntil for d in \"$GATE\"/*; do rmdir \"$d\" 2>/dev/null && break; done; do sleep 0.1; done\necho lost\n"
	write(t, g.bot(), bot)
	liar, honest := g.keys("add", "liar"), g.keys("add", "honest")
	if list := g.keys("list"); list != "honest\nliar" {
		t.Errorf("found keys of %q", list)
	}
	coordinator := g.coordinator("--cases-per-pair", "3", "--workers", g.keysFile())
	g.withKey("none", "WRONG").quietly().exits("the worker with a wrong key", 2)
	g.allow("liar", 2)
	first := g.withKey("liar", liar)
	(&follower{t: t, dir: g.run}).wait(2)
	g.playing(1)
	g.keys("remove", "liar")
	first.says("the coordinator refuses this worker: its key has been removed")
	first.quietly().exits("the first worker", 2)
	coordinator.says("worker liar is excluded, and what it has played is played again after the others: 2 matches")
	g.allow("honest", 6)
	g.withKey("honest", honest).quietly()
	if code := coordinator.quietly().ends("the tournament"); code != 0 || g.records() != 6 {
		t.Errorf("the tournament: exit code %d and %d records, expected 0 and 6", code, g.records())
	}
	for name, want := range map[string]string{"results.jsonl": "honest", "withdrawn.jsonl": "liar"} {
		text, err := os.ReadFile(filepath.Join(g.run, name))
		if n := strings.Count(string(text), `"worker":"`); err != nil || n == 0 || n != strings.Count(string(text), `"worker":"`+want+`"`) {
			t.Errorf("%s: error %v, found others than %s", name, err, want)
		}
	}
	if out, err := startUmpireOutput(g, "verify", g.run); err != nil {
		t.Errorf("verify: %v: %s", err, out)
	}
}

// TestFleetNameTaken: a worker whose key has the name of a worker without one is refused, under the
// name by which the table tells the two apart, and for the name that it can't have.
func TestFleetNameTaken(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	write(t, g.keysFile(), "")
	run := g.coordinator("--cases-per-pair", "1", "--workers", g.keysFile())
	first := g.start("first", "worker", "--join", g.url, "--token-file", g.token(), "--jobs", "1", "--no-pause", "--name", "lab")
	run.says("^umpire: worker lab has joined")
	second := g.withKey("second", g.keys("add", "lab"))
	run.says("^umpire: worker lab#2 is refused: another worker of this run is called lab; add it under another name")
	second.says("refuses this worker: another worker of this run is called lab; add it under another name")
	second.quietly().exits("the second worker", 2)
	killed(first)
	killed(run)
}
