package launch

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// Handle is one of the two processes that a launch script makes.
type Handle struct {
	PID int // in umpire's process namespace; -1 if it is not known
	FD  int // a pidfd; -1: none
}

// Close closes the descriptor.
func (p Handle) Close() {
	if p.FD >= 0 {
		unix.Close(p.FD)
	}
}

// AwaitEnd waits until the process is no more, and with process 1 of a namespace all
// who are in it.
func (p Handle) AwaitEnd() {
	fds := []unix.PollFd{{Fd: int32(p.FD), Events: unix.POLLIN}}
	for p.FD >= 0 {
		if _, err := unix.Poll(fds, -1); err != unix.EINTR {
			return
		}
	}
}

// Announce adds the calls by which the supervisor tells that the program has been
// executed, and hands over its own pidfd, the program's, and other descriptors.
func (s Setup) Announce(others ...Arg) { s.announce(append([]Arg{programFile}, others...)...) }

// announce hands over the supervisor's own pidfd and other descriptors.
func (s Setup) announce(others ...Arg) {
	files := 1 + len(others)
	pid := s.Get("get process number", unix.SYS_GETPID)
	body := Structure(s.Script, message{what: messageRunning})
	iov := Structure(s.Script, [2]uint64{0, uint64(unsafe.Sizeof(message{}))})
	s.Point(iov, 0, body)
	rights := s.Add(unix.UnixRights(make([]int, files)...))
	first := uintptr(unix.CmsgLen(0))
	s.Put(rights, first, "open own process", unix.SYS_PIDFD_OPEN, pid, Num(0))
	for i, fd := range others {
		s.Put(rights, first+4*uintptr(i+1), "take descriptor", unix.SYS_DUP, fd)
	}
	var head unix.Msghdr
	head.SetIovlen(1)
	head.SetControllen(unix.CmsgSpace(4 * files))
	msg := Structure(s.Script, head)
	s.Point(msg, int(unsafe.Offsetof(head.Iov)), iov)
	s.Point(msg, int(unsafe.Offsetof(head.Control)), rights)
	s.Do("report", unix.SYS_SENDMSG, ReportFile, msg, Num(unix.MSG_NOSIGNAL))
}

// A helper that is found stopped so often is killed.
const (
	lookAtHelpers = 50 // ms
	patientLooks  = 40
)

// AwaitReport returns when there is something to be read of a report. Helpers that were
// stopped, as a program can stop them at none, are woken; it reports whether one that was
// stopped again and again had to be killed.
func AwaitReport(report int, helpers func() []int) (killed bool) {
	fds := []unix.PollFd{{Fd: int32(report), Events: unix.POLLIN}}
	for looks := 0; ; {
		if n, err := unix.Poll(fds, lookAtHelpers); n > 0 || err != nil && err != unix.EINTR {
			return killed
		}
		stopped := slices.DeleteFunc(helpers(), func(pid int) bool { return !strings.ContainsRune("Tt", rune(procfs.State(pid))) })
		if len(stopped) > 0 {
			looks++
		}
		for _, pid := range stopped {
			if killed = looks > patientLooks; killed {
				_ = unix.Kill(pid, unix.SIGKILL)
			} else {
				_ = unix.Kill(pid, unix.SIGCONT)
			}
		}
	}
}

// helpers are the fork server and its supervisors.
func (w *Server) helpers() []int {
	return slices.DeleteFunc(procfs.Descendants(w.pid, []int{w.pid}, maxHelpers), func(pid int) bool {
		return pid != w.pid && procfs.Parent(pid) != w.pid
	})
}

// maxHelpers is how many processes are looked through for helpers.
const maxHelpers = 4096

// awaitStart returns when the program of a launch script has been executed.
func (w *Server) awaitStart(p *Script, report int) (Launched, error) {
	AwaitReport(report, w.helpers)
	n, from, err := receiveMessage(report)
	if errors.Is(err, io.EOF) {
		return lost, nil
	}
	if err != nil {
		return Launched{}, fmt.Errorf("start program: %w", err)
	}
	if n.what == messageFailed || len(from.files) < 2 {
		CloseAll(from.files)
		return Launched{}, p.describeError(n)
	}
	return Launched{
		Supervisor: Handle{from.pid, from.files[0]},
		Program:    Handle{pidOf(from.files[1]), from.files[1]},
		Files:      from.files[2:],
	}, nil
}

// pidOf is the number of a pidfd's process, as seen from here; -1 if it has
// been reaped.
func pidOf(pidfd int) int {
	var info unix.PidfdInfo // since Linux 6.13; to read a file takes ten times as long
	if err := unix.IoctlPidfdInfo(pidfd, &info); err == nil {
		return int(info.Pid)
	}
	var buf [512]byte
	if n := procfs.Field(procfs.Read("/proc/self/fdinfo/"+strconv.Itoa(pidfd), buf[:]), "Pid:"); n > 0 {
		return int(n)
	}
	return -1
}

// describeError turns a failed call into an error.
func (p *Script) describeError(n message) error {
	name := "create a process"
	if n.call < 0 && n.where == partSetup && p.OwnPIDs {
		name = "create namespaces"
	}
	if n.call >= 0 {
		name = p.names[n.where][n.call]
	}
	return &StepError{name, syscall.Errno(n.code)}
}

// StepError is the error of a call of a launch script.
type StepError struct {
	Step string // the call's name
	Err  syscall.Errno
}

func (e *StepError) Error() string { return e.Step + ": " + e.Err.Error() }

func (e *StepError) Unwrap() error { return e.Err }

// End is what a supervisor reports of its program's end.
type End struct {
	Status syscall.WaitStatus
	CPU    time.Duration // of the program, and once nothing is left of all that was waited for
	Memory int64         // the most that one process had, bytes
	// Nothing is left of what the program has started, and the report is at its end.
	IsLast bool
	clean  bool // the cell is as it was before the program
}

// ReceiveEnd waits for a supervisor's next report of its program's end. io.EOF means
// that the supervisor was killed.
func ReceiveEnd(report int) (End, error) {
	for {
		n, from, err := receiveMessage(report)
		if err != nil {
			return End{}, err
		}
		CloseAll(from.files)
		if n.what == messageEnded || n.what == messageGone {
			return End{
				Status: syscall.WaitStatus(n.code), CPU: time.Duration(n.cpu), Memory: n.memory,
				IsLast: n.what == messageGone, clean: n.where == nothingLeft,
			}, nil
		}
	}
}

// newReport makes the socket on which a supervisor and its program report. The
// kernel adds to each message who sent it, as seen from here.
func newReport() (ours, theirs int, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, -1, fmt.Errorf("create socket: %w", err)
	}
	if err := unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_PASSCRED, 1); err != nil {
		CloseAll(pair[:])
		return -1, -1, fmt.Errorf("ask for credentials: %w", err)
	}
	return pair[0], pair[1], nil
}

// sender is who sent a message, and the descriptors that came along.
type sender struct {
	pid   int
	files []int
}

// receiveMessage waits for a message of a supervisor or its program. io.EOF means
// that all that could send one are gone.
func receiveMessage(report int) (message, sender, error) {
	var n message
	oob := make([]byte, unix.CmsgSpace(unix.SizeofUcred)+unix.CmsgSpace(4*maxFiles))
	size, oobn, cut, err := receive(report, bytesOfOne(&n), oob)
	if err == unix.ECONNRESET { // comes first if an order was not read; what they have sent is still there
		size, oobn, cut, err = receive(report, bytesOfOne(&n), oob)
	}
	if err == unix.ECONNRESET || err == nil && size == 0 {
		err = io.EOF
	}
	if err != nil {
		return n, sender{}, err
	}
	from, err := senderOf(oob[:oobn])
	switch {
	case err != nil:
	case cut: // descriptors came along for which umpire has no room
		err = unix.EMFILE
	case size != int(unsafe.Sizeof(n)):
		err = errors.New("short message")
	}
	if err != nil {
		CloseAll(from.files)
	}
	return n, from, err
}

// senderOf takes what is known of a message's sender out of its control messages.
func senderOf(oob []byte) (from sender, err error) {
	messages, err := unix.ParseSocketControlMessage(oob)
	for i := range messages {
		switch messages[i].Header.Type {
		case unix.SCM_CREDENTIALS:
			if c, err := unix.ParseUnixCredentials(&messages[i]); err == nil {
				from.pid = int(c.Pid)
			}
		case unix.SCM_RIGHTS:
			files, _ := unix.ParseUnixRights(&messages[i])
			from.files = append(from.files, files...)
		}
	}
	return from, err
}

// receive is recvmsg, repeated when a signal interrupts it. It reports whether some of
// what came along did not arrive.
func receive(socket int, b, oob []byte) (n, oobn int, cut bool, err error) {
	for {
		n, oobn, flags, _, err := unix.Recvmsg(socket, b, oob, unix.MSG_CMSG_CLOEXEC)
		if err != unix.EINTR {
			return n, oobn, flags&unix.MSG_CTRUNC != 0, err
		}
	}
}

// IsReadable reports whether there is something to be read from a descriptor, or its
// other end has been closed.
func IsReadable(fd int) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, 0)
	return n > 0
}

// CloseAll closes descriptors.
func CloseAll(files []int) {
	for _, fd := range files {
		_ = unix.Close(fd)
	}
}
