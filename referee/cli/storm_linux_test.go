package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"umpire/referee/testlevel"
)

// natsServer is a NATS server: the test binary.
func natsServer(t *testing.T, dir string) string {
	t.Helper()
	return link(t, os.Args[0], filepath.Join(dir, "nats-server"))
}

// freePorts finds ports on which nobody listens, nor will before they are used:
// at an address of this machine that nothing else uses.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	var list []string
	address := ownAddress()
	for range n {
		l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
		must(t, err)
		defer l.Close()
		list = append(list, l.Addr().String())
	}
	return list
}

var addresses atomic.Uint32

// ownAddress returns an address of this machine that neither another test nor
// another process of tests uses.
func ownAddress() string {
	pid, n := os.Getpid(), addresses.Add(1)
	return net.IPv4(127, byte(1+n), byte(pid>>8), byte(pid)).String()
}

// accepts waits until somebody listens at an address.
func accepts(t *testing.T, at string) {
	t.Helper()
	for end := time.Now().Add(hangTime); ; time.Sleep(5 * time.Millisecond) {
		c, err := net.Dial("tcp", at)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited %v for somebody to listen at %s: %v", hangTime, at, err)
		}
	}
}

// running is a process that is started anew after each kill.
type running struct {
	what  string
	start func() *umpireProcess
	p     *umpireProcess
}

// strike kills the process, and starts another in its place.
func (r *running) strike() {
	_ = r.p.cmd.Process.Kill()
	_ = r.p.cmd.Wait()
	r.p = r.start()
}

// follower counts the records of a run folder as they are written.
type follower struct {
	t      *testing.T
	dir    string
	offset int64
	n      int
}

// wait waits until there are so many records. It fails the test if there is no
// new one for hangTime.
func (f *follower) wait(n int) {
	f.t.Helper()
	for last := time.Now(); f.n < n; time.Sleep(10 * time.Millisecond) {
		if f.look() {
			last = time.Now()
		}
		if time.Since(last) > hangTime {
			f.t.Fatalf("waited %v for a record more than %d in %s", hangTime, f.n, f.dir)
		}
	}
}

// look reports whether there are new records. What is not a whole line yet is
// left to the next time: it may be cut off when a run is resumed.
func (f *follower) look() bool {
	file, err := os.Open(filepath.Join(f.dir, "results.jsonl"))
	if err != nil {
		return false
	}
	defer file.Close()
	text, _ := io.ReadAll(io.NewSectionReader(file, f.offset, 1<<30))
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	f.offset += int64(len(whole))
	f.n += bytes.Count(whole, []byte("\n"))
	return len(whole) > 0
}

// storm is a tournament on workers at a separate NATS server, all of which are
// killed again and again.
type storm struct {
	matches, kills int
	workers        int
}

// play plays the tournament, and compares it with one on this machine.
func (s storm) play(t *testing.T) {
	dir, path := withUmpire(t)
	nats := natsServer(t, dir)
	local, run := filepath.Join(dir, "local"), filepath.Join(dir, "run")
	args := []string{
		"tournament", "ioiwari", "@greedy", "@random", "--time", "0", "--cases-per-pair", fmt.Sprint(s.matches / 2), "--quiet",
	}
	alone := startUmpire(t, path, append(args, "-o", local)...).quietly()
	(&follower{t: t, dir: local}).wait(s.matches)
	alone.exits("the local tournament", 0)

	at := freePorts(t, 1)[0]
	url, token := "nats://"+at, filepath.Join(dir, "token")
	write(t, token, "secret\n")
	host, port, _ := net.SplitHostPort(at)
	server := &running{what: "the server", start: func() *umpireProcess {
		return startUmpire(t, nats, "-a", host, "-p", port, "--auth", "secret", "-js", "-sd", filepath.Join(dir, "store")).quietly()
	}}
	begun := false
	coordinator := &running{what: "the coordinator", start: func() *umpireProcess {
		list := append(args, "-o", run)
		if begun {
			list = []string{"tournament", "--resume", "-o", run, "--quiet"}
		}
		return startUmpire(t, path, append(list, "--nats", url, "--token-file", token, "--jobs", "0")...).quietly()
	}}
	all := []*running{server, coordinator}
	for i := range s.workers {
		all = append(all, &running{what: fmt.Sprintf("worker %d", i), start: func() *umpireProcess {
			return startWorker(t, path, "--join", url, "--token-file", token, "--jobs", "1", "--no-pause").quietly()
		}})
	}
	for _, r := range all {
		r.p = r.start()
		accepts(t, at) // a coordinator begins at no server that is not there
	}

	random := rand.New(rand.NewPCG(1, 2))
	struck := make(map[string]int)
	records := &follower{t: t, dir: run}
	for kill := range s.kills {
		records.wait((kill + 1) * s.matches / (s.kills + 2))
		begun = true
		victim := all[random.IntN(len(all))]
		struck[victim.what]++
		victim.strike()
	}
	t.Logf("killed: %v", struck)
	records.wait(s.matches)
	coordinator.p.exits("the tournament", 0)
	got, want := inFolder(t, run), inFolder(t, local)
	if len(want) != s.matches || !maps.Equal(got, want) {
		t.Errorf("found %d matches, expected %d that end in the same way", len(got), s.matches)
	}
	if got, want := standings(t, path, run), standings(t, path, local); got != want {
		t.Errorf("found standings\n%s\nexpected\n%s", got, want)
	}
}

// standings returns the standings of a run folder, but for what depends on time.
func standings(t *testing.T, path, dir string) string {
	t.Helper()
	out, err := exec.Command(path, "standings", "--no-times", "--pairs", dir).Output()
	if err != nil || len(out) == 0 {
		t.Fatalf("standings of %s: %v", dir, err)
	}
	return string(out)
}

// TestFleetStorm kills workers, coordinator and server over and over: each
// match is recorded once, and the standings are those of a local run.
func TestFleetStorm(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough) // TestFleet kills one of each
	t.Parallel()
	s := storm{matches: 120, kills: 6, workers: 3}
	if testlevel.Current() == testlevel.Release {
		s.matches, s.kills = 5000, 100
	}
	s.play(t)
}
