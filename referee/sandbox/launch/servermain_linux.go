package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/rmtree"
)

// maxFiles is how many descriptors may go along with a launch script: the
// kernel's SCM_MAX_FD.
const maxFiles = 253

// ServerMain is the fork server process: it takes launch scripts from
// descriptor 3 and forks a supervisor for each, until umpire is gone.
// Supervisors outlive it: they learn of umpire's end by their own report.
func ServerMain() {
	// The kernel's signal is bound to the thread that forked: it must be one
	// that lives as long as the process, as the main thread does.
	runtime.LockOSThread()
	unix.CloseOnExec(3)
	emptyCores()
	debug.SetGCPercent(10)         // a small heap is quickly forked
	signal.Ignore(syscall.SIGCHLD) // supervisors need not be waited for
	closeAtStop()
	s := newServer(3)
	for {
		if err := s.serve(); err != nil {
			if errors.Is(err, io.EOF) {
				groups := filepath.Base(os.Args[1]) + "."
				cgroup.ThawAll(groups) // nothing frozen dies in v1
				awaitAll()
				_ = RemoveTemp(os.Args[1])
				cgroup.RemoveAll(groups)
				os.Exit(0)
			}
			_, _ = os.Stderr.WriteString(ServerName + ": " + err.Error() + "\n")
			os.Exit(1)
		}
	}
}

// RemoveTemp removes the folder of an umpire, which is named after it; no other.
func RemoveTemp(dir string) error {
	if !cgroup.IsOwner(filepath.Base(dir)) {
		return fmt.Errorf("remove %s: its name is not that of a folder of umpire", dir)
	}
	return rmtree.Remove(dir)
}

// StopSignal tells the fork server that its control group is being stopped from outside.
// Programs ignore it by default, so contestants play on until umpire has ended their matches.
const StopSignal = unix.SIGWINCH

// closeAtStop closes the socket upon StopSignal, by which umpire learns of it.
func closeAtStop() {
	stops := make(chan os.Signal, 1)
	signal.Notify(stops, StopSignal)
	go func() {
		<-stops
		_ = unix.Shutdown(3, unix.SHUT_RDWR)
	}()
}

// emptyCores leaves nothing of a program's memory in a core, should there be one
// in spite of its limit: a core_pattern that is a socket knows none. Programs
// inherit it, and can't change it.
func emptyCores() {
	_ = os.WriteFile("/proc/self/coredump_filter", []byte("0"), 0)
}

// awaitAll returns when all supervisors are gone. Umpire's end ends them, with
// what they have started; one that is stopped, as a program can stop it at none, is woken
// for that.
func awaitAll() {
	for {
		// SIGCHLD being ignored, this returns when a child is stopped, or there is none.
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WUNTRACED, nil)
		if err != nil && err != unix.EINTR {
			return
		}
		if err == nil && status.Stopped() {
			_ = unix.Kill(pid, unix.SIGCONT)
		}
	}
}

// server keeps the memory it works in, so as not to grow.
type server struct {
	socket int
	oob    []byte
	body   []uint64
	image  image

	children, stack [1 << 14]byte
}

func newServer(socket int) *server {
	s := &server{socket: socket, oob: make([]byte, unix.CmsgSpace(4*maxFiles))}
	im := &s.image
	im.all, im.ends, im.tick = ^uint64(0), 1<<(unix.SIGCHLD-1), syscall.Timespec{Nsec: 10e6}
	im.children, im.stack = &s.children, &s.stack
	copy(im.childDir[:], "/proc/thread-self/children")
	im.cell.prepare(im)
	s.grow(MaxCellScript)
	return s
}

// grow makes room for a launch script of so many bytes.
func (s *server) grow(size int) {
	s.body = make([]uint64, (size+7)/8)
	s.image.body = unsafe.Pointer(&s.body[0])
	s.image.words = unsafe.Slice((*int32)(s.image.body), 2*len(s.body))
	s.image.cell.body(s.image.body, 8*len(s.body))
}

// serve takes one launch script from the socket and carries it out. An error is
// the socket's; a launch script that fails is told on its own report.
func (s *server) serve() error {
	im := &s.image
	h := &im.header
	n, oobn, _, err := receive(s.socket, bytesOfOne(h), s.oob)
	switch {
	case err != nil:
		return err
	case n == 0:
		return io.EOF
	}
	from, err := senderOf(s.oob[:oobn])
	files := from.files
	defer CloseAll(files)
	if err != nil {
		return err
	}
	if h.size() > 8*len(s.body) {
		s.grow(2 * h.size())
	}
	if err := readFull(s.socket, bytesOf(s.body)[:h.size()]); err != nil {
		return err
	}
	if len(files) == 0 || len(files) != int(h.files) {
		return errors.New("descriptors are missing")
	}
	for i, fd := range files {
		im.files[i] = int32(fd)
	}
	im.report = uintptr(files[0])
	im.load()
	pid, e := im.fork()
	if e == 0 && pid == 0 {
		im.supervise()
	}
	if e != 0 {
		im.message.where, im.message.call, im.message.code = partSetup, -1, int32(e)
		im.send(messageFailed)
	}
	return nil
}

func readFull(fd int, b []byte) error {
	for len(b) > 0 {
		n, err := unix.Read(fd, b)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		case n == 0:
			return io.EOF
		default:
			b = b[n:]
		}
	}
	return nil
}
