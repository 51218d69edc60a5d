package watch

import (
	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// What has been written to a socket or a pipe and not been read is memory that
// belongs to no process.

const (
	// smallTable is the room for descriptors that every process has. In so many
	// sockets little can be kept, and they are looked at only near the limit.
	smallTable = 64
	// bufferBytes is the amount a socket buffers by default.
	bufferBytes = 208 << 10
	// fullSocket is the amount one can be made to buffer.
	fullSocket = 2 * bufferBytes
)

// bufferMemory is the data that lies unread in the pipes, FIFOs and sockets that processes hold,
// in bytes. Those that can't be looked at count nothing. There are so many sockets in
// their network: those that none of them holds, since they are on their way in messages or
// nobody has accepted them, count as full.
func bufferMemory(tree []int, sockets int) (sum int64) {
	seen := make(map[inode]bool)
	for _, pid := range tree {
		for _, thread := range tables(pid) {
			pidfd := -1
			_, _ = eachDescriptor(procfs.ThreadDir(thread)+"/fd", func(_ int, name string, st *unix.Stat_t) {
				id, kind := inode{st.Dev, st.Ino}, st.Mode&unix.S_IFMT
				if seen[id] || kind != unix.S_IFSOCK && kind != unix.S_IFIFO {
					return
				}
				seen[id] = true
				if kind == unix.S_IFSOCK {
					sockets--
				}
				if pidfd < 0 {
					pidfd = openThread(int(procfs.Number([]byte(thread))))
				}
				sum += unread(pidfd, int(procfs.Number([]byte(name))), kind == unix.S_IFSOCK)
			})
			if pidfd >= 0 {
				unix.Close(pidfd)
			}
		}
	}
	return sum + int64(max(0, sockets))*fullSocket
}

// openThread opens a process by one of its threads, which may be another than its first from
// Linux 6.9 on; -1 if it can't.
func openThread(thread int) int {
	for _, flags := range []int{0, unix.PIDFD_THREAD} {
		if fd, err := unix.PidfdOpen(thread, flags); err == nil {
			return fd
		}
	}
	return -1
}

// unread is the data that a descriptor of a process keeps for its reader.
func unread(pidfd, theirs int, socket bool) int64 {
	fd, err := unix.PidfdGetfd(pidfd, theirs, 0)
	if err != nil {
		return 0
	}
	defer unix.Close(fd)
	if socket {
		n, _ := unix.IoctlGetInt(fd, unix.SIOCOUTQ) // of what it has sent, with the kernel's own overhead
		return int64(n)
	}
	if n, _ := unix.IoctlGetInt(fd, unix.TIOCINQ); n == 0 {
		return 0
	}
	n, _ := unix.FcntlInt(uintptr(fd), unix.F_GETPIPE_SZ, 0) // a byte may take a page
	return int64(n)
}
