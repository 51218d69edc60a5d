package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// drain is what a command does at the first interrupt, if it lets what is in
// progress finish; the second one stops it.
type drain struct {
	mu    sync.Mutex
	first func() // nil: the first interrupt stops the command
	begun bool
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

// begin reports whether an interrupt was the first of a command that lets what
// is in progress finish.
func (d *drain) begin() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.first == nil || d.begun {
		return false
	}
	d.begun = true
	d.first()
	return true
}

// isBegun reports whether what is in progress has been let finish.
func (d *drain) isBegun() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.begun
}

// interrupts returns a context that ends at an interrupt that stops the command,
// or when it is cancelled. The next one after that ends umpire immediately.
func (a *app) interrupts() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endSignals()...)
	go func() {
		defer signal.Stop(signals)
		defer cancel()
		for {
			select {
			case <-signals:
				if !a.drain.begin() {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, cancel
}
