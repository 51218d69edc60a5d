package contestant

import (
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/windows"
)

// Descriptors are handles here, of which the system uses no more than 31 bits. Our end
// of a pipe is overlapped: a read or a write that can't be done immediately goes on by
// itself, and an event tells when it is done. The contestant's end is a plain one.

// pollFD is a handle that pollFor watches: an end of a pipe, or a process, which becomes
// readable when it ends.
type pollFD struct {
	Fd              int32 // -1: nothing
	Events, Revents int16
}

const (
	toRead  = 1
	toWrite = 4
)

// pipeSize is how much a pipe holds, and how much one read or write takes at most.
const pipeSize = 64 << 10

// pipeEnd is our end of a pipe. It is for one goroutine at a time.
type pipeEnd struct {
	handle  windows.Handle
	done    windows.Overlapped
	buf     []byte // of the read or write in progress
	pending bool   // one is in progress
	unread  []byte // what was read and not yet taken
	err     error  // that ended the pipe
	tells   bool   // its quota can be asked, and shows that nobody reads yet
	written int    // bytes, in all
}

// pipeEnds are our ends of the pipes that are open, by descriptor.
var pipeEnds sync.Map

func endOf(fd int) (*pipeEnd, bool) {
	e, ok := pipeEnds.Load(fd)
	if !ok {
		return nil, false
	}
	return e.(*pipeEnd), true
}

// pipe makes a pipe that no other process inherits; ours is which end umpire keeps: 0
// reads, 1 writes.
func pipe(ours int) (fds [2]int, err error) {
	name, err := windows.UTF16PtrFromString(fmt.Sprintf(`\\.\pipe\umpire-%d-%s`, windows.GetCurrentProcessId(), rand.Text()))
	if err != nil {
		return fds, err
	}
	mode, access := uint32(windows.PIPE_ACCESS_INBOUND), uint32(windows.GENERIC_WRITE|windows.FILE_READ_ATTRIBUTES)
	if ours == 1 { // duplex, as only those that may also read can ask for its quota
		mode, access = windows.PIPE_ACCESS_DUPLEX, windows.GENERIC_READ|windows.FILE_WRITE_ATTRIBUTES
	}
	e := &pipeEnd{buf: make([]byte, pipeSize)}
	e.handle, err = windows.CreateNamedPipe(name, mode|windows.FILE_FLAG_OVERLAPPED|windows.FILE_FLAG_FIRST_PIPE_INSTANCE,
		windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, 1, pipeSize, pipeSize, 0, nil)
	if err != nil {
		return fds, err
	}
	theirs, err := windows.CreateFile(name, access, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err == nil {
		if e.done.HEvent, err = windows.CreateEvent(nil, 1, 0, nil); err != nil {
			windows.CloseHandle(theirs)
		}
	}
	if err != nil {
		windows.CloseHandle(e.handle)
		return fds, err
	}
	e.tells = ours == 1 && e.quota().empty()
	fds[ours], fds[1-ours] = int(e.handle), int(theirs)
	pipeEnds.Store(fds[ours], e)
	return fds, nil
}

func closePipe(fd int) {
	if e, ok := endOf(fd); ok {
		pipeEnds.Delete(fd)
		if e.pending { // the system writes to what is ours until it is cancelled
			var n uint32
			_ = windows.CancelIoEx(e.handle, &e.done)
			_ = windows.GetOverlappedResult(e.handle, &e.done, &n, true)
		}
		windows.CloseHandle(e.done.HEvent)
	}
	windows.CloseHandle(windows.Handle(fd))
}

// setBlocking does nothing: our ends never block.
func setBlocking(int, bool) error { return nil }

var errAgain = errors.New("not yet")

func again(err error) bool { return err == errAgain }

// settle looks whether the read or write in progress is done, and returns how many
// bytes it has moved.
func (e *pipeEnd) settle() (n uint32) {
	if e.pending {
		err := windows.GetOverlappedResult(e.handle, &e.done, &n, false)
		if err == windows.ERROR_IO_INCOMPLETE {
			return 0
		}
		e.pending, e.err = false, err
	}
	return n
}

// begun notes how a read or write has begun, and returns how many bytes it has moved.
func (e *pipeEnd) begun(n uint32, err error) uint32 {
	if err == windows.ERROR_IO_PENDING {
		e.pending = true
		return e.settle()
	}
	e.err = err
	return n
}

// fill reads ahead what there is, and reports whether something can be taken, if only
// the end.
func (e *pipeEnd) fill() bool {
	if len(e.unread) == 0 && e.err == nil {
		n := e.settle()
		for n == 0 && !e.pending && e.err == nil { // a write of nothing is read as one
			var got uint32
			err := windows.ReadFile(e.handle, e.buf, &got, &e.done)
			n = e.begun(got, err)
		}
		e.unread = e.buf[:n]
	}
	return len(e.unread) > 0 || e.err != nil
}

// read reads what is there; 0 bytes are the end.
func read(fd int, b []byte) (int, error) {
	e, ok := endOf(fd)
	switch {
	case !ok:
		return 0, windows.ERROR_INVALID_HANDLE
	case !e.fill():
		return 0, errAgain
	case len(e.unread) > 0:
		n := copy(b, e.unread)
		e.unread = e.unread[n:]
		return n, nil
	case e.err == windows.ERROR_BROKEN_PIPE:
		return 0, nil
	}
	return 0, e.err
}

// write writes the beginning of b. Until that is done, which errAgain says it is not, it
// is called with the same beginning again.
func write(fd int, b []byte) (int, error) {
	e, ok := endOf(fd)
	if !ok {
		return 0, windows.ERROR_INVALID_HANDLE
	}
	n := e.settle()
	if n == 0 && !e.pending && e.err == nil {
		var moved uint32
		err := windows.WriteFile(e.handle, e.buf[:copy(e.buf, b)], &moved, &e.done)
		n = e.begun(moved, err)
	}
	switch {
	case n > 0:
		e.written += int(n)
		return int(n), nil
	case e.pending:
		return 0, errAgain
	}
	return 0, e.err
}

// ready reports whether what a descriptor is waited for has happened.
func (p *pollFD) ready() bool {
	e, ok := endOf(int(p.Fd))
	switch {
	case !ok:
		event, err := windows.WaitForSingleObject(windows.Handle(p.Fd), 0)
		return err == nil && event == windows.WAIT_OBJECT_0
	case p.Events == toRead:
		return e.fill()
	}
	var n uint32 // looked at by the next write
	return !e.pending || windows.GetOverlappedResult(e.handle, &e.done, &n, false) != windows.ERROR_IO_INCOMPLETE
}

// pollFor waits until one of fds is ready, but not longer than patience, and
// returns how many are.
func pollFor(fds []pollFD, patience time.Duration) int {
	count := func() (n int) {
		for i := range fds {
			if fds[i].Revents = 0; fds[i].Fd >= 0 && fds[i].ready() {
				fds[i].Revents = fds[i].Events
				n++
			}
		}
		return n
	}
	if n := count(); n > 0 {
		return n
	}
	var handles []windows.Handle
	for _, p := range fds {
		if e, ok := endOf(int(p.Fd)); ok {
			handles = append(handles, e.done.HEvent)
		} else if p.Fd >= 0 {
			handles = append(handles, windows.Handle(p.Fd))
		}
	}
	ms := uint32((patience + time.Millisecond - 1) / time.Millisecond)
	if len(handles) == 0 {
		windows.SleepEx(ms, false)
		return 0
	}
	if _, err := windows.WaitForMultipleObjects(handles, false, ms); err != nil {
		return 0
	}
	return count()
}

// exiting reports whether a process is on its way out: its handles close before it has
// ended.
func exiting(pid int) bool {
	const stillActive = 259
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return true
	}
	defer windows.CloseHandle(p)
	var code uint32
	return windows.GetExitCodeProcess(p, &code) == nil && code != stillActive
}
