package sandbox

import (
	"errors"
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

const forkServerName = "umpire-forksrv"

// maxFiles is how many descriptors may go along with a launch script: the
// kernel's SCM_MAX_FD.
const maxFiles = 253

// forkServerMain is the fork server process: it takes launch scripts from
// descriptor 3 and forks a supervisor for each, until umpire is gone.
// Supervisors outlive it: they learn of umpire's end by their own report.
func forkServerMain() {
	// The kernel's signal is bound to the thread that forked: it must be one
	// that lives as long as the process, as the main thread does.
	runtime.LockOSThread()
	unix.CloseOnExec(3)
	emptyCores()
	debug.SetGCPercent(10)         // a small heap is quickly forked
	signal.Ignore(syscall.SIGCHLD) // supervisors need not be waited for
	s := server{socket: 3, oob: make([]byte, unix.CmsgSpace(4*maxFiles))}
	for {
		if err := s.serve(); err != nil {
			if errors.Is(err, io.EOF) {
				awaitAll()
				cleanUp(os.Args[1])
				os.Exit(0)
			}
			_, _ = os.Stderr.WriteString(forkServerName + ": " + err.Error() + "\n")
			os.Exit(1)
		}
	}
}

// emptyCores leaves nothing of a program's memory in a core, should there be one
// in spite of its limit: a core_pattern that is a socket knows none. Programs
// inherit it, and can't change it.
func emptyCores() {
	_ = os.WriteFile("/proc/self/coredump_filter", []byte("0"), 0)
}

// awaitAll returns when all supervisors are gone. Umpire's end ends them, with
// what they have started.
func awaitAll() {
	for {
		// SIGCHLD being ignored, this returns when there is no child.
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && err != unix.EINTR {
			return
		}
	}
}

// cleanUp removes what umpire has left: its folder and its control groups.
func cleanUp(temp string) {
	_ = rmtree.Remove(temp)
	cgroup.RemoveAll(filepath.Base(temp) + ".")
}

// server keeps the memory it works in, so as not to grow.
type server struct {
	socket int
	header header
	oob    []byte
	body   []uint64
	image  image

	children, stack [1 << 14]byte
}

// serve takes one launch script from the socket and carries it out. An error is
// the socket's; a launch script that fails is told on its own report.
func (s *server) serve() error {
	h := &s.header
	n, oobn, err := receive(s.socket, bytesOfOne(h), s.oob)
	switch {
	case err != nil:
		return err
	case n == 0:
		return io.EOF
	}
	files, err := parseFiles(s.oob[:oobn])
	defer closeAll(files)
	if err != nil {
		return err
	}
	if words := (h.size() + 7) / 8; words > len(s.body) {
		s.body = make([]uint64, 2*words)
	}
	if err := readFull(s.socket, bytesOf(s.body)[:h.size()]); err != nil {
		return err
	}
	if len(files) == 0 || len(files) != int(h.files) {
		return errors.New("descriptors are missing")
	}
	im := s.link(files)
	if _, e := im.fork(); e != 0 {
		im.message.call, im.message.code = -1, int32(e)
		im.send(messageFailed)
	}
	return nil
}

// link makes an image of the launch script that was received: offsets become
// addresses, indices descriptors.
func (s *server) link(files []int) *image {
	h := &s.header
	base := unsafe.Pointer(&s.body[0])
	rest := unsafe.Add(base, h.data)
	take := func(n int32) []call {
		calls := unsafe.Slice((*call)(rest), n)
		rest = unsafe.Add(rest, uintptr(n)*unsafe.Sizeof(call{}))
		return calls
	}
	im := &s.image
	*im = image{
		flags: uintptr(h.flags), pidns: h.pidns != 0, report: uintptr(files[0]), all: ^uint64(0), ends: 1 << (unix.SIGCHLD - 1), tick: syscall.Timespec{Nsec: 10e6},
		children: &s.children, stack: &s.stack,
		setup: take(h.setup), program: take(h.program), started: take(h.started),
		words: unsafe.Slice((*int32)(base), h.data/4),
	}
	copy(im.childDir[:], "/proc/thread-self/children")
	for _, at := range unsafe.Slice((*int32)(rest), h.pointers) {
		*(*uintptr)(unsafe.Add(base, at)) += uintptr(base)
	}
	for _, calls := range [][]call{im.setup, im.program, im.started} {
		for i := range calls {
			calls[i].link(uintptr(base), files)
		}
	}
	return im
}

func (c *call) link(base uintptr, files []int) {
	for k, kind := range c.kinds {
		switch kind {
		case address:
			c.args[k] += base
		case descriptor:
			c.args[k] = uintptr(files[c.args[k]])
		}
	}
}

func bytesOfOne[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

// receive is recvmsg, gone on with when a signal interrupts it.
func receive(socket int, b, oob []byte) (n, oobn int, err error) {
	for {
		n, oobn, _, _, err = unix.Recvmsg(socket, b, oob, unix.MSG_CMSG_CLOEXEC)
		if err != unix.EINTR {
			return n, oobn, err
		}
	}
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

// parseFiles takes the descriptors out of control messages.
func parseFiles(oob []byte) ([]int, error) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil, err
	}
	var files []int
	for i := range messages {
		if messages[i].Header.Type != unix.SCM_RIGHTS {
			continue
		}
		fds, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			return files, err
		}
		files = append(files, fds...)
	}
	return files, nil
}

func closeAll(files []int) {
	for _, fd := range files {
		_ = unix.Close(fd)
	}
}
