package cli_test

import (
	"fmt"
	"io"
	"maps"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// recordsIn returns the records in a run folder.
func recordsIn(t *testing.T, dir string) (list []record.Record) {
	t.Helper()
	in, err := record.Open(dir)
	must(t, err)
	defer in.Close()
	for r, err := range record.Read(dir, in) {
		must(t, err)
		list = append(list, r)
	}
	return list
}

// inFolder returns how the matches whose records are in a run folder ended, by
// id and bots. It fails the test if a match has two records.
func inFolder(t *testing.T, dir string) map[string]string {
	t.Helper()
	ended := make(map[string]string)
	for _, r := range recordsIn(t, dir) {
		match, end := r.ID, r.Error
		for _, s := range r.Seats {
			match += " " + s.Bot
			end += fmt.Sprintf(" %s %v %d", s.Verdict, s.Score, s.Place)
		}
		if ended[match] != "" {
			t.Errorf("%s: match %s has two records", dir, match)
		}
		ended[match] = end
	}
	return ended
}

// quietly reads the rest of what a process prints, so that it is never blocked.
func (p *umpireProcess) quietly() *umpireProcess {
	go func() { _, _ = io.Copy(io.Discard, p.stderr) }()
	go func() { _, _ = io.Copy(io.Discard, p.out) }()
	return p
}

// hangTime is how long a test waits for what must come: long enough for a machine
// ten times slower. A test that passes never waits for it.
const hangTime = 5 * time.Minute

// ends waits for a process to end, and returns its exit code.
func (p *umpireProcess) ends(what string) int {
	p.t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = p.cmd.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(hangTime):
		p.t.Fatalf("waited %v for the end of %s", hangTime, what)
	}
	return p.cmd.ProcessState.ExitCode()
}

// exits waits for a process to end, and expects an exit code.
func (p *umpireProcess) exits(what string, want int) {
	p.t.Helper()
	if code := p.ends(what); code != want {
		p.t.Errorf("%s: exit code %d, expected %d", what, code, want)
	}
}

// TestFleet plays a tournament on three workers, kills a worker and the
// coordinator in the middle of it, interrupts another worker, and resumes: each
// match has one record, and they end as those of a tournament on one machine.
func TestFleet(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	local, run := filepath.Join(g.dir, "local"), g.run
	args := []string{"tournament", "ioiwari", "@greedy", "@random", g.bot(), "--time", "0", "--cases-per-pair", "4", "--quiet"}
	g.start("", append(args, "-o", local)...).quietly().exits("the local tournament", 0)

	// The port must be free for the second coordinator.
	first := g.start("", append(args, "-o", run, "--listen", net.JoinHostPort(ownAddress(), "0"), "--jobs", "0")...)
	url, _ := first.listening(0)
	first.quietly()
	var workers []*umpireProcess
	for range 3 {
		workers = append(workers, g.start("gate", "worker", "--join", url, "--token-file", g.token(), "--jobs", "1", "--no-pause"))
	}
	for _, w := range workers { // until all are there, the run can't end
		w.says("^umpire: this worker plays for run ")
		w.quietly()
	}
	g.open("gate")
	(&follower{t: t, dir: run}).wait(5)
	_ = workers[0].cmd.Process.Kill()
	(&follower{t: t, dir: run}).wait(10)
	_ = first.cmd.Process.Kill()
	_ = first.cmd.Wait()
	_ = workers[1].cmd.Process.Signal(syscall.SIGINT)
	workers[1].exits("the interrupted worker", 0)

	second := g.start("", "tournament", "--resume", "-o", run, "--quiet", "--listen", strings.TrimPrefix(url, "http://"), "--jobs", "0").quietly()
	second.exits("the resumed tournament", 0)
	workers[2].exits("the worker that is left", 0)
	if got, want := inFolder(t, run), inFolder(t, local); !maps.Equal(got, want) {
		t.Errorf("found %d matches, expected %d that end in the same way:\n%v\n%v", len(got), len(want), got, want)
	}
}

// TestFleetSequential: a sequential test over a fleet decides as on one machine, by the
// same pairs.
func TestFleetSequential(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	g := newGated(t)
	decided := func(dir string, args ...string) string {
		p := g.start("", append([]string{"compare", "ioiwari", "@random", "@optimal", "--sprt", "elo0=0,elo1=200", "--seed", "5", "--time", "0", "-o", dir}, args...)...)
		var worker *umpireProcess
		if len(args) > 0 {
			url, _ := p.listening(0)
			worker = g.start("", "worker", "--join", url, "--token-file", filepath.Join(dir, "fleet", "token"), "--jobs", "2", "--no-pause").quietly()
		}
		p.quietly().exits("the comparison", 0)
		if worker != nil {
			worker.ends("the worker")
		}
		shown := g.start("", "compare", dir)
		text, err := io.ReadAll(shown.out)
		if code := shown.ends("the comparison again"); code != 0 || err != nil {
			t.Fatalf("the comparison of %s: exit code %d, %v", dir, code, err)
		}
		_, test, _ := strings.Cut(string(text), "\n\n") // matches that ended before those that decide are recorded, too
		test, _, _ = strings.Cut(test, "\n\n")
		return test
	}
	here := decided(filepath.Join(g.dir, "local"))
	if there := decided(g.run, "--listen", net.JoinHostPort(ownAddress(), "0"), "--jobs", "0"); there != here || !strings.Contains(here, "SPRT: H1 is accepted") {
		t.Errorf("over a fleet:\n%s\non one machine:\n%s", there, here)
	}
}
