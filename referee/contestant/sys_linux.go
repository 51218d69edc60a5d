package contestant

import (
	"bytes"
	"maps"
	"runtime"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// The pipes are non-blocking and read by the match's own thread, so system
// calls that can't block bypass Go's scheduler.

// pipe makes a pipe that no other process inherits. Its ends are alike, so it does not
// matter which is ours.
func pipe(int) (fds [2]int, err error) {
	err = unix.Pipe2(fds[:], unix.O_CLOEXEC)
	return fds, err
}

func read(fd int, b []byte) (int, error)  { return move(unix.SYS_READ, fd, b) }
func write(fd int, b []byte) (int, error) { return move(unix.SYS_WRITE, fd, b) }

// move makes the call that reads or writes.
func move(call uintptr, fd int, b []byte) (int, error) {
	n, _, e := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}

// fifoReader is how a FIFO is opened to read.
const fifoReader = unix.O_RDONLY

// setBlocking makes calls for a pipe wait, or not. It has no other flags that
// could be set.
func setBlocking(fd int, blocking bool) error {
	flags := unix.O_NONBLOCK
	if blocking {
		flags = 0
	}
	_, _, e := unix.RawSyscall(unix.SYS_FCNTL, uintptr(fd), unix.F_SETFL, uintptr(flags))
	if e != 0 {
		return e
	}
	return nil
}

func again(err error) bool { return err == unix.EAGAIN || err == unix.EINTR }

// pollFor waits until one of fds is ready, but not longer than patience, and
// returns how many are.
func pollFor(fds []pollFD, patience time.Duration) int {
	ts := unix.NsecToTimespec(int64(patience))
	n, _, e := unix.Syscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if e != 0 {
		return 0
	}
	return int(n)
}

// exiting reports whether a process is on its way out: its descriptors close
// before its end can be seen.
func exiting(pid int) bool {
	const flagExiting = 0x4 // PF_EXITING
	// State, parent, group, session, terminal, its group, flags.
	fields := procfs.StatFields(pid)
	if len(fields) < 7 {
		return true
	}
	flags, _ := strconv.ParseUint(fields[6], 10, 64)
	return flags&flagExiting != 0 || fields[0][0] == 'Z'
}

// isUnreported reports whether the program has ended and its supervisor can't say so: a
// bot that nothing isolates can stop that.
func (c *Contestant) isUnreported() bool {
	pid := c.proc.Pid()
	return procfs.State(pid) == 'Z' && procfs.State(procfs.Parent(pid)) == 'T'
}

// waits measures how long the threads of contestants that wait for each other, their supervisors
// and umpire's own that waits for them, are ready to run but have no CPU. The zero value has
// seen none.
type waits struct {
	driver       string                   // umpire's thread, a folder of /proc; "" if it may change
	before, last map[string]time.Duration // run delays at the first look and at the last, by threads' folders; nil: no look
	looked, cpu  time.Duration            // when the last was, and the contestants' CPU time then
	ready        bool                     // one of the contestants' threads was ready then, or ran
	longest      time.Duration            // run delay of one of the contestants' threads since the first look
	settled      spans                    // when any of them waited and may have been late for it, as of the last look
	waited       spans                    // the same, and what may still prove so
	needed       bool                     // since the last look a contestant did something that umpire was to see
	unneeded     time.Duration            // when umpire last found that none had, by clock
}

// leastWait is more than passes until the kernel notes that a thread has run.
const leastWait = 11 * time.Millisecond

// look reads the run delays of all threads. The kernel adds to them when a thread gets a CPU
// and forgets them when it ends, so that those of short-lived processes are hardly ever seen;
// but if a thread was ready at the last look, and one is now, and less CPU time than that has
// been used between, they have waited. Umpire and the contestants take turns, so that their
// waits add up; what threads of one contestant wait together counts once. What umpire waits
// delays nobody until it has something to see, unless a contestant computes, whose own waits may
// be hidden. Cpu is the contestants' CPU time so far, together.
func (w *waits) look(alone bool, cpu time.Duration, contestants ...*Contestant) {
	began := clock()
	first := w.last == nil
	if first {
		w.before, w.last = map[string]time.Duration{}, map[string]time.Duration{}
		if alone {
			w.driver = procfs.OwnThread()
		}
	}
	ready := false
	delay := func(thread string) time.Duration { // since the last look
		var buf [128]byte
		_, text, found := bytes.Cut(procfs.Read(thread+"/schedstat", buf[:]), []byte(" "))
		if !ready && thread != w.driver { // which runs at the moment
			fields := procfs.StatFieldsOf(thread)
			ready = len(fields) > 0 && fields[0] == "R"
		}
		if !found {
			return 0
		}
		before := w.last[thread]
		w.last[thread] = time.Duration(procfs.Number(text))
		return w.last[thread] - before
	}
	var theirs, umpires time.Duration
	if w.driver != "" {
		umpires += delay(w.driver)
	}
	for _, c := range contestants {
		var longest time.Duration
		for _, pid := range c.tree() {
			for _, thread := range procfs.Threads(pid) {
				dir := procfs.ThreadDir(thread)
				longest = max(longest, delay(dir))
				w.longest = max(w.longest, w.last[dir]-w.before[dir])
			}
		}
		theirs += longest
		if c.supervisor > 1 {
			umpires += delay(procfs.Dir(c.supervisor)) // which has one thread, and says when the contestant has ended
		}
	}
	if first {
		maps.Copy(w.before, w.last)
		theirs, umpires, w.longest = 0, 0, 0
	}
	if idle := began - w.looked - max(0, cpu-w.cpu); w.ready && ready && idle > leastWait {
		theirs = max(theirs, idle)
	}
	w.cpu = cpu
	w.settle(clock(), theirs, umpires, ready)
}

// settle adds how long the contestants have waited since the last look, and umpire with their
// supervisors, which counts only if it may have delayed a contestant. Ready is whether one of
// their threads is ready now, or runs.
func (w *waits) settle(now, theirs, umpires time.Duration, ready bool) {
	add := func(s *spans, waited time.Duration) {
		if waited > 0 {
			s.add(max(w.looked, now-waited), now)
		}
	}
	add(&w.settled, theirs)
	add(&w.waited, theirs+umpires)
	switch {
	case w.needed || w.ready || ready:
		w.settled = w.waited.clone()
	case w.unneeded > 0:
		all := w.waited.list
		w.waited = w.settled.clone()
		for _, s := range all {
			if s.to > w.unneeded {
				w.waited.add(max(s.from, w.unneeded), s.to)
			}
		}
	}
	w.looked, w.ready, w.needed = now, ready, false
}

// polled notes whether umpire, at a time by clock, found that a contestant had done something
// that it was to see.
func (w *waits) polled(found bool, at time.Duration) {
	if found {
		w.needed = true
	} else {
		w.unneeded = at
	}
}

// late notes that umpire, which meant to look at a time by clock, did so only now: its thread
// had no CPU, or another of umpire's, for which Go had it wait, had none.
func (w *waits) late(due, now time.Duration) {
	if now-due > leastWait {
		w.waited.add(due, now)
	}
}

// total returns how long they waited.
func (w *waits) total() time.Duration { return max(w.waited.total, w.longest) }

// affinity returns how many CPUs the calling thread, and what it starts, may use.
func affinity() int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return runtime.NumCPU()
	}
	return max(1, set.Count())
}
