package launch

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file is the part of a cell that runs in its supervisor, under the rules of
// child_linux.go: it starts programs one after the other, and checks after each
// that nothing of it is left.

// The descriptors that a cell's supervisor keeps. Those of a program come after
// them.
const (
	CellReport   = iota + 3 // 0, 1 and 2 are the same, so that they are never a program's
	CellHost                // umpire's mount namespace, as it was when the cell was made
	CellHostRoot            // umpire's root there
	CellOwn                 // the cell's mount namespace
	CellLastPID             // the number of the last process
	CellLists               // the first of header.lists lists of objects
	CellFiles    = CellLists + maxLists
)

// maxLists is how many lists of objects there can be.
const maxLists = 4

// MaxCellScript is the largest launch script that a cell takes, in bytes.
const MaxCellScript = 64 << 10

// What a cell's last message of a program says of the cell.
const (
	somethingLeft int32 = iota
	nothingLeft         // it is as it was before the program
)

// cellRoom is room for what a cell's supervisor receives, and looks at.
type cellRoom struct {
	message unix.Msghdr
	pieces  [2]unix.Iovec
	control [2 + (maxFiles+1)/2]uint64 // a unix.Cmsghdr and descriptors
	initPID byte
	tmpPath [8]byte
	tmp     unix.Statfs_t
}

// prepare is called in the fork server, where pointers can be stored.
func (c *cellRoom) prepare(im *image) {
	c.pieces[0] = unix.Iovec{Base: (*byte)(unsafe.Pointer(&im.header))}
	c.pieces[0].SetLen(int(unsafe.Sizeof(im.header)))
	c.message.Iov, c.message.Control = &c.pieces[0], (*byte)(unsafe.Pointer(&c.control))
	c.message.SetIovlen(len(c.pieces))
	c.initPID = '1'
	copy(c.tmpPath[:], "/tmp")
}

// body says where the body of a launch script goes.
func (c *cellRoom) body(at unsafe.Pointer, size int) {
	c.pieces[1].Base = (*byte)(at)
	c.pieces[1].SetLen(size)
}

// serveCell starts programs until umpire closes the report, or something is left
// of one.
//
//go:nosplit
//go:norace
func (im *image) serveCell() {
	im.report = CellReport
	for im.receive() && im.run(partSetup, partSetup) && im.contestant() {
		im.message.where = somethingLeft
		// The end of the program's mounts may have to wait for the kernel, but to free
		// a full /tmp takes longer than a start, and no start is to wait for that.
		full := im.tmpIsFull()
		if im.isEmpty() && (!full || im.leaveMounts()) {
			im.message.where = nothingLeft
		}
		im.send(messageGone)
		if im.message.where != nothingLeft || !full && !im.leaveMounts() {
			return
		}
	}
}

// leaveMounts ends the program's mounts. Below box it has none.
//
//go:nosplit
//go:norace
func (im *image) leaveMounts() bool {
	if im.header.pidns == 0 {
		return true
	}
	_, _, e := syscall.RawSyscall(unix.SYS_SETNS, CellOwn, unix.CLONE_NEWNS, 0)
	return e == 0
}

// muchInTmp is the number of bytes that the kernel frees in some 0.1 ms.
const muchInTmp = 1 << 20

// tmpIsFull reports whether the program has left much in a /tmp of its own.
//
//go:nosplit
//go:norace
func (im *image) tmpIsFull() bool {
	if im.header.pidns == 0 {
		return false
	}
	fs := &im.cell.tmp
	_, _, e := syscall.RawSyscall(unix.SYS_STATFS, uintptr(unsafe.Pointer(&im.cell.tmpPath)), uintptr(unsafe.Pointer(fs)), 0)
	return e == 0 && int64(fs.Blocks-fs.Bfree)*int64(fs.Bsize) > muchInTmp
}

// receive waits for a launch script.
//
//go:nosplit
//go:norace
//go:nocheckptr
func (im *image) receive() bool {
	im.closeOthers()
	c := &im.cell
	var n uintptr
	for e := unix.EINTR; e == unix.EINTR; {
		c.message.Controllen = uint64(unsafe.Sizeof(c.control))
		n, _, e = syscall.RawSyscall6(unix.SYS_RECVMSG, im.report, uintptr(unsafe.Pointer(&c.message)), unix.MSG_CMSG_CLOEXEC, 0, 0, 0)
		if e != 0 && e != unix.EINTR {
			return false
		}
	}
	h := unsafe.Sizeof(im.header)
	if n < h || n != h+uintptr(im.header.size()) || c.message.Flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0 {
		return false
	}
	im.files[0] = int32(im.report)
	files := int32(1)
	if c.message.Controllen > unix.SizeofCmsghdr {
		for at := uintptr(unix.SizeofCmsghdr); at < uintptr(c.control[0]); at += 4 { // its length
			im.files[files] = *(*int32)(unsafe.Add(unsafe.Pointer(&c.control), at))
			files++
		}
	}
	if files != im.header.files {
		return false
	}
	im.load()
	return true
}

// isEmpty reports whether a cell whose last child was reaped is as it was before its
// first program. Below box there may be children that the supervisor can't kill, as
// those of another user at none; else there is nothing but processes. Process 1
// without a child is alone in its pid namespace. What a program mounts and writes
// goes with the mount namespace that each has for itself. Signals that it has sent
// the supervisor wait there, and count as the user's. A socket on its way in
// another's message outlives all processes, until the kernel finds that. The other
// lists are of objects that the filter lets nobody make. The next program's number
// is not to tell how many there were.
//
//go:nosplit
//go:norace
func (im *image) isEmpty() bool {
	if !im.dropSignals() {
		return false
	}
	if im.header.pidns == 0 {
		_, e := im.reap(unix.WNOHANG)
		return e == unix.ECHILD
	}
	for i := range im.header.lists {
		if !im.listsNothing(CellLists + uintptr(i)) {
			return false
		}
	}
	_, _, e := syscall.RawSyscall6(unix.SYS_PWRITE64, CellLastPID, uintptr(unsafe.Pointer(&im.cell.initPID)), 1, 0, 0, 0)
	return e == 0
}

// dropSignals takes the signals that wait for the supervisor, and reports whether
// none is left. From box on nobody is there to send more; at none there may be.
//
//go:nosplit
//go:norace
func (im *image) dropSignals() bool {
	for range maxDropped {
		_, _, e := syscall.RawSyscall6(unix.SYS_RT_SIGTIMEDWAIT, uintptr(unsafe.Pointer(&im.all)), 0,
			uintptr(unsafe.Pointer(&im.now)), 8, 0, 0)
		if e != 0 && e != unix.EINTR {
			return e == unix.EAGAIN
		}
	}
	return false
}

// maxDropped is more signals than most machines let a user have.
const maxDropped = 1 << 20

// listsNothing reports whether a list of the kernel's has a heading and nothing
// else.
//
//go:nosplit
//go:norace
func (im *image) listsNothing(fd uintptr) bool {
	n, _, e := syscall.RawSyscall6(unix.SYS_PREAD64, fd, uintptr(unsafe.Pointer(&im.signals)), unsafe.Sizeof(im.signals), 0, 0, 0)
	if e != 0 || n > unsafe.Sizeof(im.signals) {
		return false
	}
	for i := range n {
		if im.signals[i] == '\n' {
			return i == n-1
		}
	}
	return false
}
