package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// No program starts another with limits of its own here: umpire starts itself, which
// limits itself and executes the program in its place.

// limiterName is the name under which umpire limits itself; the limits and the program's
// path follow, and its arguments.
const limiterName = "umpire-limits"

// limit is a limit of the kernel's, in its own unit.
type limit struct {
	resource int
	most     uint64
}

// kernelLimits are those of a program. CPU time beyond its own limit is for when umpire
// does not look.
func (l Limits) kernelLimits() []limit {
	list := []limit{{unix.RLIMIT_CORE, 0}}
	for _, some := range []limit{
		{unix.RLIMIT_CPU, uint64((l.CPU + time.Second - 1) / time.Second)}, {unix.RLIMIT_NOFILE, uint64(l.Files)},
		{unix.RLIMIT_FSIZE, uint64(l.FileSize)}, {unix.RLIMIT_STACK, uint64(l.Stack)},
	} {
		if some.most > 0 {
			list = append(list, some)
		}
	}
	return list
}

// limited returns the arguments with which umpire starts itself in place of a program.
func limited(c Command) []string {
	args := []string{limiterName}
	for _, l := range c.Limits.kernelLimits() {
		args = append(args, strconv.Itoa(l.resource), strconv.FormatUint(l.most, 10))
	}
	return append(append(args, "", c.Path), c.Args...)
}

// reports is the descriptor on which the limiter tells why the program can't be executed.
// It is closed by that.
const reports = 3

// limiterMain limits itself and executes the program that its arguments name.
func limiterMain(args []string) {
	syscall.CloseOnExec(reports)
	for ; len(args) > 3 && args[0] != ""; args = args[2:] {
		resource, _ := strconv.Atoi(args[0])
		most, _ := strconv.ParseUint(args[1], 10, 64)
		limit := syscall.Rlimit{Cur: most, Max: most}
		var before syscall.Rlimit
		if syscall.Getrlimit(resource, &before) == nil && before.Max < most {
			continue // it is lower already
		}
		if err := syscall.Setrlimit(resource, &limit); err != nil {
			fail(err)
		}
	}
	fail(syscall.Exec(args[1], args[2:], os.Environ()))
}

func fail(err error) {
	number, _ := errors.AsType[syscall.Errno](err)
	_, _ = syscall.Write(reports, binary.LittleEndian.AppendUint32(nil, uint32(number)))
	os.Exit(1)
}

// awaitExecution returns once a program is executed, or why it is not.
func awaitExecution(from *os.File) error {
	var number [4]byte
	if n, _ := from.Read(number[:]); n != len(number) {
		return nil
	}
	return syscall.Errno(binary.LittleEndian.Uint32(number[:]))
}

// forkLimited starts umpire in place of a program, and returns when that is executed.
func forkLimited(c Command) (pid int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer ours.Close()
	pid, err = syscall.ForkExec(self, limited(c), &syscall.ProcAttr{
		Dir: c.Dir, Env: c.Env,
		Files: []uintptr{uintptr(c.Stdin), uintptr(c.Stdout), uintptr(c.Stderr), theirs.Fd()},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	theirs.Close()
	if err != nil {
		return 0, fmt.Errorf("start itself: %w", err)
	}
	if err := awaitExecution(ours); err != nil {
		_, _ = syscall.Wait4(pid, nil, 0, nil)
		return 0, markRefusal(err)
	}
	return pid, nil
}
