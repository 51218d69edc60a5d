package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"umpire/referee"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
)

// compilerLimits bounds a compiler's resources. Builder limits its time. Disk
// covers its temporary files and the folder it makes the program in.
var compilerLimits = sandbox.Limits{
	Memory: 2 << 30, Disk: 1 << 30, FileSize: 256 << 20, Files: 4096, Processes: 512,
}

// look is how often a compiler's resource use is checked.
const look = 25 * time.Millisecond

// compilerOutput is how much of a compiler's output is kept, from the start.
const compilerOutput = 64 << 10

// Compile runs a compiler like an untrusted program, through the launcher, since
// the source controls what the compiler does: the compiler sees only that
// source and its own installation, and leaves only its output. It serves as
// build.Builder's Run.
func (b Resolver) Compile(ctx context.Context, c build.Command) ([]byte, error) {
	launcher, err := b.Launcher()
	if err != nil {
		return nil, err
	}
	output, err := compile(ctx, launcher, c, compilerLimits)
	if errors.As(err, new(*build.FailedError)) {
		err = cmp.Or(lacking(launcher.Level(), c.Dir, output, err), err)
	}
	return output, err
}

func compile(ctx context.Context, launcher sandbox.Launcher, c build.Command, limits sandbox.Limits) ([]byte, error) {
	if launcher.Level() == referee.LevelNone {
		return build.Plain(ctx, c)
	}
	command := sandbox.Command{
		Path: c.Args[0], Args: c.Args, Dir: c.Dir, Write: []string{filepath.Dir(c.Dir)}, Limits: limits,
	}
	if err := equip(ctx, &command); err != nil {
		return nil, err
	}
	input, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer input.Close()
	ours, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("create pipe: %w", err)
	}
	defer ours.Close()
	command.Stdin, command.Stdout, command.Stderr = int(input.Fd()), int(theirs.Fd()), int(theirs.Fd())
	runtime.LockOSThread() // sandbox.Launcher
	defer runtime.UnlockOSThread()
	p, err := launcher.Start(command)
	theirs.Close()
	if errors.Is(err, sandbox.ErrNotExecuted) {
		return nil, &build.ToolError{Reason: err}
	}
	if err != nil {
		return nil, err
	}
	return attend(ctx, p, ours, limits, c.Look)
}

// Prepare makes the preparations for Compile that may take long. It serves as
// build.Builder's Prepare.
func (b Resolver) Prepare(ctx context.Context, c build.Command) error {
	launcher, err := b.Launcher()
	if err != nil || launcher.Level() == referee.LevelNone {
		return err
	}
	return prepare(ctx, c.Args[0])
}

// attend waits for a compiler to exit, and returns its output. See is build.Command.Look.
func attend(ctx context.Context, p sandbox.Process, from io.Reader, limits sandbox.Limits, see func(time.Duration, bool)) ([]byte, error) {
	printed := make(chan []byte)
	go func() {
		head, _ := io.ReadAll(io.LimitReader(from, compilerOutput))
		_, _ = io.Copy(io.Discard, from)
		printed <- head
	}()
	for next := time.Now().Add(build.Glance); !sandbox.AwaitExit(p, look); {
		p.Memory() // kills it beyond its limits
		if see != nil && time.Now().After(next) {
			children, _ := p.Children()
			_, ready := build.LookAt(p.Pid())
			see(p.CPU()+children, ready)
			next = time.Now().Add(build.Glance)
		}
		if ctx.Err() != nil {
			p.Kill()
		}
	}
	exit := p.Wait()
	head := <-printed
	if exit.Err != nil && !isOverwritten(exit.Err) {
		return head, exit.Err
	}
	if err := compilerEnd(exit, limits); err != nil {
		return head, &build.FailedError{Reason: err}
	}
	return head, nil
}

// isOverwritten reports whether a compiler's output can't be copied back as it has the
// name of a part of the source, and is of another kind.
func isOverwritten(err error) bool {
	return errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}

// compilerEnd returns an error if a compiler failed, worded like os/exec's
// where possible.
func compilerEnd(exit sandbox.Exit, limits sandbox.Limits) error {
	status := exit.Status
	switch {
	case exit.Err != nil:
		return exit.Err
	case exit.OutOfMemory:
		return fmt.Errorf("the compiler used more than %s of memory", referee.Size(limits.Memory))
	case exit.OutOfDisk:
		return fmt.Errorf("the compiler wrote more than %s, or too many files", referee.Size(limits.Disk))
	case exit.OutOfProcesses:
		return fmt.Errorf("the compiler started more than %d processes and threads", limits.Processes)
	case isForbidden(status):
		return errors.New("the compiler made a forbidden system call")
	case status.Signaled():
		return fmt.Errorf("signal: %v", status.Signal())
	case status.ExitStatus() != 0:
		return fmt.Errorf("exit status %d", status.ExitStatus())
	}
	return nil
}
