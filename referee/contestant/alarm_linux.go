package contestant

import (
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An alarm ends system calls of one thread that take long. A call with a timeout
// of its own sets a timer each time, which costs more than the call itself; the
// alarm's is set anew only now and then, and never rings while replies come
// quickly.
//
// It rings with the signal by which Go's scheduler asks for the processor: that
// ends the call, too, and Go expects the signal at any time.
type alarm struct {
	id    int32 // of the kernel's timer
	made  bool
	setAt time.Duration // by clock
}

const (
	rings  = soon                   // when it rings after it was set
	repeat = 100 * time.Millisecond // and again, in case that the thread was not in the call yet
	stale  = rings / 4              // when it is set anew
)

// set lets the alarm ring soon, but no sooner than in three quarters of that. It
// must be called on the thread that first set it. It reports whether there is
// such an alarm on this system.
func (a *alarm) set() bool {
	now := clock()
	if a.made && now-a.setAt < stale {
		return true
	}
	if !interrupts() || !a.make() {
		return false
	}
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(rings)), Interval: unix.NsecToTimespec(int64(repeat))}
	_, _, e := unix.RawSyscall6(unix.SYS_TIMER_SETTIME, uintptr(a.id), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	if e == 0 {
		a.setAt = now
	}
	return e == 0
}

// make makes the kernel's timer for the calling thread, unless there is one.
func (a *alarm) make() bool {
	if a.made {
		return true
	}
	const toThread = 4 // SIGEV_THREAD_ID
	event := struct {
		value          uintptr
		signal, notify int32
		thread         int32
		_              [44]byte
	}{signal: int32(unix.SIGURG), notify: toThread, thread: int32(unix.Gettid())}
	_, _, e := unix.RawSyscall(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&event)), uintptr(unsafe.Pointer(&a.id)))
	a.made = e == 0
	return a.made
}

// close removes the alarm.
func (a *alarm) close() {
	if a.made {
		a.made = false
		unix.RawSyscall(unix.SYS_TIMER_DELETE, uintptr(a.id), 0, 0)
	}
}

// interrupts makes the alarm's signal end a read instead of restarting it, and
// reports whether it does.
var interrupts = sync.OnceValue(func() bool {
	const restart = 0x10000000 // SA_RESTART
	var action struct {
		handler, flags uintptr
		rest           [4]uintptr
	}
	_, _, e := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGURG), 0, uintptr(unsafe.Pointer(&action)), 8, 0, 0)
	if e != 0 || action.handler <= 1 { // the default, or ignored: the signal would end nothing
		return false
	}
	action.flags &^= restart
	_, _, e = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGURG), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
	return e == 0
})
