package sandbox

import (
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// tree is a process with all that it has started, as umpire sees them in
// /proc. Umpire stops and continues each process itself: to the kernel a stop
// and the continuation that follows it are in order, however busy the machine
// is, and a process that was sent a stop executes nothing of its own after it.
type tree struct {
	root int
	// program is the process whose own CPU time is not counted.
	program int
	// before is the CPU time of what the root has waited for before the program.
	before time.Duration
	// spent is the CPU time of all others, as last seen. It never falls, though
	// what the kernel says of the processes that have ended is rounded down.
	spent time.Duration
	// held are the processes that umpire has stopped, parents first. Those that
	// were stopped by others are not continued by umpire.
	held  []int
	brief bool // for a look alone
}

// ticks is how many ticks /proc counts in a second (USER_HZ).
const ticks = 100

// list lists all processes below the root.
func (t *tree) list() []int { return procfs.Descendants(t.root, nil, maxTree) }

// childrenCPU reads the CPU time of all processes but the program, those that have
// ended and were waited for included, and finds out whether any of them is
// running or ready to run. It takes some 10 µs for each.
func (t *tree) childrenCPU() (cpu time.Duration, running bool) {
	var sum time.Duration
	for _, pid := range procfs.Descendants(t.root, []int{t.root}, maxTree) {
		f := procfs.StatFields(pid)
		if len(f) < 15 {
			continue
		}
		var ended time.Duration
		for _, text := range f[13:15] { // cutime, cstime
			n, _ := strconv.ParseInt(text, 10, 64)
			ended += time.Duration(n) * time.Second / ticks
		}
		if pid == t.root {
			ended = max(0, ended-t.before)
		}
		sum += ended
		if pid != t.program && pid != t.root {
			sum += ProcessCPU(pid)
			running = running || f[0] == "R"
		}
	}
	t.spent = max(t.spent, sum)
	return t.spent, running
}

// stop stops everybody below the root. A process may start another before it is
// stopped, so it looks until there is none that it has not stopped.
func (t *tree) stop() {
	sent := map[int]bool{}
	for more := true; more && len(sent) < maxTree; {
		more = false
		for _, pid := range t.list() {
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
func (t *tree) hold() {
	if len(t.held) == 0 {
		t.stop()
		t.brief = true
	}
}

// release continues what hold has stopped.
func (t *tree) release() {
	if t.brief {
		t.resume()
		t.brief = false
	}
}

// resume continues what stop has stopped, as far as it is still there.
func (t *tree) resume() {
	there := procfs.Descendants(t.root, []int{t.root}, maxTree)
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
