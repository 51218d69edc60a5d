package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Server is umpire's end of the fork server, a small second process that forks the
// contestants. Umpire itself can't: a fork would copy its page tables, and what a
// child inherits over vfork makes its memory unmeasurable. The fork server learns of
// umpire's death, SIGKILL included, by the end of its socket. Its methods may be
// called by several goroutines.
type Server struct {
	mu      sync.Mutex // one launch script at a time
	socket  int
	pid     int
	scripts sync.Pool // with room for what a launch takes
}

// ServerName is the name, os.Args[0], of the fork server, which calls ServerMain.
const ServerName = "umpire-forksrv"

// StartServer starts a fork server. When umpire has ended it removes the folder
// temp, and the control groups that are named after it.
func StartServer(temp string) (_ *Server, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("start %s: %w", ServerName, err)
		}
	}()
	if os.Args[0] == ServerName {
		// It would go on so for ever, and fill the machine.
		return nil, errors.New("the program does not begin with sandbox.Main")
	}
	spareFromOOM()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("create socket: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), ServerName)
	defer theirs.Close()
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{ServerName, temp}
	// One thread's worth of Go keeps the process small, and its forks cheap.
	cmd.Env = []string{"GOMAXPROCS=1"}
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		unix.Close(pair[0])
		return nil, err
	}
	return &Server{socket: pair[0], pid: cmd.Process.Pid}, nil
}

// spareFromOOM lets the kernel kill this process, and the helpers it starts from now
// on, after all others where the machine runs out of memory, if that is allowed.
func spareFromOOM() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte("-900"), 0) }

// PID is the fork server's process number.
func (w *Server) PID() int { return w.pid }

// Discard kills a fork server that has forked nothing, and waits for its end. Of one that
// has, the process number must stay taken: what waits for its programs looks at it.
func (w *Server) Discard() {
	_ = unix.Kill(w.pid, unix.SIGKILL)
	for {
		if _, err := unix.Wait4(w.pid, nil, 0, nil); err != unix.EINTR {
			return
		}
	}
}

// HasEnded reports whether the fork server has ended, as somebody may have killed it, or
// has got StopSignal.
func (w *Server) HasEnded() bool { return w.endsWithin(0, -1) }

// EndsWithin waits for the fork server's end, and reports whether it came.
func (w *Server) EndsWithin(d time.Duration) bool { return w.endsWithin(int(d/time.Millisecond), -1) }

// AwaitEnd returns true when the fork server has ended, or false when the other end of the
// pipe stop is closed.
func (w *Server) AwaitEnd(stop int) bool { return w.endsWithin(-1, stop) }

func (w *Server) endsWithin(milliseconds, stop int) bool {
	fds := []unix.PollFd{{Fd: int32(w.socket)}, {Fd: int32(stop)}}
	for {
		n, err := unix.Poll(fds, milliseconds)
		if err != unix.EINTR {
			return n > 0 && fds[0].Revents != 0
		}
	}
}

// NewScript returns an empty script for the next program of a cell or, if that is nil,
// for one with a supervisor of its own. It is to be released. The report is umpire's
// end of the socket that the supervisor reports on; without a cell it is the caller's
// to close, when the program and its supervisor are gone.
func (w *Server) NewScript(k *Cell) (p *Script, report int, err error) {
	ours, theirs := -1, -1
	if k != nil {
		ours = k.report
	} else if ours, theirs, err = newReport(); err != nil {
		return nil, -1, err
	}
	if p, _ = w.scripts.Get().(*Script); p != nil {
		p.reset(theirs)
	} else {
		p = newScript(theirs)
	}
	if k != nil {
		p.Many, p.names[whereCell] = true, k.names
	}
	return p, ours, nil
}

// Release takes a script back, whether or not it was launched.
func (w *Server) Release(p *Script) {
	p.closeReport()
	w.scripts.Put(p)
}

// send hands a launch script to the fork server.
func (w *Server) send(p *Script) error {
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
			return fmt.Errorf("reach the launching process: %w", err)
		default:
			b, rights = b[n:], nil
		}
	}
	return nil
}

// checkFiles refuses more descriptors than can go along with a launch script.
// A receiver that got a part of them could serve nobody any more.
func checkFiles(n int) error {
	if n > maxFiles {
		return fmt.Errorf("the program needs %d descriptors at its start, at most %d can be handed over: its files have too many owners", n, maxFiles)
	}
	return nil
}

// Launched is a program that has been executed.
type Launched struct {
	Program, Supervisor Handle
	Files               []int // what Announce has named, in order; none if lost
}

// lost is a program whose supervisor was killed before it could tell of it, as a program
// can at level none.
var lost = Launched{Program: Handle{-1, -1}, Supervisor: Handle{-1, -1}}

// Launch carries a script out, and returns when the program has been executed. The
// cell is that of NewScript, the report as well; uid is the contestant's own user, 0
// if it is umpire's. The error of a call that fails is a *StepError.
func (w *Server) Launch(p *Script, k *Cell, report, uid int) (Launched, error) {
	if k != nil {
		if err := k.send(p); err != nil {
			return Launched{}, err
		}
		return w.awaitStart(p, report)
	}
	if err := w.send(p); err != nil {
		return Launched{}, err
	}
	p.closeReport() // or it would not end with the supervisor
	if uid > 0 && p.Flags&unix.CLONE_NEWUSER != 0 {
		if err := p.mapUser(report, uid); errors.Is(err, io.EOF) {
			return lost, nil
		} else if err != nil {
			return Launched{}, fmt.Errorf("make users: %w", err)
		}
	}
	return w.awaitStart(p, report)
}
