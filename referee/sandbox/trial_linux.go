package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/launch"
)

// A trial starts umpire itself at a level, as a program that tries what the
// level promises to prevent and says what it got away with.

// tryLevel runs the whole trial.
func tryLevel(l Launcher) error {
	if l.Level() == referee.LevelNone {
		return tryStart(l)
	}
	p, err := plant()
	if err != nil {
		return err
	}
	defer p.remove()
	return tryEach(l, p, tryFence, tryWrite, tryDeath, tryProcesses, tryMemory)
}

// tryEach makes trials of a level, and returns what it has not kept in each. Where a
// probe can't be run to its end, there are no more, as the next would say the same.
func tryEach(l Launcher, p planted, trials ...func(Launcher, planted) error) error {
	var broken []error
	for _, try := range trials {
		err := try(l, p)
		broken = append(broken, err)
		if _, ok := errors.AsType[*notRunError](err); ok {
			break
		}
	}
	return errors.Join(broken...)
}

// notRunError reports a probe that could not be run to its end.
type notRunError struct{ reason error }

func (e *notRunError) Error() string { return e.reason.Error() }

func (e *notRunError) Unwrap() error { return e.reason }

// planted are the files a trial leaves on the disk for the probe: what is not the
// trial's own it must leave alone, as the level may keep nothing.
type planted struct {
	top    string
	secret string // a file that anybody may read and write, and the probe is not given
	bot    string // a folder the probe is given to read, and works in, with a file
	work   string // a folder it may be given to write
}

func plant() (planted, error) {
	top, err := NewTempDir("trial-") // which is removed even if umpire is killed
	if err != nil {
		return planted{}, fmt.Errorf("create trial folder in TMPDIR: %w", err)
	}
	p := planted{top: top, secret: top + "/hidden/secret", bot: top + "/bot", work: top + "/work"}
	errs := []error{os.Chmod(top, 0o755)}
	for _, dir := range []string{filepath.Dir(p.secret), p.bot, p.work} {
		errs = append(errs, os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755)) // whatever the mask
	}
	errs = append(errs,
		os.Chmod(filepath.Dir(p.secret), 0o777),
		os.WriteFile(p.secret, []byte("x"), 0o666), os.Chmod(p.secret, 0o666),
		os.WriteFile(filepath.Join(p.bot, givenFile), []byte("x"), 0o644), os.Chmod(filepath.Join(p.bot, givenFile), 0o644))
	if err := cmp.Or(errs...); err != nil {
		p.remove()
		return planted{}, fmt.Errorf("plant trial files in TMPDIR: %w", &ownError{err})
	}
	return p, nil
}

func (p planted) remove() { _ = os.RemoveAll(p.top) }

// command is how the probe is started: as a contestant in a match.
func (p planted) command() Command {
	return Command{Dir: p.bot, Read: []string{p.bot}, Limits: trialLimits}
}

// tryStart starts the probe, which does nothing.
func tryStart(l Launcher) error {
	out, exit, err := probe(l, Command{Dir: "/"}, "nothing")
	if err == nil && (exit.Err != nil || exit.Status != 0) {
		err = cmp.Or(exit.Err, fmt.Errorf("umpire's own program ended with status %#x: %s", int(exit.Status), out))
	}
	return err
}

// tryFence lets the probe reach for what lies outside.
func tryFence(l Launcher, p planted) error {
	out, exit, err := probe(l, p.command(), "reach", string(l.Level()), p.secret, fmt.Sprint(os.Getpid()))
	switch {
	case err != nil:
		return err
	case exit.Err != nil:
		return fmt.Errorf("a program could end its supervisor: %w", exit.Err)
	case exit.Status != 0 || out != "fenced\n":
		return fmt.Errorf("a program could %s (status %#x)", strings.TrimSpace(out), int(exit.Status))
	}
	return nil
}

// tryWrite lets the probe write in a folder it was given, as a compiler does.
func tryWrite(l Launcher, p planted) error {
	c := p.command()
	c.Write = []string{p.work}
	_, _, err := probe(l, c, "write", filepath.Join(p.work, "made"))
	if err != nil {
		return err
	}
	if _, err := os.ReadFile(filepath.Join(p.work, "made")); err != nil {
		if err := os.WriteFile(filepath.Join(p.work, "own"), []byte("x"), 0o644); err != nil {
			return &ownError{err} // the disk has just become full
		}
		return fmt.Errorf("a program could not write to a folder it was given: %w", err)
	}
	return nil
}

// tryDeath lets the probe make a forbidden call.
func tryDeath(l Launcher, p planted) error {
	_, exit, err := probe(l, p.command(), "trace")
	switch {
	case err != nil:
		return err
	case !exit.Status.Signaled() || exit.Status.Signal() != unix.SIGSYS:
		return fmt.Errorf("a forbidden system call ended with status %#x", int(exit.Status))
	case exit.Status.CoreDump():
		return errors.New("a program has left a core")
	}
	return nil
}

// tryProcesses lets the probe make more processes than it may. Basic promises
// no exact number to an ordinary user's programs.
func tryProcesses(l Launcher, p planted) error {
	if l.Level() == referee.LevelBasic && !thisMachine().privileges.ownUIDs {
		return nil
	}
	out, _, err := probe(l, p.command(), "processes")
	if err == nil && strings.Contains(out, "done") {
		err = errors.New("the limit of processes did not hold")
	}
	return err
}

// tryMemory lets the probe take more memory than it may.
func tryMemory(l Launcher, p planted) error {
	out, exit, err := probe(l, p.command(), "memory")
	switch {
	case err != nil:
		return err
	case strings.Contains(out, "done") || !exit.OutOfMemory:
		return errors.New("the memory limit did not hold")
	}
	return nil
}

// noThread are the words of Go's runtime, with and without cgo, where it gets no thread.
var noThread = []string{"pthread_create failed", "failed to create new OS thread"}

// probe runs the probe, with what a command has already, to its end and returns
// its output. That umpire's helper or the probe can't run for want of something is an
// error, and so is that the probe takes longer than trialTime.
func probe(l Launcher, c Command, args ...string) (output string, exit Exit, err error) {
	output, exit, err = runProbe(l, c, args)
	own, _ := l.(*launcher)
	isLacking := func(words string) bool { return strings.Contains(output, words) }
	switch failed := cmp.Or(err, exit.Err); {
	case errors.Is(failed, ErrMachineMemory):
		err = &ownError{failed}
	case failed != nil && own != nil && own.serverEndedBefore(failed):
		err = &ownError{errors.New("umpire's helper process has ended, as processes (ulimit -u) or memory may be short")}
	case args[0] != "processes" && slices.ContainsFunc(noThread, isLacking): // which makes all it may
		err = fmt.Errorf("start a thread: %w", syscall.EAGAIN)
	}
	if err != nil {
		err = &notRunError{err}
	}
	return output, exit, err
}

func runProbe(l Launcher, c Command, args []string) (output string, exit Exit, err error) {
	exe, err := os.Executable()
	if err != nil {
		return "", Exit{}, fmt.Errorf("find umpire: %w", err)
	}
	var in, out [2]int
	if err := errors.Join(unix.Pipe2(in[:], unix.O_CLOEXEC), unix.Pipe2(out[:], unix.O_CLOEXEC)); err != nil {
		return "", Exit{}, fmt.Errorf("create pipe: %w", err)
	}
	c.Path, c.Args, c.Env = exe, append([]string{probeName}, args...), []string{"GOMAXPROCS=1"}
	c.Stdin, c.Stdout, c.Stderr = in[0], out[1], out[1]
	p, err := l.Start(c)
	launch.CloseAll([]int{in[0], out[1]})
	defer launch.CloseAll([]int{in[1], out[0]})
	if err != nil {
		return "", Exit{}, err
	}
	for end := time.Now().Add(trialTime); !AwaitExit(p, 5*time.Millisecond); {
		p.Memory() // looks whether the limit is kept
		if time.Now().After(end) {
			p.Kill()
			err = fmt.Errorf("the trial run took longer than %v", trialTime)
			break
		}
	}
	exit = p.Wait()
	_ = syscall.SetNonblock(out[0], true)
	var buf [4096]byte
	n, _ := unix.Read(out[0], buf[:])
	return string(buf[:max(n, 0)]), exit, err
}
