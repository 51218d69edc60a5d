//go:build unix

package stall

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// awaitStops handles the signal of Ctrl-Z until ctx ends, by one of the goroutines that
// watch.
func (c *Clock) awaitStops(ctx context.Context, watching *sync.WaitGroup) {
	if signal.Ignored(syscall.SIGTSTP) {
		return
	}
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
