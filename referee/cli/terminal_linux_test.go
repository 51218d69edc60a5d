package cli_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"umpire/referee/testlevel"
)

// TestNoTerminal runs umpire on a terminal, and expects that at no level a bot
// has it: it could type into it.
func TestNoTerminal(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for _, level := range []string{"none", "auto"} {
		k := newKiller(t)
		bot := filepath.Join(k.dir, "typist.sh")
		write(t, bot, "#!/bin/sh\n(: </dev/tty) 2>/dev/null && exit 8\nexit 7\n")
		ours, theirs := openTerminal(t, 80)
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		cmd := k.command("match", "ioiwari", bot, "--quiet", "--time", "1m", "--isolation", level)
		cmd.Stdin = theirs
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
		out, err := cmd.Output()
		theirs.Close()
		ours.Close()
		if err != nil || !strings.Contains(string(out), "exit status 7") {
			t.Errorf("%s: %v: %s", level, err, out)
		}
	}
}

// startOn starts a command of a killer on a terminal, of which it is the only user at the end
// that is theirs.
func startOn(t *testing.T, ours, theirs *os.File, cmd *exec.Cmd) {
	t.Helper()
	if cmd.Stdin == nil {
		cmd.Stdin = theirs
	}
	cmd.Stdout, cmd.Stderr = theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	must(t, cmd.Start())
	theirs.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		ours.Close()
	})
}

// openTerminal opens the two ends of a new terminal, which is so wide.
func openTerminal(t *testing.T, columns uint16) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	fd := int(ours.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: columns})
	}
	if err == nil {
		theirs, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	return ours, theirs
}
