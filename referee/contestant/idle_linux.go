package contestant

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox"
)

// A contestant is idle when it certainly waits for input that will not come:
// every thread of every process that could still answer is blocked without a
// timeout, one of them reading the contestant's standard input or polling nothing
// but pipes, that among them, and it is empty; or when its program is stopped, and all others are stopped or blocked
// so. They are all that its supervisor has below it, daemons included. Certain means that nothing inside can wake any of them: no timer,
// no signal on its way, no connection to the outside. It must be seen twice in
// a row, with no CPU time used in between. Where something is unknown, the
// contestant counts as not idle, and the budget decides.

// idleWatch looks for idleness, and remembers what it saw last.
type idleWatch struct {
	last   inspection
	own    time.Duration // CPU time of the contestant's first process at the last look
	looked bool
	seen   bool // the last look found it parked
	halted bool // the last look found it stopped
	waits  bool // the last look found it reading, for all that is known: see inspection
	relay  bool // whether it waits matters, also when it has worked since the last look, and alone is asked later
}

// snapshot identifies the state of a process tree at one moment.
type snapshot struct {
	pids []int
	cpu  time.Duration
}

func (s snapshot) equal(t snapshot) bool { return s.cpu == t.cpu && slices.Equal(s.pids, t.pids) }

// look reports whether the contestant is certainly parked, or stopped. Inputs
// and outputs are our ends of the pipes it reads and writes; without inputs
// there is nothing it could wait for, and it is not parked.
func (w *idleWatch) look(c *Contestant, inputs, outputs []int) (parked, stopped bool) {
	pid := c.proc.Pid()
	own := sandbox.ProcessCPU(pid)
	worked := w.looked && own != w.own
	w.own, w.looked = own, true
	w.waits = false
	if worked {
		if w.seen, w.halted = false, false; !w.relay {
			return false, false
		}
	}
	stop := procfs.State(pid) == 'T' && !slices.ContainsFunc(c.tree(), mayRun)
	stopped = stop && w.halted
	w.halted = stop
	if stop || len(inputs) == 0 {
		return false, stopped
	}
	in := inspect(c.tree(), inputs, outputs)
	parked = in.parked && w.seen && in.snapshot.equal(w.last.snapshot) && (w.relay || in.alone())
	w.last, w.seen, w.waits = in, in.parked, in.waits
	return parked, false
}

// alone reports whether what was last looked at is alone: see inspection.
func (w *idleWatch) alone() bool { return w.last.alone() }

// mayRun reports whether a process is neither stopped nor blocked for ever, as
// far as it alone decides that.
func mayRun(pid int) bool {
	switch procfs.State(pid) {
	case 'T', 'Z', 'X', 0:
		return false
	}
	parked, _ := parkedProcess(pid, pipeEnds{})
	return !parked
}

// inspection is the result of one look at a process tree, which is not parked where
// something can't be looked at.
type inspection struct {
	snapshot
	ends   pipeEnds
	parked bool
	waits  bool // each process is parked, or has a thread that reads, whatever others of it may do
}

// pipeEnds are the links that name our pipes, by whether a contestant reads or writes them.
type pipeEnds struct{ in, out []string }

// pipeLinks returns the links that name our pipes.
func pipeLinks(fds []int) (links []string, err error) {
	for _, fd := range fds {
		l, err := fileLink("/proc/self/fd/" + strconv.Itoa(fd))
		if err != nil {
			return nil, err
		}
		links = append(links, l)
	}
	return links, nil
}

// fifoLink begins the name of a FIFO, whose path differs from one sandbox to another.
const fifoLink = "fifo:"

// fileLink returns what names an open file, by its link in /proc.
func fileLink(path string) (string, error) {
	l, err := os.Readlink(path)
	if err != nil || !strings.HasPrefix(l, "/") || strings.HasPrefix(l, "/dev/") {
		return l, err
	}
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return "", err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFIFO {
		l = fmt.Sprintf("%s%d:%d", fifoLink, st.Dev, st.Ino)
	}
	return l, nil
}

// inspect looks at the processes of a tree. They must read from an input that is empty.
func inspect(pids []int, inputs, outputs []int) (in inspection) {
	var errIn, errOut error
	in.ends.in, errIn = pipeLinks(inputs)
	in.ends.out, errOut = pipeLinks(outputs)
	in.pids = pids
	if errIn != nil || errOut != nil || len(in.pids) > maxTree {
		return in
	}
	slices.Sort(in.pids)
	var read []string
	parked := true
	for _, p := range in.pids {
		in.cpu += sandbox.ProcessCPU(p)
		idle, reads := parkedProcess(p, in.ends)
		if parked = parked && idle; !idle && len(reads) == 0 {
			return in
		}
		read = append(read, reads...)
	}
	in.waits = len(read) > 0
	for i, link := range in.ends.in {
		if !slices.Contains(read, link) {
			continue
		}
		waiting, err := unix.IoctlGetInt(inputs[i], unix.TIOCINQ)
		in.waits = in.waits && err == nil && waiting == 0
	}
	in.parked = parked && in.waits
	return in
}

// maxTree is how many processes are looked at: a look must not take so long
// that it delays the verdict. A larger tree is never found idle.
const maxTree = 256

// tree lists all processes of a running contestant, or the first of them beyond
// maxTree. Those that have left the program are its supervisor's children.
func (c *Contestant) tree() []int {
	if c.supervisor == 0 {
		c.supervisor = procfs.Parent(c.proc.Pid())
	}
	if c.supervisor <= 1 { // its end is not yet known
		return nil
	}
	return procfs.Descendants(c.supervisor, nil, maxTree+1)
}

// alone reports whether no process outside the tree could answer in the
// contestant's place: no other process is in its group or session, or holds its
// pipes.
func (in inspection) alone() bool {
	ends := slices.Concat(in.ends.in, in.ends.out)
	pids, err := procfs.Processes()
	if err != nil {
		return false
	}
	self := os.Getpid()
	ours := func(pid int) bool {
		_, found := slices.BinarySearch(in.pids, pid)
		return found
	}
	for _, pid := range pids {
		if pid == self || ours(pid) {
			continue
		}
		if group, session := groupOf(pid); ours(group) || ours(session) {
			return false
		}
		if holds(pid, ends) {
			return false
		}
	}
	return len(in.pids) > 0
}

// groupOf returns the process group and session of a process.
func groupOf(pid int) (group, session int) {
	fields := procfs.StatFields(pid)
	if len(fields) < 4 {
		return 0, 0
	}
	group, _ = strconv.Atoi(fields[2])
	session, _ = strconv.Atoi(fields[3])
	return group, session
}

// holds reports whether a process has any of the files that links name open.
func holds(pid int, links []string) bool {
	fifos := slices.ContainsFunc(links, func(l string) bool { return strings.HasPrefix(l, fifoLink) })
	link := os.Readlink
	if fifos {
		link = fileLink
	}
	dir := procfs.Dir(pid) + "/fd/"
	fds, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, fd := range fds {
		if l, err := link(dir + fd.Name()); err == nil && slices.Contains(links, l) {
			return true
		}
	}
	return false
}

// parkedProcess reports whether every thread of a process is blocked until
// input comes, and which of our pipes any of them read.
func parkedProcess(pid int, ends pipeEnds) (parked bool, reads []string) {
	dir := procfs.Dir(pid)
	tasks, err := os.ReadDir(dir + "/task")
	if err != nil {
		return false, nil
	}
	parked = len(tasks) > 0 && !hasTimers(dir)
	for _, task := range tasks {
		line, err := os.ReadFile(procfs.ThreadDir(task.Name()) + "/syscall")
		if err != nil {
			return false, nil
		}
		call, ok := parseCall(string(line))
		if !ok {
			parked = false
			continue
		}
		ok, read := call.parked(dir, ends)
		parked = parked && ok
		reads = append(reads, read...)
	}
	return parked, reads
}

// hasTimers reports whether a timer may wake a process: the process has one, or
// it catches or blocks the signals that timers send.
func hasTimers(dir string) bool {
	if timers, err := os.ReadFile(dir + "/timers"); err == nil && len(timers) > 0 {
		return true
	}
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		return true
	}
	const alarms = 1<<(unix.SIGALRM-1) | 1<<(unix.SIGVTALRM-1)
	for _, name := range []string{"SigBlk:", "SigCgt:", "ShdPnd:"} {
		_, rest, found := strings.Cut(string(status), name)
		if !found {
			return true
		}
		word, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		mask, err := strconv.ParseUint(word, 16, 64)
		if err != nil || mask&alarms != 0 {
			return true
		}
	}
	return false
}

// call is the system call that a thread is blocked in.
type call struct {
	number uint64
	args   [6]uint64
}

// parseCall reads a line of /proc/PID/task/TID/syscall; not ok if the thread
// runs.
func parseCall(line string) (c call, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 7 {
		return call{}, false
	}
	number, err := strconv.ParseUint(fields[0], 10, 64)
	if err != nil {
		return call{}, false
	}
	c.number = number
	for i := range c.args {
		if c.args[i], err = strconv.ParseUint(fields[i+1], 0, 64); err != nil {
			return call{}, false
		}
	}
	return c, true
}

// parked reports whether only other threads or the input can end the call, and
// which of our pipes the call may read.
func (c call) parked(dir string, ends pipeEnds) (parked bool, reads []string) {
	switch c.number {
	case unix.SYS_READ, unix.SYS_READV:
		l, err := fileLink(dir + "/fd/" + strconv.FormatUint(c.args[0], 10))
		if err != nil {
			return false, nil
		}
		if slices.Contains(ends.in, l) {
			return true, []string{l}
		}
		return strings.HasPrefix(l, "pipe:") || l == "anon_inode:[eventfd]", nil
	case unix.SYS_FUTEX:
		const private, realtime = 128, 256
		switch c.args[1] &^ (private | realtime) {
		case 0, 6, 9, 11, 13: // WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2
			return c.args[3] == 0, nil
		}
		return false, nil
	case unix.SYS_WAIT4, unix.SYS_WAITID:
		return true, nil
	case unix.SYS_PPOLL:
		return polls(c.args[1], c.args[2] == 0, dir, ends)
	case unix.SYS_PSELECT6, sysSelect:
		return polls(c.args[0], c.args[4] == 0, dir, ends)
	case sysPoll:
		return polls(c.args[1], int32(c.args[2]) < 0, dir, ends)
	case unix.SYS_EPOLL_PWAIT, sysEpollWait: // which may wait for more than what has a number
		return polls(1, false, dir, ends)
	}
	return false, nil
}

// polls is parked for a call that waits for n open files, of which it does not say which: any
// that the process has may be meant, so neither the outside nor a timer must be able to make
// one ready but for our pipes. With none it is a sleep.
func polls(n uint64, forEver bool, dir string, ends pipeEnds) (parked bool, reads []string) {
	if n == 0 {
		return false, nil
	}
	fds, err := os.ReadDir(dir + "/fd")
	if err != nil {
		return false, nil
	}
	parked = forEver
	for _, fd := range fds {
		l, err := fileLink(dir + "/fd/" + fd.Name())
		if err != nil {
			return false, nil
		}
		if slices.Contains(ends.in, l) {
			reads = append(reads, l)
			continue
		}
		parked = parked && (quiet(l) || slices.Contains(ends.out, l))
	}
	return parked, reads
}

// quiet reports whether what a link names is never made ready from outside or by a timer.
func quiet(link string) bool {
	switch {
	case strings.HasPrefix(link, "pipe:"), link == "anon_inode:[eventfd]", link == "/dev/null":
		return true
	}
	lively := func(folder string) bool { return strings.HasPrefix(link, folder) } // of the system's files
	return strings.HasPrefix(link, "/") && !slices.ContainsFunc([]string{"/dev/", "/proc/", "/sys/"}, lively)
}
