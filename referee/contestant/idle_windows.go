package contestant

import (
	"math/bits"
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"

	"umpire/referee/sandbox"
)

// A contestant is idle when it certainly waits for input that will not come: it is one
// process with one thread, which is blocked in a file, its input pipe has a reader that
// waits, and nothing unread; and it has used no CPU time between two looks. Where
// something is unknown, the contestant counts as not idle, and the budget decides.

// idleWatch looks for idleness, and remembers what it saw last.
type idleWatch struct {
	cycles uint64 // of CPU, as of the last look
	seen   bool   // the last look found it parked
	waits  bool   // the last look found that it reads an empty pipe, whatever else it may do
	relay  bool   // whether it waits matters, also when it has worked since the last look
}

// look reports whether the contestant is certainly parked. Inputs is our end of the pipe
// it reads; without it there is nothing it could wait for. That it is stopped, all
// threads suspended, is not known.
func (w *idleWatch) look(c *Contestant, inputs, _ []int) (parked, stopped bool) {
	cycles, known := sandbox.Cycles(c.proc)
	same := known && cycles == w.cycles
	w.cycles = cycles
	if w.waits = false; !same && !w.relay {
		w.seen = false
		return false, false
	}
	w.waits = len(inputs) == 1 && c.awaitsInput(inputs[0])
	parked = same && w.waits && sandbox.Blocked(c.proc)
	parked, w.seen = parked && w.seen, parked
	return parked, false
}

// alone is not known: a program that has started others is none with one thread.
func (*idleWatch) alone() bool { return true }

func (c *Contestant) awaitsInput(input int) bool {
	e, ok := endOf(input)
	return ok && e.tells && e.quota().awaited(e.written)
}

// quota is how much of what a pipe holds at most is free. What a reader waits for is
// taken from it as if it were there already, since only one of both can be so.
type quota struct{ all, free uint32 }

// localInformation is FILE_PIPE_LOCAL_INFORMATION.
type localInformation struct {
	kind, configuration, maxInstances, instances, inbound, unread, outbound, free, state, end uint32
}

var (
	ntdll                  = windows.NewLazySystemDLL("ntdll.dll")
	ntQueryInformationFile = ntdll.NewProc("NtQueryInformationFile")
)

// quota returns that of the pipe that we write; none where it can't be asked.
func (e *pipeEnd) quota() quota {
	const filePipeLocalInformation = 24
	var status windows.IO_STATUS_BLOCK
	var info localInformation
	if failed, _, _ := ntQueryInformationFile.Call(uintptr(e.handle), uintptr(unsafe.Pointer(&status)),
		uintptr(unsafe.Pointer(&info)), unsafe.Sizeof(info), filePipeLocalInformation); failed != 0 {
		return quota{}
	}
	return quota{info.outbound, info.free}
}

// awaited reports whether certainly a reader waits: more is taken than the bytes that
// were written since the pipe was last known to be empty.
func (q quota) awaited(written int) bool { return int(q.all)-int(q.free) > written }

// empty reports whether nobody waits and nothing is unread.
func (q quota) empty() bool { return q.all > 0 && q.all == q.free }

// affinity returns how many CPUs the calling thread, and what it starts, may use.
func affinity() int {
	cpus, _ := sandbox.ThreadCPUs()
	if cpus == 0 {
		return runtime.NumCPU()
	}
	return bits.OnesCount64(uint64(cpus))
}
