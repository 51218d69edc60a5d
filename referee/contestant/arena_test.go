//go:build linux

package contestant_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// locked ties the goroutine to its thread, as a launcher wants it.
func locked() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// thorough reports whether tests are to try all combinations and to repeat what
// goes wrong but rarely, which takes minutes.
func thorough() bool { return os.Getenv("UMPIRE_TEST") == "thorough" }

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
	for end := time.Now().Add(10 * time.Second); ; <-again.C {
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
func nothingLeft(t *testing.T) (check func()) {
	t.Helper()
	goroutines := goleak.IgnoreCurrent()
	before := descriptors(t)
	return func() {
		t.Helper()
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
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, f := range strings.Fields(string(children)) {
			stat, _ := os.ReadFile("/proc/" + f + "/stat")
			if i := bytes.LastIndexByte(stat, ')'); i >= 0 && bytes.HasPrefix(stat[i:], []byte(") Z")) {
				pid, _ := strconv.Atoi(f)
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
