package cli

import (
	"context"
	"time"

	"umpire/referee"
)

// patience is how long a command that was interrupted may take to end: killing
// the contestants of all jobs takes well under a second.
const patience = 5 * time.Second

// interruptible runs a command. One that is interrupted ends by itself, but for a
// read that the kernel makes wait, of a pipe or of a dead server: that one is left
// behind, and whatever else runs dies with umpire.
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
