package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/procfs"
)

// TestFleetStopped: a worker that is stopped during a match, for longer than a bot has
// altogether, makes no bot lose on time.
func TestFleetStopped(t *testing.T) {
	t.Parallel()
	const budget = 8 * time.Second
	g := newGated(t)
	for _, name := range []string{"here", "go"} {
		must(t, syscall.Mkfifo(filepath.Join(g.dir, name), 0o600))
	}
	// In its first turn it waits until the worker is stopped, and answers then.
	bot := "#!/bin/sh\ncd " + g.dir + "\nread line\nif mkdir once 2>/dev/null; then echo >here; read line2 <go; fi\n" +
		"{ echo \"$line\"; exec cat; } | " + g.path + " bot ioiwari/greedy\n"
	write(t, g.bot(), bot)
	run := g.start("", "tournament", "ioiwari", g.bot(), "@random", "--time", budget.String(), "--isolation", "none",
		"--cases-per-pair", "1", "-o", g.run, "--listen", "127.0.0.1:0", "--jobs", "0")
	url, _ := run.listening(0)
	run.quietly()
	worker := g.start("", "worker", "--join", url, "--token-file", g.token(), "--jobs", "1", "--no-pause", "--isolation", "none").quietly()
	here := otherEnd(t, filepath.Join(g.dir, "here"), os.O_RDONLY)
	if _, err := io.ReadFull(here, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	here.Close()

	signal := func(s syscall.Signal) {
		must(t, worker.cmd.Process.Signal(s))
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	stat := "/proc/" + strconv.Itoa(worker.cmd.Process.Pid) + "/status"
	for !strings.HasPrefix(procfs.Value(stat, "State"), "T") {
		time.Sleep(time.Millisecond)
	}
	proceed := otherEnd(t, filepath.Join(g.dir, "go"), os.O_WRONLY)
	if _, err := io.WriteString(proceed, "\n"); err != nil {
		t.Fatal(err)
	}
	proceed.Close()
	<-time.After(budget + time.Second)
	signal(syscall.SIGCONT)
	run.exits("the tournament", 0)
	for match, end := range inFolder(t, g.run) {
		if strings.Count(end, " ok ") != 2 {
			t.Errorf("match %s ended with%s; expected two bots that are ok", match, end)
		}
	}
	if _, err := os.Stat(filepath.Join(g.dir, "once")); err != nil {
		t.Error(err)
	}
}
