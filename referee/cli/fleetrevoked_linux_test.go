package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// keyed is a tournament whose workers have keys, and which is played at its own server, or at one that stays.
type keyed struct {
	*gated
	at   string // of the server that stays; "": there is none
	runs string // key of the run there
}

// newKeyed returns a tournament whose matches have been played as far as they have been allowed.
func newKeyed(t *testing.T, stays bool) *keyed {
	t.Helper()
	k := &keyed{gated: newGated(t)}
	write(t, k.bot(), "#!/bin/sh\nread line\nuntil for d in \"$GATE\"/*; do rmdir \"$d\" 2>/dev/null && break; done; do sleep 0.1; done\necho lost\n")
	if stays {
		k.at = freePorts(t, 1)[0]
		out, err := startUmpireOutput(k.gated, "fleet", "keys", "add", "spring", "--runs", filepath.Join(k.dir, "runs"))
		must(t, err)
		k.runs = strings.TrimSpace(string(out))
	}
	return k
}

// serve starts the server that stays.
func (k *keyed) serve() *umpireProcess {
	p := k.start("", "fleet", "serve", "-o", filepath.Join(k.dir, "fleet"), "--listen", k.at, "--workers", k.keysFile(),
		"--runs", filepath.Join(k.dir, "runs"))
	k.url, _ = p.listening(0)
	return p.quietly()
}

// play starts or resumes the tournament.
func (k *keyed) play(args ...string) *umpireProcess {
	args = append([]string{"tournament", "-o", k.run, "--jobs", "0"}, args...)
	if k.at == "" {
		p := k.start("", append(args, "--listen", "127.0.0.1:0", "--workers", k.keysFile())...)
		k.url, _ = p.listening(0)
		return p
	}
	return startUmpire(k.t, "/usr/bin/env", append([]string{"UMPIRE_KEY=" + k.runs, k.path}, append(args, "--nats", k.url)...)...)
}

// begin starts the tournament, in which lab plays two matches.
func (k *keyed) begin(key string) (run, lab *umpireProcess) {
	run = k.play("ioiwari", "@greedy", k.bot(), "--time", "0", "--cases-per-pair", "3")
	k.allow("lab", 2)
	lab = k.withKey("lab", key, "--no-pause")
	(&follower{t: k.t, dir: k.run}).wait(2)
	return run, lab
}

// killed ends a process without a word.
func killed(p *umpireProcess) {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// TestFleetRevoked: what a worker has played whose key is removed is played again, also where it has
// left, where the server knows it no more, and where its name has another key, with which it is not
// let into the run again.
func TestFleetRevoked(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ stays, interrupted bool }{
		"being played": {false, false},
		"resumed":      {false, true},
		"being played at a server that has begun anew": {true, false},
		"resumed at a server that stays":               {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKeyed(t, test.stays)
			key := k.keys("add", "lab")
			var server *umpireProcess
			if test.stays {
				server = k.serve()
			}
			run, lab := k.begin(key)
			lab.quietly()
			if test.interrupted || test.stays {
				killed(lab)
			}
			if test.interrupted {
				killed(run)
			} else if test.stays {
				killed(server)
				k.serve()
			}
			k.keys("remove", "lab")
			key = k.keys("add", "lab")
			if test.interrupted {
				run = k.play("--resume")
			}
			said := run.says("^umpire: worker lab is excluded, and what it has played is played again after the others: (.*)")[1]
			if want := map[bool]string{false: "2 matches", true: "0 matches since the run was resumed, and all before"}[test.interrupted]; said != want {
				t.Errorf("found %q played again, expected %q", said, want)
			}
			run.quietly()
			again := k.withKey("lab", key)
			again.says("the worker lab has been excluded from this run; add it under another name")
			killed(again)
			k.allow("mill", 6)
			mill := k.withKey("mill", k.keys("add", "mill"), "--no-pause").quietly()
			run.exits("the tournament", 0)
			killed(mill)
			for file, want := range map[string]string{"results.jsonl": "mill", "withdrawn.jsonl": "lab"} {
				text, err := os.ReadFile(filepath.Join(k.run, file))
				n := strings.Count(string(text), `"worker":"`+want+`"`)
				if err != nil || n != strings.Count(string(text), `"worker":"`) || n != map[string]int{"lab": 2, "mill": 6}[want] {
					t.Errorf("%s: error %v, found %d matches of %s, or others", file, err, n, want)
				}
			}
		})
	}
}

// excludes starts a run of the bot, by a command, and removes the key of its worker, lab, after two matches.
func (k *keyed) excludes(command ...string) (run, lab *umpireProcess) {
	k.t.Helper()
	key := k.keys("add", "lab")
	run = k.start("", append(command, k.bot(), "-o", k.run, "--jobs", "0", "--listen", "127.0.0.1:0", "--workers", k.keysFile())...)
	k.url, _ = run.listening(0)
	k.allow("lab", 2)
	lab = k.withKey("lab", key, "--no-pause").quietly()
	(&follower{t: k.t, dir: k.run}).wait(2)
	k.keys("remove", "lab")
	run.says("^umpire: worker lab is excluded, and what it has played is played again after the others: 2 matches")
	return run, lab
}

// TestFleetStoppedAfterRevoked: a tournament or a scoring that is interrupted counts, and keeps, nothing of
// what a worker has played whose key is removed.
func TestFleetStoppedAfterRevoked(t *testing.T) {
	t.Parallel()
	for said, args := range map[string][]string{
		"0 matches finished, kept in": {"tournament", "ioiwari", "@greedy"},
		"0 of 25 matches finished":    {"score", "ioiwari"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			k := newKeyed(t, false)
			run, lab := k.excludes(append(args, "--time", "0")...)
			run.interrupt()
			run.says("^umpire: interrupted; " + said)
			run.quietly().exits("the run", 130)
			killed(lab)
			if n := k.records(); n != 0 {
				t.Errorf("found %d records, expected none", n)
			}
		})
	}
}

// TestFleetKilledAfterRevoked: where a run is killed before the records of a worker that is excluded are
// withdrawn, its standings say so, and it is resumed without them, also without workers.
func TestFleetKilledAfterRevoked(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"tournament", "--resume"}, {"score", "ioiwari", "--time", "0", "-n", "3"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			k := newKeyed(t, false)
			first := args
			if args[0] == "tournament" {
				first = []string{"tournament", "ioiwari", "@greedy", "--time", "0", "--cases-per-pair", "3"}
			}
			run, lab := k.excludes(first...)
			killed(run)
			killed(lab)
			out, err := exec.Command(k.path, "standings", k.run).CombinedOutput()
			if want := "2 matches of excluded workers still count, and will be played again"; err != nil || !strings.Contains(string(out), want) {
				t.Errorf("found standings %s, error %v; expected %q", out, err, want)
			}
			k.allow("own", 6)
			if args[0] == "score" {
				args = append(args, k.bot(), "--from", k.run)
			}
			k.start("own", append(args, "-o", k.run, "--jobs", "1")...).quietly().exits("the resumed run", 0)
			for file, want := range map[string]int{"results.jsonl": 0, "withdrawn.jsonl": 2} {
				text, err := os.ReadFile(filepath.Join(k.run, file))
				if n := strings.Count(string(text), `"worker":"lab"`); err != nil || n != want {
					t.Errorf("%s: error %v, found %d matches of lab, expected %d", file, err, n, want)
				}
			}
		})
	}
}
