package contestant

import "golang.org/x/sys/unix"

// fifoReader is how a FIFO is opened to read: for writing as well, since its end can't be
// told here from that nobody has opened it yet.
const fifoReader = unix.O_RDWR
