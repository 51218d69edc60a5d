package launch

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The code in this file runs between fork and exec, in a copy of the fork server that
// has no Go runtime: no function here may grow the stack, allocate, or store a
// pointer. The supervisor stays in it for all its life. The linker checks that
// no chain of calls takes more than the 792 bytes of stack that are always there,
// so a fork returns in the child, and its caller goes on there.

// image is a launch script in the fork server's memory, with its addresses
// filled in.
type image struct {
	header header
	body   unsafe.Pointer // what follows the header
	words  []int32        // the same: what begins with the data
	files  [maxFiles]int32
	parts  [4]part
	report uintptr

	bot      uintptr
	args     [11]uint64 // of clone3
	placed   bool       // the program was forked into its control group
	spent    int64      // CPU time of all contestants before, in ns
	message  message
	usage    syscall.Rusage
	children *[1 << 14]byte // room to list them in
	action   [8]uint64      // a struct sigaction that says SIG_DFL
	all      uint64         // every signal
	ends     uint64         // SIGCHLD alone
	awaited  [2]unix.PollFd // the report, and a descriptor of signals
	now      syscall.Timespec
	tick     syscall.Timespec
	signals  [1 << 10]byte // room to read some in
	order    byte          // room to read the socket, on which umpire sends nothing
	info     [16]uint64    // a siginfo
	childDir [32]byte
	cell     cellRoom
	stack    *[1 << 14]byte // the program's, where it shares the supervisor's memory
}

// part is one of a launch script's lists of calls.
type part struct {
	at uintptr // in body
	n  int32
}

const (
	partSetup int32 = iota // of the supervisor, before it forks the program
	partProgram
	partStarted // of the supervisor, once the program has been executed
	partJoin    // of the program, first, unless it was forked into its control group
	whereCell   // in a message: the setup of the cell, before it had a program
)

// load makes addresses of the launch script's offsets, and descriptors of its
// indices.
//
//go:nosplit
//go:norace
//go:nocheckptr
func (im *image) load() {
	h := &im.header
	at := uintptr(h.data)
	for where := range im.parts {
		p := &im.parts[where]
		p.at, p.n = at, h.calls[where]
		for i := range p.n {
			im.link(im.call(p, i))
		}
		at += uintptr(p.n) * unsafe.Sizeof(call{})
	}
	for i := range h.pointers {
		offset := *(*int32)(unsafe.Add(im.body, at+4*uintptr(i)))
		*(*uintptr)(unsafe.Add(im.body, offset)) += uintptr(im.body)
	}
}

//go:nosplit
//go:norace
func (im *image) link(c *call) {
	for k, kind := range c.kinds {
		switch kind {
		case address:
			c.args[k] += uintptr(im.body)
		case descriptor:
			c.args[k] = uintptr(im.files[c.args[k]])
		}
	}
}

//go:nosplit
//go:norace
//go:nocheckptr
func (im *image) call(p *part, i int32) *call {
	return (*call)(unsafe.Add(im.body, p.at+uintptr(i)*unsafe.Sizeof(call{})))
}

// message is a report of the supervisor or of the program to umpire.
type message struct {
	what   int32
	where  int32 // failed: which list of calls; gone: whether something is left in a cell
	call   int32 // failed: which call; -1: the process itself could not be created
	code   int32 // failed: the error; ended: the wait status
	cpu    int64 // ns
	memory int64 // bytes
}

const (
	messageFailed  int32 = iota + 1
	messageRunning       // the program has been executed; its pidfd and the supervisor's come along
	messageEnded         // the program has ended: its status and what it used; others are still there
	messageGone          // no process is left: the program's status, and what all together used
)

// fork forks a supervisor, and returns 0 in it; all it may do then is supervise.
// The signals of the calling thread are blocked around it, as Go's handlers must
// not run in the child, where they stay blocked.
//
//go:nosplit
//go:norace
func (im *image) fork() (uintptr, syscall.Errno) {
	var old uint64
	syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK,
		uintptr(unsafe.Pointer(&im.all)), uintptr(unsafe.Pointer(&old)), 8, 0, 0)
	pid, _, e := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(im.header.flags)|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if e == 0 && pid == 0 {
		return 0, 0
	}
	syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK,
		uintptr(unsafe.Pointer(&old)), 0, 8, 0, 0)
	return pid, e
}

// supervise is the life of a supervisor. It does not return.
//
//go:nosplit
//go:norace
func (im *image) supervise() {
	for s := uintptr(1); s <= 64; s++ {
		syscall.RawSyscall6(unix.SYS_RT_SIGACTION, s, uintptr(unsafe.Pointer(&im.action)), 0, 8, 0, 0)
	}
	if im.header.many != 0 {
		if im.run(partSetup, whereCell) {
			im.serveCell()
		}
		im.exit()
	}
	if im.run(partSetup, partSetup) && im.contestant() {
		im.send(messageGone)
	}
	im.exit()
}

// contestant is the life of one program, to the end of all that it has started. It
// is false if there was none: umpire has been told, or is gone.
//
//go:nosplit
//go:norace
func (im *image) contestant() bool {
	im.message.code, im.message.cpu, im.message.memory = 0, 0, 0
	// With CLONE_VFORK the supervisor goes on when the program has been
	// executed, or has failed to be.
	pid, e := im.start(unix.CLONE_VFORK|unix.CLONE_PIDFD, unsafe.Pointer(&im.words[programWord]))
	if e != 0 {
		im.fail(partProgram, -1, e)
		return false
	}
	if pid == 0 { // the program, where it has no stack of its own
		runProgram(im)
	}
	im.bot = pid
	if !im.run(partStarted, partStarted) {
		im.killAndReapAll() // umpire may be gone already, and the program runs
		return false
	}
	im.closeOthers() // nothing of the program's may be kept open by the supervisor
	im.watch()
	if _, e := im.reap(unix.WNOHANG); e != unix.ECHILD {
		im.send(messageEnded)
		im.killAndReapAll()
	}
	im.total()
	return true
}

// start forks the program, into its control group if that has a descriptor to fork
// into and the kernel lets it: a container may not, whose filter knows no clone3.
// Else the program joins by itself.
//
//go:nosplit
//go:norace
func (im *image) start(flags uintptr, pidfd unsafe.Pointer) (uintptr, syscall.Errno) {
	if im.header.into > 0 {
		im.args = [11]uint64{0: uint64(flags) | unix.CLONE_INTO_CGROUP, 1: uint64(uintptr(pidfd)), 4: uint64(unix.SIGCHLD), 10: uint64(im.files[im.header.into])}
		im.placed = true
		if pid, e := im.clone3(); e == 0 {
			return pid, 0
		}
	}
	im.placed = false
	return im.clone(flags|uintptr(unix.SIGCHLD), pidfd)
}

// runProgram is the program's part, up to its exec.
//
//go:nosplit
//go:norace
func runProgram(im *image) {
	if im.placed || im.run(partJoin, partJoin) {
		im.run(partProgram, partProgram)
	}
	im.exit()
}

// closeOthers closes all descriptors but those that the supervisor keeps.
//
//go:nosplit
//go:norace
func (im *image) closeOthers() {
	if im.header.many == 0 {
		syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, 0, im.report-1, 0, 0, 0, 0)
		syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, im.report+1, ^uintptr(0)>>33, 0, 0, 0, 0)
		return
	}
	syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, CellFiles, ^uintptr(0)>>33, 0, 0, 0, 0)
}

// programWord is the word of a launch script's data that takes the program's pidfd.
const programWord = 1

// run makes the calls of a list. The first that fails it reports, and is the last.
//
//go:nosplit
//go:norace
func (im *image) run(list, where int32) (ok bool) {
	p := &im.parts[list]
	for i := range p.n {
		c := im.call(p, i)
		a := c.args
		for k := range a {
			if c.kinds[k] == result {
				a[k] = uintptr(im.words[a[k]])
			}
		}
		r, _, e := syscall.RawSyscall6(c.number, a[0], a[1], a[2], a[3], a[4], a[5])
		if e != 0 && uint16(e) != c.pass {
			im.fail(where, i, e)
			return false
		}
		if c.store != 0 {
			im.words[c.store] = int32(r)
		}
	}
	return true
}

//go:nosplit
//go:norace
func (im *image) fail(where, call int32, e syscall.Errno) {
	im.message.where, im.message.call, im.message.code = where, call, int32(e)
	im.send(messageFailed)
}

//go:nosplit
//go:norace
func (im *image) send(what int32) {
	im.message.what = what
	syscall.RawSyscall6(unix.SYS_SENDTO, im.report, uintptr(unsafe.Pointer(&im.message)),
		unsafe.Sizeof(im.message), unix.MSG_NOSIGNAL, 0, 0)
}

//go:nosplit
//go:norace
func (im *image) exit() {
	for {
		syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 1, 0, 0, 0, 0, 0)
	}
}

// watch reaps what is handed to the supervisor until the program has ended, and
// kills the program if umpire ends before. All signals stay blocked, and
// SIGCHLD, whoever sends it, means no more than to look whether a child has
// ended.
//
//go:nosplit
//go:norace
func (im *image) watch() {
	fd, _, e := syscall.RawSyscall6(unix.SYS_SIGNALFD4, ^uintptr(0), uintptr(unsafe.Pointer(&im.ends)), 8,
		unix.SFD_CLOEXEC|unix.SFD_NONBLOCK, 0, 0)
	var patience unsafe.Pointer // for ever
	if e != 0 {
		patience = unsafe.Pointer(&im.tick) // the machine has no descriptor left
	}
	im.awaited[0].Fd, im.awaited[0].Events = int32(im.report), unix.POLLIN
	im.awaited[1].Fd, im.awaited[1].Events = int32(fd), unix.POLLIN
	for {
		im.endGroup()
		pid, e := im.reap(unix.WNOHANG)
		if pid == im.bot {
			return
		}
		timeout := unsafe.Pointer(&im.now)
		if e != 0 || pid == 0 {
			timeout = patience
		}
		syscall.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&im.awaited)), 2, uintptr(timeout), 0, 8, 0)
		if im.awaited[0].Revents != 0 {
			im.dieWithUmpire()
		}
		if im.awaited[1].Revents != 0 {
			syscall.RawSyscall6(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&im.signals)), unsafe.Sizeof(im.signals), 0, 0, 0)
		}
	}
}

// dieWithUmpire kills the program once umpire has ended, which closes the report.
// That is no signal, since the program may be of the supervisor's own user and
// could send one, too.
//
//go:nosplit
//go:norace
func (im *image) dieWithUmpire() {
	n, _, e := syscall.RawSyscall6(unix.SYS_RECVFROM, im.report, uintptr(unsafe.Pointer(&im.order)), 1, unix.MSG_DONTWAIT, 0, 0)
	if e != unix.EAGAIN && (e != 0 || n == 0) {
		im.awaited[0].Fd = -1
		syscall.RawSyscall6(unix.SYS_KILL, im.bot, uintptr(unix.SIGKILL), 0, 0, 0, 0)
	}
}

// endGroup kills the program's group, if the program has ended. It is not
// reaped yet, so nobody else can have got the group's number. A deep tree ends
// so all together, and not generation by generation.
//
//go:nosplit
//go:norace
func (im *image) endGroup() {
	if im.header.pidns != 0 {
		return // all will be killed together
	}
	im.info[0], im.info[1] = 0, 0
	syscall.RawSyscall6(unix.SYS_WAITID, unix.P_PID, im.bot, uintptr(unsafe.Pointer(&im.info)),
		unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, 0, 0)
	if im.info[0] != 0 { // si_signo
		syscall.RawSyscall6(unix.SYS_KILL, -im.bot, uintptr(unix.SIGKILL), 0, 0, 0, 0)
	}
}

// reap waits for a child; of the program it keeps how it ended.
//
//go:nosplit
//go:norace
func (im *image) reap(options uintptr) (uintptr, syscall.Errno) {
	var status int32
	pid, _, e := syscall.RawSyscall6(unix.SYS_WAIT4, ^uintptr(0), uintptr(unsafe.Pointer(&status)),
		options, uintptr(unsafe.Pointer(&im.usage)), 0, 0)
	if e == 0 && pid > 0 {
		im.message.memory = max(im.message.memory, im.usage.Maxrss<<10)
	}
	if e == 0 && pid == im.bot {
		im.message.code = status
		im.message.cpu = im.used()
	}
	return pid, e
}

// used is the CPU time of the last usage that was asked for, in ns.
//
//go:nosplit
//go:norace
func (im *image) used() int64 {
	return (im.usage.Utime.Sec+im.usage.Stime.Sec)*1e9 + (im.usage.Utime.Usec+im.usage.Stime.Usec)*1e3
}

// total adds up the CPU time of all that was reaped of this contestant's.
//
//go:nosplit
//go:norace
func (im *image) total() {
	syscall.RawSyscall6(unix.SYS_GETRUSAGE, ^uintptr(0), uintptr(unsafe.Pointer(&im.usage)), 0, 0, 0, 0)
	total := im.used()
	im.message.cpu, im.spent = total-im.spent, total
}

// killAndReapAll kills and reaps what the program has left behind. Orphans are
// handed to the supervisor, so it ends when there is no child, or none that it
// may kill: at none a program can start one of another user.
//
//go:nosplit
//go:norace
func (im *image) killAndReapAll() {
	for {
		// As many as were killed are going to end. To look again after each
		// of them would take the square of their number.
		killed := im.signalAll(uintptr(unix.SIGKILL))
		for range killed {
			if _, e := im.reap(0); e == unix.ECHILD {
				return
			}
		}
		for {
			pid, e := im.reap(unix.WNOHANG)
			if e == unix.ECHILD || e == 0 && pid == 0 && killed == 0 {
				return
			}
			if pid == 0 {
				break
			}
		}
	}
}

// allChildren is the result of signalAll where it can't count.
const allChildren = 1 << 30

// signalAll sends a signal to everybody in the namespace, or without one to
// the children, and returns to how many.
//
//go:nosplit
//go:norace
func (im *image) signalAll(signal uintptr) (sent int) {
	if im.header.pidns != 0 {
		// Only ever as pid 1: elsewhere it would be the whole machine.
		if pid, _, _ := syscall.RawSyscall6(unix.SYS_GETPID, 0, 0, 0, 0, 0, 0); pid == 1 {
			// In one piece: nobody can fork while it goes round.
			syscall.RawSyscall6(unix.SYS_KILL, ^uintptr(0), signal, 0, 0, 0, 0)
		}
		return allChildren
	}
	fd, _, e := syscall.RawSyscall6(unix.SYS_OPENAT, ^uintptr(99), uintptr(unsafe.Pointer(&im.childDir)),
		unix.O_RDONLY|unix.O_CLOEXEC, 0, 0, 0)
	if e != 0 {
		return 0
	}
	n, _, e := syscall.RawSyscall6(unix.SYS_READ, fd, uintptr(unsafe.Pointer(im.children)),
		unsafe.Sizeof(*im.children)-1, 0, 0, 0)
	syscall.RawSyscall6(unix.SYS_CLOSE, fd, 0, 0, 0, 0, 0)
	if e != 0 {
		return 0
	}
	var pid uintptr
	for i := range n {
		if c := im.children[i]; c >= '0' && c <= '9' {
			pid = pid*10 + uintptr(c-'0')
			continue
		}
		if pid > 1 {
			if _, _, e := syscall.RawSyscall6(unix.SYS_KILL, pid, signal, 0, 0, 0, 0); e == 0 {
				sent++
			}
		}
		pid = 0
	}
	return sent
}
