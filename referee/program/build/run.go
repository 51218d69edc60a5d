package build

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// maxOutput is how much of a compiler's output is kept, from the start: the
// first error matters most.
const maxOutput = 64 << 10

// Plain runs a command with umpire's own rights. It is killed with all that it has
// started when ctx ends.
func Plain(ctx context.Context, c Command) ([]byte, error) {
	// The kernel kills the compiler when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	var out head
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = attributes()
	var all group
	cmd.Cancel = func() error { return all.kill(cmd.Process) }
	cmd.WaitDelay = time.Second
	err := all.start(cmd)
	defer all.close()
	if err != nil {
		return nil, &ToolError{Reason: err}
	}
	if c.Look != nil {
		defer glance(c.Look, cmd.Process.Pid)()
	}
	err = cmd.Wait()
	switch {
	case cmd.ProcessState != nil && cmd.ProcessState.Success() && err == ctx.Err():
		return out.data, nil // as ctx ended
	case errors.As(err, new(*exec.ExitError)), errors.Is(err, exec.ErrWaitDelay):
		return out.data, &FailedError{err}
	}
	return out.data, err
}

// glance calls look at each Glance with what a process uses, until end is called, which waits
// for the last call.
func glance(look func(time.Duration, bool), pid int) (end func()) {
	over := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(Glance):
				look(LookAt(pid))
			}
		}
	})
	return func() {
		close(over)
		group.Wait()
	}
}

// head keeps the beginning of what is written to it.
type head struct{ data []byte }

func (h *head) Write(b []byte) (int, error) {
	h.data = append(h.data, b[:min(len(b), maxOutput-len(h.data))]...)
	return len(b), nil
}
