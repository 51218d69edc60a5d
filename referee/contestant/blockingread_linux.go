package contestant

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// blockingReader reads a contestant's output by a call that blocks, which costs
// less than a poll with its timeout. Another thread ends a read that takes long:
// it sets O_NONBLOCK, which nobody else has a use for on umpire's end of the
// pipe, and sends the reading thread the signal by which Go's scheduler asks for
// a processor. The signal makes the kernel restart the read, and the restarted
// read finds the flag and returns EAGAIN.
type blockingReader struct {
	mu       sync.Mutex // guards fd
	fd       int        // -1 when closed
	thread   int        // the thread that reads
	blocking bool       // O_NONBLOCK was taken off; an interrupt may have set it
	timer    *time.Timer
	armed    atomic.Bool  // interrupt will be called
	began    atomic.Int64 // when the contestant was asked, by clock; 0: no read is in progress
}

// wait waits for output of a contestant that was asked at a time by clock, until
// soon or somewhat later.
func (r *blockingReader) wait(b []byte, asked time.Duration) (int, error) {
	if r.timer == nil {
		r.thread = unix.Gettid()
		r.armed.Store(true) // first: interrupt may be called before this thread goes on
		r.timer = time.AfterFunc(soon, r.interrupt)
	}
	if !r.blocking {
		r.blocking = setBlocking(r.fd, true) == nil
	}
	r.began.Store(int64(max(asked, 1)))
	r.arm()
	// Not by a raw call, which would hold one of Go's processors: interrupt may need
	// it.
	n, _, e := unix.Syscall(unix.SYS_READ, uintptr(r.fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	r.began.Store(0)
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}

// read returns the output that is there.
func (r *blockingReader) read(b []byte) (int, error) {
	if r.blocking {
		r.blocking = setBlocking(r.fd, false) != nil
	}
	return read(r.fd, b)
}

func (r *blockingReader) arm() {
	if !r.armed.Load() && !r.armed.Swap(true) {
		r.timer.Reset(soon)
	}
}

// interrupt ends a read that takes long. Whoever sets armed first, it or the next
// read, has it called again.
func (r *blockingReader) interrupt() {
	r.armed.Store(false)
	began := r.began.Load()
	if began == 0 {
		return
	}
	if r.mu.Lock(); r.fd >= 0 && clock()-time.Duration(began) >= soon {
		_ = setBlocking(r.fd, false)
		_ = unix.Tgkill(os.Getpid(), r.thread, unix.SIGURG)
	}
	r.mu.Unlock()
	r.arm()
}

func (r *blockingReader) close() {
	if r.timer != nil {
		r.timer.Stop()
	}
	r.mu.Lock()
	r.fd = -1
	r.mu.Unlock()
}
