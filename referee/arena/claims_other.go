//go:build !linux

package arena

// Claims are the processors that a process plays on. On this system others that
// play do not hear of them.
type Claims struct{}

// Take returns the processors.
func (c *Claims) Take(cpus []int, n int) []int { return cpus }
