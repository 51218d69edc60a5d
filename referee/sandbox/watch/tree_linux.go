// Package watch looks, in /proc, at what a running program and all that it has
// started use, and stops and continues them: for what the kernel neither limits nor
// counts. It knows no levels, and nothing of how the program was started; it says
// what it has seen, and ends nobody.
package watch

import (
	"slices"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// Tree is a process with all that it has started, as umpire sees them in
// /proc. Umpire stops and continues each process itself: to the kernel a stop
// and the continuation that follows it are in order, however busy the machine
// is, and a process that was sent a stop executes nothing of its own after it.
type Tree struct {
	Root int // its supervisor
	// Program is the process whose own CPU time is not counted.
	Program int
	// Before is the CPU time of what the root has waited for before the program.
	Before time.Duration
	// Spent is the CPU time of all others, as last seen. It never falls, though
	// what the kernel says of the processes that have ended is rounded down.
	Spent time.Duration
	// held are the processes that umpire has stopped, parents first. Those that
	// were stopped by others are not continued by umpire.
	held  []int
	brief bool // for a look alone
}

// ticks is how many ticks /proc counts in a second (USER_HZ).
const ticks = 100

// MaxTree is how many processes are looked at.
const MaxTree = 4096

// List lists all processes below the root.
func (t *Tree) List() []int { return procfs.Descendants(t.Root, nil, MaxTree) }

// processes is List with the program, which stands in no list of its own children
// and may be all that there is.
func (t *Tree) processes() []int {
	list := t.List()
	if t.Root == t.Program || len(list) == 0 {
		list = append(list, t.Program)
	}
	return list
}

// Threads counts the threads of all processes below the root.
func (t *Tree) Threads() (total int) {
	for _, pid := range t.List() {
		var st unix.Stat_t
		if unix.Stat(procfs.Dir(pid)+"/task", &st) == nil {
			total += max(1, int(st.Nlink)-2) // a folder a thread
		}
	}
	return total
}

// ChildrenCPU reads the CPU time of all processes but the program, those that have
// ended and were waited for included, and finds out whether any of them is
// running or ready to run. It takes some 10 µs for each.
func (t *Tree) ChildrenCPU() (cpu time.Duration, running bool) {
	var sum time.Duration
	for _, pid := range procfs.Descendants(t.Root, []int{t.Root}, MaxTree) {
		f := procfs.StatFields(pid)
		if len(f) < 15 {
			continue
		}
		var ended time.Duration
		for _, text := range f[13:15] { // cutime, cstime
			n, _ := strconv.ParseInt(text, 10, 64)
			ended += time.Duration(n) * time.Second / ticks
		}
		if pid == t.Root {
			ended = max(0, ended-t.Before)
		}
		sum += ended
		if pid != t.Program && pid != t.Root {
			sum += ProcessCPU(pid)
			running = running || f[0] == "R"
		}
	}
	t.Spent = max(t.Spent, sum)
	return t.Spent, running
}

// Stop stops everybody below the root. A process may start another before it is
// stopped, so it looks until there is none that it has not stopped.
func (t *Tree) Stop() {
	sent := map[int]bool{}
	for more := true; more && len(sent) < MaxTree; {
		more = false
		for _, pid := range t.List() {
			if sent[pid] || !runs(pid) || unix.Kill(pid, unix.SIGSTOP) != nil {
				continue
			}
			sent[pid], more = true, true
			if !slices.Contains(t.held, pid) {
				t.held = append(t.held, pid)
			}
		}
	}
}

// hold stops everybody until the look is over, if it is not frozen already.
func (t *Tree) hold() {
	if len(t.held) == 0 {
		t.Stop()
		t.brief = true
	}
}

// Release continues what hold has stopped.
func (t *Tree) Release() {
	if t.brief {
		t.Resume()
		t.brief = false
	}
}

// Resume continues what Stop has stopped, as far as it is still there.
func (t *Tree) Resume() {
	there := procfs.Descendants(t.Root, []int{t.Root}, MaxTree)
	for _, pid := range t.held {
		if slices.Contains(there, pid) {
			_ = unix.Kill(pid, unix.SIGCONT)
		}
	}
	t.held = t.held[:0]
}

// runs reports whether a process is neither stopped nor at its end.
func runs(pid int) bool {
	switch procfs.State(pid) {
	case 0, 'T', 't', 'Z', 'X':
		return false
	}
	return true
}

// ProcessCPU is the CPU time a process has used, its children not counted; 0
// if there is no such process.
func ProcessCPU(pid int) time.Duration {
	if pid <= 0 {
		return 0 // the clock would be umpire's own
	}
	var ts unix.Timespec
	clock := int32(^pid<<3 | 2) // the kernel's id for the scheduler clock of a process
	if _, _, e := unix.RawSyscall(unix.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&ts)), 0); e != 0 {
		return 0
	}
	return time.Duration(ts.Nano())
}
