package watch

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
	// fullSocket is the amount one can be made to buffer.
	fullSocket = 2 * bufferBytes
)

// bufferMemory is the data that lies unread in the pipes and sockets that processes hold,
// in bytes. Those that can't be looked at count nothing. There are so many sockets in
// their network: those that none of them holds, since they are on their way in messages or
// nobody has accepted them, count as full.
func bufferMemory(tree []int, sockets int) (sum int64) {
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
			if strings.HasPrefix(link, "socket:[") {
				sockets--
			}
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
	return sum + int64(max(0, sockets))*fullSocket
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
