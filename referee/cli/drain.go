package cli

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"umpire/referee"
)

// drain handles interrupts of a command: the first one may let the matches in
// progress finish, and the second one stops the command.
type drain struct {
	mu    sync.Mutex
	first func()      // nil: the first interrupt stops the command
	begun atomic.Bool // draining
}

// atFirstInterrupt has the first interrupt call f. The returned function has it
// stop the command again.
func (d *drain) atFirstInterrupt(f func()) (undo func()) {
	d.set(f)
	return func() { d.set(nil) }
}

func (d *drain) set(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.first = f
}

// begin starts draining, and reports whether it did: not at a second interrupt,
// nor in a command that does not drain.
func (d *drain) begin() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.first == nil || d.begun.Load() {
		return false
	}
	d.begun.Store(true)
	d.first()
	return true
}

// patience is how long an interrupted command may take to end: killing the
// contestants of all jobs takes well under a second.
const patience = 5 * time.Second

// interruptible runs a command. An interrupted command ends by itself, unless
// it is blocked in a read of a pipe or from a dead server: such a command is
// abandoned, and everything still running dies with umpire.
func interruptible(ctx context.Context, run func() error) error {
	done := make(chan error, 1)
	go func() { done <- referee.Guard(run) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return context.Cause(ctx)
	}
}
