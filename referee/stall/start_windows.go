package stall

import (
	"context"
	"sync"
)

// Start watches until end is called. No key stops a program here.
func (c *Clock) Start(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { c.Watch(ctx) })
	return func() {
		cancel()
		watching.Wait()
	}
}
