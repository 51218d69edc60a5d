package remote

import (
	"context"
	"sync"
)

// Change wakes those who wait until something has changed. A lock guards it, as all that
// changes; the zero Change is ready.
type Change struct{ next chan struct{} }

// Next returns what is closed when something changes next.
func (c *Change) Next() <-chan struct{} {
	if c.next == nil {
		c.next = make(chan struct{})
	}
	return c.next
}

// Await unlocks mu, which guards the Change, until something has changed or ctx ends, whose
// cause it returns then.
func (c *Change) Await(ctx context.Context, mu *sync.Mutex) error {
	next := c.Next()
	mu.Unlock()
	defer mu.Lock()
	select {
	case <-next:
	case <-ctx.Done():
	}
	return context.Cause(ctx)
}

// Wake says that something has changed.
func (c *Change) Wake() {
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
}

// CountDown counts one less under a name, which goes with the last.
func CountDown(count map[string]int, name string) {
	if count[name]--; count[name] == 0 {
		delete(count, name)
	}
}
