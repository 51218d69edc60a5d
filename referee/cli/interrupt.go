package cli

import (
	"context"
	"time"

	"umpire/referee"
)

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
