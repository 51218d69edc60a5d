package sandbox

import (
	"strconv"
	"strings"

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
)

// bufferMemory is the data that lies unread in the pipes and sockets that processes hold,
// in bytes. Those that can't be looked at count nothing.
func bufferMemory(tree []int) (sum int64) {
	seen := make(map[string]bool)
	for _, pid := range tree {
		base := procfs.Dir(pid) + "/fd"
		pidfd := -1
		for _, name := range procfs.Names(base) {
			var buf [64]byte
			n, err := unix.Readlink(base+"/"+name, buf[:])
			link := string(buf[:max(n, 0)])
			if err != nil || seen[link] || !strings.HasPrefix(link, "socket:[") && !strings.HasPrefix(link, "pipe:[") {
				continue
			}
			seen[link] = true
			if pidfd < 0 {
				if pidfd, err = unix.PidfdOpen(pid, 0); err != nil {
					break
				}
			}
			if fd, err := strconv.Atoi(name); err == nil {
				sum += unread(pidfd, fd, link)
			}
		}
		if pidfd >= 0 {
			unix.Close(pidfd)
		}
	}
	return sum
}

// unread is the data that a descriptor of a process keeps for its reader.
func unread(pidfd, theirs int, link string) int64 {
	fd, err := unix.PidfdGetfd(pidfd, theirs, 0)
	if err != nil {
		return 0
	}
	defer unix.Close(fd)
	if strings.HasPrefix(link, "socket:") {
		n, _ := unix.IoctlGetInt(fd, unix.SIOCOUTQ) // of what it has sent, with the kernel's own overhead
		return int64(n)
	}
	if n, _ := unix.IoctlGetInt(fd, unix.TIOCINQ); n == 0 {
		return 0
	}
	n, _ := unix.FcntlInt(uintptr(fd), unix.F_GETPIPE_SZ, 0) // a byte may take a page
	return int64(n)
}
