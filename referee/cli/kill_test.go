//go:build linux

package cli_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/testlevel"
)

// TestKilledUmpireLeavesNobody kills umpire with SIGKILL in the middle of a
// match. Its contestant, which ignores what can be ignored, and the child that
// the contestant has started must be gone.
func TestKilledUmpireLeavesNobody(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	dir := t.TempDir()
	bot := filepath.Join(dir, "bot.sh")
	// Both hold the named pipe open, so it ends when both are gone.
	script := "#!/bin/sh\ntrap '' HUP INT TERM\nexec 3>" + dir + "/alive\nsleep 1000 &\necho $$ $! >&3\nsleep 1000\n"
	write(t, bot, script)
	fifo := filepath.Join(dir, "alive")
	must(t, unix.Mkfifo(fifo, 0o600))
	umpire := startUmpire(t, link(t, os.Args[0], filepath.Join(dir, "umpire")), "match", "ioiwari", bot, "--time", "0", "--isolation", "none")
	// The trial start is over once the match is announced.
	if _, err := umpire.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	alive := otherEnd(t, fifo, os.O_RDONLY)
	defer alive.Close()
	r := bufio.NewReader(alive)
	if _, err := r.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	must(t, umpire.cmd.Process.Kill())
	_ = umpire.cmd.Wait()
	// The pipe ends when the last process that holds it has died; a survivor
	// keeps it open for longer than hangTime.
	if rest, err := r.ReadString(0); err != io.EOF {
		t.Fatalf("read %q, error %v, expected the end", rest, err)
	}
}

// TestUmpireKilledAtOnce lets a contestant kill umpire as the first thing it
// does, which may be before umpire has learned that it runs. Nobody may be left.
func TestUmpireKilledAtOnce(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	dir := t.TempDir()
	fifo := filepath.Join(dir, "alive")
	must(t, unix.Mkfifo(fifo, 0o600))
	script := "#!/bin/sh\nexec 3>" + fifo + "\nsleep 1000 &\nkill -KILL $ME\nsleep 1000\n"
	bot := filepath.Join(dir, "bot.sh")
	write(t, bot, script)
	path := link(t, os.Args[0], filepath.Join(dir, "umpire"))
	for range 10 {
		umpire := exec.Command("/bin/sh", "-c", `ME=$$ exec "$0" match ioiwari "$1" --time 0 --isolation none`, path, bot)
		must(t, umpire.Start())
		alive := otherEnd(t, fifo, os.O_RDONLY)
		_ = umpire.Wait()
		// A survivor keeps the pipe open for longer than hangTime.
		if rest, err := io.ReadAll(alive); err != nil || len(rest) > 0 {
			t.Errorf("read %q, error %v, expected the end", rest, err)
		}
		alive.Close()
	}
}

// otherEnd opens a named pipe, once a bot has it open at the other end. What is
// read from it must come within hangTime.
func otherEnd(t *testing.T, fifo string, flag int) *os.File {
	t.Helper()
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		file, err := os.OpenFile(fifo, flag, 0)
		done <- opened{file, err}
	}()
	select {
	case o := <-done:
		if o.err == nil {
			o.err = o.file.SetDeadline(time.Now().Add(hangTime))
		}
		if o.err != nil {
			t.Fatal(o.err)
		}
		return o.file
	case <-time.After(hangTime):
		t.Fatalf("waited %v for a bot to open %s", hangTime, fifo)
		return nil
	}
}

// withUmpire makes a folder in which umpire is, and returns its path there.
func withUmpire(t *testing.T) (dir, umpire string) {
	t.Helper()
	dir = t.TempDir()
	return dir, link(t, os.Args[0], filepath.Join(dir, "umpire"))
}

// link makes a second name for a file, by which it knows what to be.
func link(t *testing.T, from, to string) string {
	t.Helper()
	from, err := filepath.Abs(from)
	must(t, err)
	must(t, os.Symlink(from, to))
	return to
}
