package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/scope/scopetest"
	"umpire/referee/testlevel"
)

// scopes is a service manager that gives an ordinary user's umpire control groups.
type scopes struct {
	limitsTest
	t     *testing.T
	least int // how many processes it wants in a scope

	mu    sync.Mutex // guards what follows
	asked []scopetest.Asked
	dirs  []string // of the last scope
}

// newScopes begins to serve on a bus that umpire is told of.
func newScopes(t *testing.T, least int) *scopes {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root gives control groups away")
	}
	s := &scopes{limitsTest: newLimitsTest(t), t: t, least: least}
	s.uid = ordinaryUser
	for _, dir := range []string{"cache", "out"} {
		must(t, errors.Join(os.Mkdir(filepath.Join(s.dir, dir), 0o700), os.Chown(filepath.Join(s.dir, dir), s.uid, s.uid)))
	}
	t.Setenv("UMPIRE_CACHE", filepath.Join(s.dir, "cache"))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", scopetest.Serve(t, s.dir, s.answer))
	must(t, os.Chmod(filepath.Join(s.dir, "bus"), 0o666))
	for _, name := range []string{"SSH_CONNECTION", "STY"} {
		t.Setenv(name, "")
	}
	t.Setenv("TMUX", "/tmp/tmux,1,0")
	return s
}

func (s *scopes) answer(a scopetest.Asked) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, a)
	if len(a.PIDs) < s.least {
		return "", errors.New("too few")
	}
	mounts, err := cgroup.Mounts()
	if err != nil {
		return "", err
	}
	parents := []string{mounts[""].Top}
	if cgroup.Write(mounts[""].Top+"/cgroup.subtree_control", "+memory +pids") != nil {
		parents = []string{mounts["memory"].Own, mounts["pids"].Own, mounts["cpuacct"].Own, mounts["freezer"].Own}
	}
	s.dirs = nil
	for _, parent := range parents {
		dir := filepath.Join(parent, a.Unit)
		s.t.Cleanup(func() {
			below, _ := filepath.Glob(dir + "/umpire.*")
			for _, d := range append(below, dir) {
				removeGroup(s.t, d)
			}
		})
		s.dirs = append(s.dirs, dir)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return "", err
		}
		files, _ := filepath.Glob(dir + "/*")
		for _, file := range append(files, dir) {
			err = errors.Join(err, os.Chown(file, s.uid, s.uid))
		}
		for _, pid := range a.PIDs {
			err = errors.Join(err, cgroup.Write(dir+"/cgroup.procs", strconv.Itoa(pid)))
		}
		if err != nil {
			return "", err
		}
	}
	return "done", nil
}

// signal sends a signal to all in the last scope.
func (s *scopes) signal(signal syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	below, _ := filepath.Glob(s.dirs[0] + "/umpire.*")
	for _, dir := range append(below, s.dirs[0]) {
		text, _ := os.ReadFile(dir + "/cgroup.procs")
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil {
				_ = syscall.Kill(pid, signal)
			}
		}
	}
}

// TestStrictInScope: an ordinary user's umpire asks for a scope and plays at strict, with
// limits that the kernel enforces. It asks each time, and tries the level once.
func TestStrictInScope(t *testing.T) {
	const lingers, moved = "loginctl enable-linger", "umpire itself has moved into umpire."
	for _, least := range []int{1, 2} {
		s := newScopes(t, least)
		for played := range 2 {
			o, code, stderr := s.match(t, "auto", s.hog("heap", 30))
			if code != 0 || o.Isolation != "strict" || o.Error != "" || o.Seats[0].Verdict != "memory" || o.Seats[1].Verdict != "ok" || o.Seats[0].Peak > memoryLimit<<20 {
				t.Fatalf("exit code %d, found %+v; %s", code, o, stderr)
			}
			if !strings.Contains(stderr, lingers) || strings.Contains(stderr, moved) != (least > 1) {
				t.Errorf("found %q, expected %q, and %q only if systemd wants that", stderr, lingers, moved)
			}
			tried, _ := filepath.Glob(s.dir + "/cache/trials/strict-*")
			s.mu.Lock()
			asked := len(s.asked)
			s.mu.Unlock()
			if asked != (played+1)*least || len(tried) != 1 {
				t.Errorf("%d requests and %q after match %d, expected %d, and one trial", asked, tried, played+1, (played+1)*least)
			}
		}
	}
}

// TestScopeRefused plays where systemd rejects the request: auto falls back to the level
// available without a scope, and strict fails with the reason.
func TestScopeRefused(t *testing.T) {
	s := newScopes(t, 3)
	for _, first := range []bool{true, false} {
		out, code, stderr := s.umpire(t, "match", "vmukni", "@greedy", "@greedy", "--case", "small#1.1", "--time", "60s", "--json")
		if code != 0 || bytes.Contains(out, []byte(`"isolation":"strict"`)) {
			t.Errorf("exit code %d, found %s%s", code, out, stderr)
		}
		if strings.Contains(stderr, "umpire checks the memory of bots while they play; the kernel enforces the limit at strict alone") != first {
			t.Errorf("first match: %v, found %q, expected what is not enforced, once", first, stderr)
		}
	}
	if _, code, stderr := s.match(t, "strict", "@greedy"); code != 2 || !strings.Contains(stderr, "a scope: refused by systemd: too few") {
		t.Errorf("exit code %d, found %q, expected why there is no scope", code, stderr)
	}
}

// TestScopeEnded ends the scope during a match, as systemd does, and kills all in it: the
// command ends as at Ctrl-C, and nobody is blamed.
func TestScopeEnded(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGWINCH, syscall.SIGTERM, syscall.SIGKILL} {
		testlevel.Needs(t, testlevel.Default)
		s := newScopes(t, 0)
		cmd := exec.Command(filepath.Join(s.dir, "umpire"), "match", "vmukni", "x=/bin/sh -c 'while :; do :; done'", "@greedy", "--isolation", "strict", "--case", "small#1.1",
			"--time", "1h", "--quiet", "--verbose", "-o", s.dir+"/out/run")
		cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "UMPIRE_TEST_CASES="+s.dir+"/cases", "HOME="+s.dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}}
		pipe, err := cmd.StderrPipe()
		must(t, err)
		must(t, cmd.Start())
		errs := bufio.NewReader(pipe)
		for line := ""; !strings.Contains(line, "seat 1 x →"); { // the match is on
			if line, err = errs.ReadString('\n'); err != nil {
				t.Fatal(err, line)
			}
		}
		s.signal(signal)
		text, _ := io.ReadAll(errs)
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%v: exit code %d, expected 130: %s", signal, code, text)
		}
		for _, want := range []string{"was ended from outside; to let it outlive your last session, once: loginctl enable-linger\n", "umpire: to play it again: umpire match vmukni"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%v: says %q, expected %q", signal, text, want)
			}
		}
		if records, err := os.ReadFile(s.dir + "/out/run/results.jsonl"); len(records) > 0 {
			t.Errorf("%v: found a record of the match: %s%v", signal, records, err)
		}
	}
}
