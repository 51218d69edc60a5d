//go:build unix && !darwin

package contestant

import "golang.org/x/sys/unix"

// fifoReader is how a FIFO is opened to read.
const fifoReader = unix.O_RDONLY
