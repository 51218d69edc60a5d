//go:build unix

package stall

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// Start watches until end is called, and has Ctrl-Z stop the contestants before
// umpire itself.
func (c *Clock) Start(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { c.Watch(ctx) })
	if !signal.Ignored(syscall.SIGTSTP) {
		stops, continued := make(chan os.Signal, 1), make(chan os.Signal, 1)
		signal.Notify(stops, syscall.SIGTSTP)
		signal.Notify(continued, syscall.SIGCONT)
		watching.Go(func() {
			defer signal.Stop(stops)
			defer signal.Stop(continued)
			for {
				select {
				case <-stops:
					c.pauseUnless(continued, armStop())
				case <-continued: // it had been stopped, or was not
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

// pauseUnless is Pause, but does not stop this process if it is to be continued
// before all contestants have been stopped: nothing would continue it later.
func (c *Clock) pauseUnless(continued <-chan os.Signal, end func(stop bool)) {
	c.Pause(func() {
		select {
		case <-continued:
			end(false)
		default:
			end(true)
		}
	})
}
