package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// forkServer is umpire's end of the fork server, a small second process that
// forks the contestants. Umpire itself can't: a fork would copy its page
// tables, and what a child inherits over vfork makes its memory unmeasurable.
// The fork server learns of umpire's death, SIGKILL included, by the end of its
// socket.
type forkServer struct {
	mu     sync.Mutex // one launch script at a time
	socket int
}

var theForkServer struct {
	sync.Mutex
	*forkServer
}

// sharedForkServer returns the fork server of this process. If somebody has
// killed it there will be another.
func sharedForkServer() (*forkServer, error) {
	theForkServer.Lock()
	defer theForkServer.Unlock()
	if theForkServer.forkServer == nil || theForkServer.hasEnded() {
		w, err := startForkServer()
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", forkServerName, err)
		}
		theForkServer.forkServer = w // the socket of the old one stays open for those who ask
	}
	return theForkServer.forkServer, nil
}

// hasEnded reports whether the fork server has ended.
func (w *forkServer) hasEnded() bool {
	fds := []unix.PollFd{{Fd: int32(w.socket)}}
	n, _ := unix.Poll(fds, 0)
	return n > 0
}

func startForkServer() (*forkServer, error) {
	if os.Args[0] == forkServerName {
		// It would go on so for ever, and fill the machine.
		return nil, errors.New("the program does not begin with sandbox.Main")
	}
	sparedByOOM()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("create socket: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), forkServerName)
	defer theirs.Close()
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{forkServerName, tempName()}
	// One thread's worth of Go keeps the process small, and its forks cheap.
	cmd.Env = []string{"GOMAXPROCS=1"}
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		unix.Close(pair[0])
		return nil, err
	}
	return &forkServer{socket: pair[0]}, nil
}

// send hands a launch script to the fork server.
func (w *forkServer) send(p *launchScript) error {
	if err := checkFiles(len(p.files)); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	// In one piece, so that the fork server is not woken twice.
	rights := unix.UnixRights(p.files...)
	for b := p.encode(); len(b) > 0; {
		n, err := unix.SendmsgN(w.socket, b, rights, nil, unix.MSG_NOSIGNAL)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		default:
			b, rights = b[n:], nil
		}
	}
	return nil
}

// checkFiles refuses more descriptors than can go along with a launch script.
// Whoever got a part of them could serve nobody any more.
func checkFiles(n int) error {
	if n > maxFiles {
		return fmt.Errorf("the program needs %d descriptors at its start, at most %d can be handed over: its files have too many owners", n, maxFiles)
	}
	return nil
}

// processHandle is one of the two processes that a launch script makes.
type processHandle struct {
	pid, pidfd int
}

// launch lets a launch script be carried out. The contestant's own user, if it has
// one, is uid.
func (w *forkServer) launch(p *launchScript, report, uid int) error {
	if err := w.send(p); err != nil {
		return fmt.Errorf("reach the launching process: %w", err)
	}
	unix.Close(p.files[0])
	p.files[0] = -1
	if uid > 0 && p.flags&unix.CLONE_NEWUSER != 0 {
		if err := p.mapUser(report, uid); err != nil {
			return fmt.Errorf("make users: %w", err)
		}
	}
	return nil
}

// awaitStart returns when the program of a launch script has been executed. The
// report stays open for what follows. Others are the descriptors that the launch
// script announces beyond those of the two processes. With io.EOF somebody has
// killed the supervisor.
func (p *launchScript) awaitStart(report int) (program, supervisor processHandle, others []int, err error) {
	program, supervisor = processHandle{-1, -1}, processHandle{-1, -1}
	n, from, err := receiveMessage(report)
	if err != nil {
		return program, supervisor, nil, fmt.Errorf("start program: %w", err)
	}
	if n.what == messageFailed || len(from.files) < 2 {
		closeAll(from.files)
		return program, supervisor, nil, p.describeError(n)
	}
	supervisor = processHandle{from.pid, from.files[0]}
	program = processHandle{pidOf(from.files[1]), from.files[1]}
	return program, supervisor, from.files[2:], nil
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

func closeHandle(p processHandle) {
	if p.pidfd >= 0 {
		unix.Close(p.pidfd)
	}
}

// describeError turns a failed call into an error.
func (p *launchScript) describeError(n message) error {
	name := "create a process"
	if n.call < 0 && n.where == partSetup && p.pidns {
		name = "create namespaces"
	}
	if n.call >= 0 {
		name = p.names[n.where][n.call]
	}
	err := &stepError{name, syscall.Errno(n.code)}
	if strings.HasPrefix(name, executeStep) {
		return markRefusal(err)
	}
	return err
}

// executeStep begins the name of the step that executes the program.
const executeStep = "execute "

// stepError says which step of a launch failed.
type stepError struct {
	step string
	err  syscall.Errno
}

func (e *stepError) Error() string { return e.step + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// newReport makes the socket on which a supervisor and its program report. The
// kernel adds to each message who sent it, as seen from here.
func newReport() (ours, theirs int, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, -1, fmt.Errorf("create socket: %w", err)
	}
	if err := unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_PASSCRED, 1); err != nil {
		closeAll(pair[:])
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
// that all who could send one are gone.
func receiveMessage(report int) (message, sender, error) {
	var n message
	var from sender
	oob := make([]byte, unix.CmsgSpace(unix.SizeofUcred)+unix.CmsgSpace(4*maxFiles))
	size, oobn, err := receive(report, bytesOfOne(&n), oob)
	if err == unix.ECONNRESET || err == nil && size == 0 {
		err = io.EOF
	}
	if err != nil {
		return n, from, err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil {
		return n, from, err
	}
	for i := range messages {
		switch messages[i].Header.Type {
		case unix.SCM_CREDENTIALS:
			if c, err := unix.ParseUnixCredentials(&messages[i]); err == nil {
				from.pid = int(c.Pid)
			}
		case unix.SCM_RIGHTS:
			from.files, _ = unix.ParseUnixRights(&messages[i])
		}
	}
	if size != int(unsafe.Sizeof(n)) {
		closeAll(from.files)
		return n, from, errors.New("short message")
	}
	return n, from, nil
}

// announce adds the calls by which the supervisor tells its own pidfd and
// others of its descriptors, that of the program first.
func (p *launchScript) announce(s childSetup, others ...arg) {
	files := 1 + len(others)
	pid := s.get("get process number", unix.SYS_GETPID)
	body := structure(p, message{what: messageRunning})
	iov := structure(p, [2]uint64{0, uint64(unsafe.Sizeof(message{}))})
	p.point(iov, 0, body)
	rights := p.add(unix.UnixRights(make([]int, files)...))
	word := (rights.value + uintptr(unix.CmsgLen(0))) / 4
	s.put(word, "open own process", unix.SYS_PIDFD_OPEN, pid, num(0))
	for i, fd := range others {
		s.put(word+1+uintptr(i), "take descriptor", unix.SYS_DUP, fd)
	}
	var head unix.Msghdr
	head.SetIovlen(1)
	head.SetControllen(unix.CmsgSpace(4 * files))
	msg := structure(p, head)
	p.point(msg, int(unsafe.Offsetof(head.Iov)), iov)
	p.point(msg, int(unsafe.Offsetof(head.Control)), rights)
	s.do("report", unix.SYS_SENDMSG, reportFile, msg, num(unix.MSG_NOSIGNAL))
}
