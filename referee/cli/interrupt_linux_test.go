package cli_test

import (
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"umpire/referee/testlevel"
)

// defaultHangup gives the programs that the test starts the system's action for
// SIGHUP, though the tests themselves may run under nohup, which they'd inherit.
func defaultHangup(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
}

// TestMatchInterrupted interrupts a match while a bot makes it wait: umpire
// says so and ends with 128 and the signal's number. nohup keeps SIGHUP away.
func TestMatchInterrupted(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	defaultHangup(t)
	const over = "umpire: interrupted before the match was over\numpire: to play it again: umpire match ioiwari "
	for _, c := range []struct {
		signal syscall.Signal
		nohup  bool
		says   string
		code   int
	}{
		{syscall.SIGINT, false, over, 130},
		{syscall.SIGTERM, false, over, 143},
		{syscall.SIGHUP, false, over, 129},
		{syscall.SIGHUP, true, "", 0},
	} {
		dir := t.TempDir()
		bot, fifo := filepath.Join(dir, "waits.sh"), filepath.Join(dir, "fifo")
		must(t, syscall.Mkfifo(fifo, 0o600))
		write(t, bot, "#!/bin/sh\nread line <"+fifo+"\n")
		command := []string{link(t, os.Args[0], filepath.Join(dir, "umpire")), "match", "ioiwari", bot, "--quiet", "--verbose", "--isolation", "none", "--time", "1h"}
		if c.nohup {
			command = append([]string{"/usr/bin/nohup"}, command...)
		}
		p := startUmpire(t, command[0], command[1:]...)
		p.says("seat 1 waits →") // the match is on
		must(t, p.cmd.Process.Signal(c.signal))
		if c.nohup { // it goes on: let the bot end by itself
			otherEnd(t, fifo, os.O_WRONLY).Close()
		}
		text, _ := io.ReadAll(p.stderr)
		if code := p.ends("the match"); code != c.code {
			t.Errorf("%v (nohup %v): exit code %d, expected %d: %s", c.signal, c.nohup, code, c.code, text)
		}
		if !strings.Contains(string(text), c.says) || strings.Contains(string(text), "interrupted") != (c.says != "") {
			t.Errorf("%v (nohup %v): says %q, expected %q", c.signal, c.nohup, text, c.says)
		}
	}
}
