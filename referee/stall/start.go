package stall

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// Start watches until end is called, and has Ctrl-Z stop the contestants before
// umpire itself.
func (c *Clock) Start(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { c.Watch(ctx) })
	if !signal.Ignored(syscall.SIGTSTP) {
		stops := make(chan os.Signal, 1)
		signal.Notify(stops, syscall.SIGTSTP)
		watching.Go(func() {
			defer signal.Stop(stops)
			for {
				select {
				case <-stops:
					c.Pause(stopSelf)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return func() {
		cancel()
		watching.Wait()
	}
}

// stopSelf stops this process until it is continued.
func stopSelf() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	// The signal may go to a thread that has to wait for a CPU first.
	time.Sleep(50 * time.Millisecond)
}
