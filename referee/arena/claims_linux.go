package arena

import (
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// Claims are the processors that a process plays on, as the other umpires of this
// machine see them, unless they are in another network namespace, such as a
// container's. The zero value claims none.
type Claims struct{ sockets []int }

// maxSharing is how many umpires on one processor are told apart.
const maxSharing = 64

// Take claims n of some processors and returns all of them, those first that the
// fewest umpires of this machine have claimed. What it claimed before is given
// up. Claims end with the process; a program that takes them all without playing
// does no more harm than umpires that play.
func (c *Claims) Take(cpus []int, n int) []int {
	for _, socket := range c.sockets {
		_ = unix.Close(socket)
	}
	c.sockets = c.sockets[:0]
	rest := slices.Clone(cpus)
	order := make([]int, 0, len(cpus))
	for sharing := 0; sharing < maxSharing && len(order) < min(n, len(cpus)); sharing++ {
		rest = slices.DeleteFunc(rest, func(cpu int) bool {
			if len(order) == n || !c.claim(cpu, sharing) {
				return false
			}
			order = append(order, cpu)
			return true
		})
	}
	return append(order, rest...)
}

// claim claims a processor, if no other umpire has made the claim of that number:
// it is a name of an abstract socket, which one process at a time may have.
func (c *Claims) claim(cpu, number int) bool {
	socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return false
	}
	if err := unix.Bind(socket, &unix.SockaddrUnix{Name: fmt.Sprintf("@umpire-cpu-%d-%d", cpu, number)}); err != nil {
		_ = unix.Close(socket)
		return false
	}
	c.sockets = append(c.sockets, socket)
	return true
}
