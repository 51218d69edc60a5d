//go:build !linux

package arena

// Claims are the processors that a process plays on. On this system matches are
// pinned to none.
type Claims struct{}

// Take returns the processors.
func (c *Claims) Take(cpus []int, n int) []int { return cpus }
