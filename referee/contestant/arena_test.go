//go:build linux

package contestant_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"umpire/referee/procfs"
	"umpire/referee/program"
)

// locked ties the goroutine to its thread, as a launcher wants it.
func locked() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// load keeps all processors busy, twice over.
func (a *arena) load(t *testing.T) (unload func()) {
	t.Helper()
	var spinners []*exec.Cmd
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command(a.path, "load")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		spinners = append(spinners, cmd)
	}
	return func() {
		for _, cmd := range spinners {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
}

// behaviours lists what the program can do.
func (a *arena) behaviours(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command(a.path, "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// left counts the living processes with a mark in their environment. Those that
// have been killed may take a moment to go, and nobody tells when.
func left(mark string) int {
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(time.Minute); ; <-again.C {
		if n := marked(mark); n == 0 || time.Now().After(end) {
			return n
		}
	}
}

func marked(mark string) int {
	n := 0
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environments {
		if env, err := os.ReadFile(name); err == nil && bytes.Contains(append(env, 0), []byte(mark+"\x00")) {
			n++
		}
	}
	return n
}

// nothingLeft notes what there is; the function it returns finds descriptors,
// children and goroutines that have been added.
func (a *arena) nothingLeft(t *testing.T) (check func()) {
	t.Helper()
	a.startOnce(t)
	goroutines := goleak.IgnoreCurrent()
	before := descriptors(t)
	return func() {
		t.Helper()
		a.launcher.(interface{ CloseIdle() }).CloseIdle()
		for link, n := range descriptors(t) {
			if n > before[link] {
				t.Errorf("left open: %d descriptors of %s", n-before[link], link)
			}
		}
		for _, child := range zombies(t) {
			t.Errorf("left unreaped: child %d", child)
		}
		goleak.VerifyNone(t, goroutines)
	}
}

// startOnce starts a program, so that what umpire opens once, and keeps, is open.
func (a *arena) startOnce(t *testing.T) {
	t.Helper()
	defer locked()()
	c, err := a.started(program.Bot{Path: "/bin/true", Args: []string{"true"}}, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	c.Kill()
	a.launcher.(interface{ CloseIdle() }).CloseIdle()
	a.builder.Use(filepath.Join(a.builder.Cache, "any"))
}

// descriptors counts the open descriptors by what they are of; pipes and the
// like all count as one kind.
func descriptors(t *testing.T) map[string]int {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	open := make(map[string]int)
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil {
			kind, _, _ := strings.Cut(to, ":[")
			open[kind]++
		}
	}
	return open
}

// zombies are the children that have ended and were not waited for.
func zombies(t *testing.T) (pids []int) {
	t.Helper()
	self := os.Getpid()
	for _, pid := range procfs.Descendants(self, nil, math.MaxInt) {
		if procfs.Parent(pid) == self && procfs.State(pid) == 'Z' {
			pids = append(pids, pid)
		}
	}
	return pids
}
