package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A trial starts umpire itself at a level, as a program that tries what the
// level promises to prevent and says what it got away with.

const trialMemory = 64 << 20

// trialLimits are like those of a match.
var trialLimits = Limits{Memory: 256 << 20, CPU: time.Minute}

// tryLevel runs the whole trial.
func tryLevel(l Launcher) error {
	secret, remove, err := plantSecret()
	if err != nil {
		return err
	}
	defer remove()
	return errors.Join(tryFence(l, secret), tryDeath(l), tryProcesses(l), tryMemory(l))
}

// plantSecret makes a file that anybody may read and write, for the probe to
// reach for: what is not the trial's own it must leave alone, as the level may
// keep nothing.
func plantSecret() (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "umpire-trial-")
	if err != nil {
		return "", nil, fmt.Errorf("create trial folder: %w", err)
	}
	path = filepath.Join(dir, "secret")
	if err := errors.Join(os.Chmod(dir, 0o777), os.WriteFile(path, []byte("x"), 0o666), os.Chmod(path, 0o666)); err != nil {
		os.RemoveAll(dir)
		return "", nil, fmt.Errorf("plant secret: %w", err)
	}
	return path, func() { os.RemoveAll(dir) }, nil
}

// tryFence lets the probe reach for what lies outside.
func tryFence(l Launcher, secret string) error {
	out, exit, err := probe(l, trialLimits, "reach", string(l.Level()), secret, fmt.Sprint(os.Getpid()))
	switch {
	case err != nil:
		return err
	case exit.Status != 0 || out != "fenced\n":
		return fmt.Errorf("a program could %s (status %#x)", strings.TrimSpace(out), int(exit.Status))
	}
	return nil
}

// tryDeath lets the probe make a forbidden call.
func tryDeath(l Launcher) error {
	_, exit, err := probe(l, trialLimits, "trace")
	switch {
	case err != nil:
		return err
	case !exit.Status.Signaled() || exit.Status.Signal() != unix.SIGSYS:
		return fmt.Errorf("a forbidden system call ended with status %#x", int(exit.Status))
	}
	return nil
}

// tryProcesses lets the probe make more processes than it may. Basic promises
// no exact number to an ordinary user's programs.
func tryProcesses(l Launcher) error {
	if l.Level() == Basic && !ownUIDs() {
		return nil
	}
	out, _, err := probe(l, Limits{Processes: 16}, "processes")
	if err == nil && strings.Contains(out, "done") {
		err = errors.New("the limit of processes did not hold")
	}
	return err
}

// tryMemory lets the probe take more memory than it may.
func tryMemory(l Launcher) error {
	out, exit, err := probe(l, Limits{Memory: trialMemory}, "memory")
	switch {
	case err != nil:
		return err
	case strings.Contains(out, "done") || !exit.OutOfMemory:
		return errors.New("the memory limit did not hold")
	}
	return nil
}

// probe runs the probe to its end and returns its output. That it takes longer
// than trialTime is a failure.
func probe(l Launcher, limits Limits, args ...string) (string, Exit, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", Exit{}, fmt.Errorf("find umpire: %w", err)
	}
	var in, out [2]int
	if err := errors.Join(unix.Pipe2(in[:], unix.O_CLOEXEC), unix.Pipe2(out[:], unix.O_CLOEXEC)); err != nil {
		return "", Exit{}, fmt.Errorf("create pipe: %w", err)
	}
	p, err := l.Start(Command{
		Path: exe, Args: append([]string{probeName}, args...), Env: []string{"GOMAXPROCS=1"}, Dir: "/",
		Stdin: in[0], Stdout: out[1], Stderr: out[1], Limits: limits,
	})
	closeAll([]int{in[0], out[1]})
	defer closeAll([]int{in[1], out[0]})
	if err != nil {
		return "", Exit{}, err
	}
	for end := time.Now().Add(trialTime); ; {
		fds := []unix.PollFd{{Fd: int32(p.Exited()), Events: unix.POLLIN}}
		if n, _ := unix.Poll(fds, 5); n > 0 {
			break
		}
		p.Memory() // looks whether the limit is kept
		if time.Now().After(end) {
			p.Kill()
			err = errors.New("the trial run took too long")
			break
		}
	}
	exit := p.Wait()
	_ = syscall.SetNonblock(out[0], true)
	var buf [4096]byte
	n, _ := unix.Read(out[0], buf[:])
	return string(buf[:max(n, 0)]), exit, err
}

const trialTime = 10 * time.Second
