package sandbox

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/sandbox/launch"
)

// levels are the levels a test is run at: those this machine has.
func levels() []referee.Level {
	list := []referee.Level{referee.LevelNone, referee.LevelBasic, referee.LevelBox}
	if _, err := New(referee.LevelStrict); err == nil {
		list = append(list, referee.LevelStrict)
	}
	return list
}

func atEachLevel(t *testing.T, list []referee.Level, f func(t *testing.T, l Launcher)) {
	for _, level := range list {
		t.Run(string(level), func(t *testing.T) {
			l, err := New(level)
			must(t, err)
			holdCells(t, l)
			f(t, l)
		})
	}
}

// launcherOf returns the launcher of a level, or skips the test where there is none.
func launcherOf(t *testing.T, level referee.Level) Launcher {
	t.Helper()
	l, err := New(level)
	if err != nil {
		t.Skip(err)
	}
	holdCells(t, l)
	return l
}

// holdCells lets no cell of a launcher expire before the test is over, however slow
// the machine is, and then closes all: none is to give its user back in the middle
// of another test.
func holdCells(t *testing.T, l Launcher) {
	c := &l.(*launcher).cells
	c.MaxIdle = 24 * time.Hour
	t.Cleanup(c.CloseAll)
}

// outcome holds the traces of a program that has ended.
type outcome struct {
	out, err string
	exit     Exit
}

// run runs a command with the given input to its end.
func run(t testing.TB, l Launcher, c Command, input string) outcome {
	t.Helper()
	o, err := try(l, c, input)
	must(t, err)
	return o
}

func try(l Launcher, c Command, input string) (outcome, error) {
	var o outcome
	in, err := pipes(&c)
	if err != nil {
		return o, err
	}
	p, err := l.Start(c)
	launch.CloseAll([]int{c.Stdin, c.Stdout, c.Stderr})
	defer in.close()
	if err != nil {
		return o, err
	}
	var reading sync.WaitGroup
	for f, to := range map[*os.File]*string{in.out: &o.out, in.err: &o.err} {
		reading.Go(func() {
			b, _ := io.ReadAll(f)
			*to = string(b)
		})
	}
	_, _ = io.WriteString(in.in, input)
	in.in.Close()
	o.exit = p.Wait()
	reading.Wait()
	return o, nil
}

// ends are umpire's ends of a program's pipes.
type ends struct{ in, out, err *os.File }

func (e ends) close() {
	e.in.Close()
	e.out.Close()
	e.err.Close()
}

// pipes gives a command its descriptors.
func pipes(c *Command) (ends, error) {
	var fds [3][2]int
	for i := range fds {
		if err := syscall.Pipe2(fds[i][:], syscall.O_CLOEXEC); err != nil {
			return ends{}, err
		}
	}
	c.Stdin, c.Stdout, c.Stderr = fds[0][0], fds[1][1], fds[2][1]
	return ends{
		os.NewFile(uintptr(fds[0][1]), "stdin"),
		os.NewFile(uintptr(fds[1][0]), "stdout"),
		os.NewFile(uintptr(fds[2][0]), "stderr"),
	}, nil
}

// begin starts a command with pipes, which are closed when the test is over.
func begin(t testing.TB, l Launcher, c Command) (Process, ends) {
	t.Helper()
	e, err := pipes(&c)
	must(t, err)
	t.Cleanup(e.close)
	p, err := l.Start(c)
	launch.CloseAll([]int{c.Stdin, c.Stdout, c.Stderr})
	must(t, err)
	return p, e
}

// command looks a program up.
func command(t testing.TB, args ...string) Command {
	t.Helper()
	path, err := exec.LookPath(args[0])
	if err != nil {
		t.Skip(err)
	}
	return Command{Path: path, Args: args, Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: "/", Read: Toolchain(path)}
}

func TestEcho(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		o := run(t, l, command(t, "cat"), "hello\n")
		if o.out != "hello\n" || o.err != "" || o.exit.Status != 0 {
			t.Errorf("%+v", o)
		}
		if o.exit.CPU <= 0 {
			t.Errorf("no CPU time: %+v", o.exit)
		}
		t.Log(o.exit)
	})
}

func TestStartFails(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		_, err := try(l, Command{Path: "/usr/bin/nothing-here", Args: []string{"x"}, Dir: "/"}, "")
		if err == nil || !strings.Contains(err.Error(), "nothing-here") {
			t.Errorf("error %v", err)
		}
	})
}
