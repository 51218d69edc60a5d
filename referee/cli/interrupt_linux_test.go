package cli_test

import (
	"bufio"
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
		k := killer{t: t, dir: t.TempDir()}
		k.umpire = link(t, os.Args[0], filepath.Join(k.dir, "umpire"))
		bot := filepath.Join(k.dir, "waits.sh")
		fifo := filepath.Join(k.dir, "fifo")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(bot, []byte("#!/bin/sh\nread line <"+fifo+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		args := []string{"match", "ioiwari", bot, "--quiet", "--verbose", "--isolation", "none", "--time", "1h"}
		cmd := k.command(args...)
		if c.nohup {
			cmd.Path, cmd.Args = "/usr/bin/nohup", append([]string{"nohup", cmd.Path}, args...)
		}
		pipe, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		errs := bufio.NewReader(pipe)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for line := ""; !strings.Contains(line, "seat 1 waits →"); { // the match is on
			if line, err = errs.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Signal(c.signal); err != nil {
			t.Fatal(err)
		}
		if c.nohup { // it goes on: let the bot end by itself
			otherEnd(t, fifo, os.O_WRONLY).Close()
		}
		text, _ := io.ReadAll(errs)
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%v (nohup %v): exit code %d, expected %d: %s", c.signal, c.nohup, code, c.code, text)
		}
		if !strings.Contains(string(text), c.says) || strings.Contains(string(text), "interrupted") != (c.says != "") {
			t.Errorf("%v (nohup %v): says %q, expected %q", c.signal, c.nohup, text, c.says)
		}
	}
}
