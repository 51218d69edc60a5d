package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/fleet/status"
	"umpire/referee/fleet/worker"
	"umpire/referee/testlevel"
)

// gated is a run whose matches last until a gate is opened.
type gated struct {
	t                   *testing.T
	path, dir, run, url string
	tools               string // PATH of what it starts
}

// newGated writes a bot that replies once the file that GATE names is there, and
// loses then.
func newGated(t *testing.T) *gated {
	t.Helper()
	testlevel.Needs(t, testlevel.Default)
	g := &gated{t: t, dir: t.TempDir()}
	g.tools = fewTools(t)
	g.path, g.run = link(t, os.Args[0], filepath.Join(g.dir, "umpire")), filepath.Join(g.dir, "run")
	bot := "#!/bin/sh\nread line\nuntil [ -e \"$GATE\" ]; do sleep 0.1; done\necho lost\n"
	write(t, g.bot(), bot)
	return g
}

func (g *gated) bot() string { return filepath.Join(g.dir, "gated") }

// fewTools is a PATH with what bots in shell need, and the tools that are named: a worker
// asks each compiler that it finds for its version, which takes longer than a match. In a
// cell it is not there.
func fewTools(t *testing.T, named ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range append([]string{"sh", "cat", "sleep", "mkdir", "rmdir"}, named...) {
		file, err := exec.LookPath(name)
		must(t, err)
		must(t, os.Symlink(file, filepath.Join(dir, name)))
	}
	return "PATH=" + dir
}

// startWorker starts a worker that finds few tools.
func startWorker(t *testing.T, path string, args ...string) *umpireProcess {
	t.Helper()
	return startUmpire(t, "/usr/bin/env", append([]string{fewTools(t), path, "worker"}, args...)...)
}

// start starts an umpire whose bots wait for a gate.
func (g *gated) start(gate string, args ...string) *umpireProcess {
	return startUmpire(g.t, "/usr/bin/env", append([]string{g.tools, "GATE=" + filepath.Join(g.dir, gate), g.path}, args...)...)
}

func (g *gated) coordinator(args ...string) *umpireProcess {
	p := g.start("", append([]string{"tournament", "ioiwari", "@greedy", g.bot(), "--time", "0", "-o", g.run, "--listen", "127.0.0.1:0", "--jobs", "0"}, args...)...)
	g.url, _ = p.listening(0)
	return p
}

// worker joins as people type it: HOST:PORT, and the secret in the environment.
func (g *gated) worker(gate string) *umpireProcess {
	secret, err := os.ReadFile(g.token())
	must(g.t, err)
	return startUmpire(g.t, "/usr/bin/env", g.tools, "GATE="+filepath.Join(g.dir, gate), "UMPIRE_KEY="+string(secret), g.path,
		"worker", "--join", strings.TrimPrefix(g.url, "http://"), "--jobs", "1")
}

func (g *gated) token() string { return filepath.Join(g.run, "fleet", "token") }

func (g *gated) open(gate string) {
	g.t.Helper()
	write(g.t, filepath.Join(g.dir, gate), "")
}

// look runs `umpire workers --json`.
func (g *gated) look() (f status.Fleet) {
	g.t.Helper()
	text, err := startUmpireOutput(g, "workers", "--json", "--join", g.url, "--token-file", g.token())
	if err != nil {
		var ended *exec.ExitError
		if errors.As(err, &ended) {
			g.t.Fatalf("umpire workers: %v: %s", err, ended.Stderr)
		}
		g.t.Fatal(err)
	}
	must(g.t, json.Unmarshal(text, &f))
	return f
}

func startUmpireOutput(g *gated, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(g.t.Context(), g.path, args...)
	cmd.Env = append(os.Environ(), "UMPIRE_ISOLATION=none")
	return cmd.Output()
}

// seen waits until the state of the run is so. It asks as `umpire workers` does, and in
// the end by that.
func (g *gated) seen(what string, is func(status.Fleet) bool) status.Fleet {
	g.t.Helper()
	token, err := os.ReadFile(g.token())
	must(g.t, err)
	w := &worker.Worker{URL: g.url, Token: strings.TrimSpace(string(token))}
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(hangTime); ; <-again.C {
		f, err := w.Look(g.t.Context())
		if err == nil && len(f) == 1 && is(f[0]) {
			if f := g.look(); is(f) {
				return f
			}
		}
		if time.Now().After(end) {
			g.t.Fatalf("waited %v until %s; found %+v, error %v", hangTime, what, f, err)
		}
	}
}

// playedIn counts the matches that are being played.
func playedIn(f status.Fleet) (n int) {
	for _, w := range f.Workers {
		n += w.Busy
	}
	return n
}

// playing waits until so many matches are being played.
func (g *gated) playing(n int) {
	g.t.Helper()
	g.seen("matches are played", func(f status.Fleet) bool { return playedIn(f) == n })
}

func (p *umpireProcess) interrupt() {
	p.t.Helper()
	must(p.t, p.cmd.Process.Signal(syscall.SIGINT))
}

// says waits for a line on standard error, and returns it and what its groups match.
func (p *umpireProcess) says(form string) []string {
	p.t.Helper()
	expected := regexp.MustCompile(form)
	for {
		line, err := p.stderr.ReadString('\n')
		if err != nil {
			p.t.Fatalf("umpire ended: %q, %v; expected %s", line, err, form)
		}
		if found := expected.FindStringSubmatch(line); found != nil {
			return found
		}
	}
}

func (g *gated) records() int {
	g.t.Helper()
	return len(inFolder(g.t, g.run))
}

// TestFleetDrains: the first interrupt of a coordinator lets the match that is
// played finish, and begins no other; the run is resumed then. So does that of a
// worker.
func TestFleetDrains(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	coordinator := g.coordinator("--cases-per-pair", "2")
	worker := g.worker("gate")
	g.playing(1)
	coordinator.interrupt()
	coordinator.says("interrupted; matches in progress may finish, and no more begin")
	worker.says("^umpire: run [a-z0-9]+ has been interrupted: matches in progress finish, and no more begin")
	g.seen("the run drains", func(f status.Fleet) bool { return f.Draining && playedIn(f) == 1 })
	g.open("gate")
	coordinator.says("to resume: umpire tournament --resume ")
	coordinator.quietly().exits("the coordinator", 130)
	if n := g.records(); n != 1 {
		t.Errorf("found %d records, expected that of the match that was played", n)
	}
	worker.interrupt()
	worker.quietly().exits("the worker", 0)

	resumed := g.start("", "tournament", "--resume", "-o", g.run, "--listen", "127.0.0.1:0", "--jobs", "0")
	g.url, _ = resumed.listening(0)
	worker = g.worker("second")
	g.playing(1)
	worker.interrupt()
	worker.says("interrupted; matches in progress may finish")
	g.open("second")
	worker.quietly().exits("the second worker", 0)
	left := g.seen("the worker has left", func(f status.Fleet) bool {
		return len(f.Workers) == 1 && f.Workers[0].State == status.Left && f.Done > 1 // its record may come later
	})
	if left.Done != 2 || left.Total != 4 || left.Workers[0].Matches != 1 {
		t.Errorf("found %+v, expected 2 of 4 matches, of which the worker played 1", left)
	}
	g.worker("gate").quietly()
	if code := resumed.quietly().ends("the resumed tournament"); code != 0 || g.records() != 4 {
		t.Errorf("exit code %d and %d records, expected 0 and 4", code, g.records())
	}
}

// TestFleetWaits: a worker that waits while the run is interrupted plays when it is resumed.
func TestFleetWaits(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	coordinator := g.coordinator("--cases-per-pair", "20")
	worker := g.worker("gate")
	g.playing(1)
	coordinator.interrupt()
	worker.says("^umpire: run [a-z0-9]+ has been interrupted: matches in progress finish, and no more begin")
	g.open("gate")
	coordinator.quietly().exits("the coordinator", 130)
	resumed := g.start("", "tournament", "--resume", "-o", g.run, "--listen", strings.TrimPrefix(g.url, "http://"), "--jobs", "0")
	worker.says("the coordinator is there again")
	resumed.quietly().exits("the resumed tournament", 0)
	worker.quietly().exits("the worker", 0)
	if n := g.records(); n != 40 {
		t.Errorf("found %d records, expected 40", n)
	}
}

// TestFleetStops: the second interrupt does not wait for the match that is
// played.
func TestFleetStops(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	g := newGated(t)
	coordinator := g.coordinator("--cases-per-pair", "1")
	worker := g.worker("gate")
	g.playing(1)
	for _, p := range []*umpireProcess{worker, coordinator} {
		p.interrupt()
		p.says("interrupted; matches in progress may finish")
		p.interrupt()
	}
	if code := coordinator.quietly().ends("the coordinator"); code != 130 || g.records() != 0 {
		t.Errorf("the coordinator: exit code %d and %d records, expected 130 and 0", code, g.records())
	}
	worker.quietly().exits("the worker", 0)
}

// TestFleetSeen: the lobby and /metrics of a coordinator show its workers;
// metrics are read on the same machine or with a token.
func TestFleetSeen(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	g.coordinator("--cases-per-pair", "1").quietly()
	g.worker("gate").quietly()
	g.playing(1)
	text, err := startUmpireOutput(g, "workers", "--join", g.url, "--token-file", g.token())
	if form := regexp.MustCompile(`(?s)^run [a-z0-9]+: 0/2 matches, 1 worker\n\nworker +state .*last word.*\n.* playing +1/1 +0 +- +\d+\.\d s ago +none +`); err != nil || !form.Match(text) {
		t.Errorf("umpire workers: error %v, found\n%s", err, text)
	}
	token, err := os.ReadFile(g.token())
	must(t, err)
	if code, page := fetch(t, g.url+"/"); code != 200 || !regexp.MustCompile(`(?s)>Workers</h2>.*0/2 matches, 1 worker.*<td>playing</td><td class="n">1/1</td>`).MatchString(page) {
		t.Errorf("the lobby: status %d, found no worker in\n%s", code, page)
	}
	through := []string{"X-Forwarded-For", "192.0.2.1"}
	for _, c := range []struct {
		headers []string
		code    int
	}{
		{nil, 200}, {through, 401}, {append(through, "Authorization", "Bearer wrong"), 401},
		{append(through, "Authorization", "Bearer "+strings.TrimSpace(string(token))), 200},
		{append(through, "Authorization", "Bearer token"), 200}, // the organiser's
	} {
		code, text := fetch(t, g.url+"/metrics", c.headers...)
		if code != c.code || code == 200 && !strings.Contains(text, "\numpire_workers{state=\"playing\"} 1\n") {
			t.Errorf("/metrics with %q: status %d, expected %d; found\n%s", c.headers, code, c.code, text)
		}
	}
}

// TestFleetStraggler: a knockout does not wait for a worker that is stopped, nor
// for one that is slow: its match is given to another.
func TestFleetStraggler(t *testing.T) {
	t.Parallel()
	testlevel.Needs(t, testlevel.Thorough) // it waits as long as a worker may be silent
	g := newGated(t)
	coordinator := g.coordinator("--cases-per-pair", "1", "--format", "knockout").quietly()
	slow := g.worker("gate").quietly()
	g.playing(1)
	g.open("fast")
	g.worker("fast").quietly()
	if code := coordinator.ends("the tournament"); code != 0 || g.records() != 2 {
		t.Errorf("exit code %d and %d records, expected 0 and 2", code, g.records())
	}
	slow.exits("the slow worker", 0)
}
