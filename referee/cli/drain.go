package cli

import (
	"sync"
)

// drain handles interrupts of a command: the first one may let the matches in
// progress finish, and the second one stops the command.
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

// begin starts draining, and reports whether it did: not at a second interrupt,
// nor in a command that does not drain.
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

// isBegun reports whether draining has begun.
func (d *drain) isBegun() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.begun
}
