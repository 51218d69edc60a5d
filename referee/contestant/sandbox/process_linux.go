package sandbox

import (
	"errors"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// supervised is a program under a supervisor.
type supervised struct {
	program, supervisor party
	report              int
	alone               bool  // at none: memory is that of the program itself
	limit               int64 // memory, bytes
	processes           int   // limit that umpire has to keep; 0: the kernel does
	crowded             bool  // it was passed
	peak                int64
	exhausted           bool
	folders             folders
	outputs             []*output // from box on
	disk                int64     // limit of each of them, bytes
	group               *cgroup   // at strict
	free                []func()

	mu     sync.Mutex // guards what follows: Kill may come from another goroutine
	done   bool
	killed bool // while it ran
}

func (p *supervised) Pid() int    { return p.program.pid }
func (p *supervised) Exited() int { return p.report }

func (p *supervised) CPU() time.Duration {
	// First, and at strict too: that brings the group's up to date, which lags
	// behind by a tick of the kernel while a process runs.
	own := ProcessCPU(p.program.pid)
	if p.group != nil {
		return max(own, p.group.cpu())
	}
	return own
}

// Memory looks at the tree, and kills it if it has more than the limit. At
// strict the kernel does, and knows the peak.
func (p *supervised) Memory() int64 {
	if p.folders.look(p.tree) {
		p.Kill()
	}
	if p.processes > 0 && !p.crowded && tooMany(p.tree(), p.processes) {
		p.crowded = true
		p.Kill()
	}
	if p.group != nil {
		p.peak = max(p.peak, p.group.peak())
		if p.group.exhausted() {
			p.Kill() // it may have hit only one of several
		}
		return p.peak
	}
	used := peakMemory(p.program.pid)
	if !p.alone {
		used = treeMemory(p.supervisor.pid, p.program.pid, p.limit)
	}
	if !p.ended() {
		p.peak = max(p.peak, used)
	}
	if p.limit > 0 && p.peak > p.limit && !p.exhausted {
		p.exhausted = true
		p.Kill()
	}
	return p.peak
}

// tree lists all processes of the program.
func (p *supervised) tree() []int { return descendants(p.supervisor.pid, nil) }

// ended says whether the program's end has been reported, after which its
// process number may be another's.
func (p *supervised) ended() bool {
	fds := []unix.PollFd{{Fd: int32(p.report), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, 0)
	return n > 0
}

// processGroup is PIDFD_SIGNAL_PROCESS_GROUP, which Linux has since 6.9.
const processGroup = 1 << 2

// Freeze stops the program's group at once, by its supervisor also those who
// have left it.
func (p *supervised) Freeze() {
	p.signalGroup(unix.SIGSTOP)
	p.order(orderStop)
	p.group.freeze(true)
}

func (p *supervised) Thaw() {
	p.group.freeze(false)
	p.order(orderCont)
	p.signalGroup(unix.SIGCONT)
}

// order sends an order to the supervisor, which carries them out in turn.
func (p *supervised) order(what byte) {
	_, _ = unix.SendmsgN(p.report, []byte{what}, nil, nil, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
}

func (p *supervised) signalGroup(s syscall.Signal) {
	err := unix.PidfdSendSignal(p.program.pidfd, s, nil, processGroup)
	if err == unix.EINVAL && p.program.pid > 0 && !p.ended() {
		_ = unix.Kill(-p.program.pid, s)
	}
}

// Kill kills the program and its group at once; its end makes the supervisor
// kill the rest.
func (p *supervised) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	p.killed = p.killed || !p.ended()
	_ = unix.PidfdSendSignal(p.program.pidfd, unix.SIGKILL, nil, 0)
	p.signalGroup(unix.SIGKILL)
	p.group.kill()
}

func (p *supervised) Wait() Exit {
	exit := Exit{Status: syscall.WaitStatus(unix.SIGKILL)} // if even the supervisor was killed
	lost := true
	for gone := false; !gone; {
		n, from, err := receiveNote(p.report)
		if err != nil {
			waitGone(p.supervisor.pidfd)
			break
		}
		closeAll(from.files)
		if n.what == noteEnded || n.what == noteGone {
			exit.Status, lost = syscall.WaitStatus(n.code), false
			exit.CPU = time.Duration(n.cpu)
			p.peak = max(p.peak, n.memory)
		}
		gone = n.what == noteGone
	}
	if p.group != nil {
		exit.CPU = max(exit.CPU, p.group.cpu())
		p.peak = max(p.peak, p.group.peak())
		p.exhausted = p.group.exhausted()
	} else if p.limit > 0 && p.peak > p.limit {
		p.exhausted = true
	}
	exit.Memory, exit.OutOfMemory = p.peak, p.exhausted
	exit.OutOfDisk, exit.OutOfProcesses = p.folders.full(nil), p.crowded
	if err := p.copyBack(&exit); err != nil && exit.Err == nil {
		exit.Err = err
	}
	if lost && !p.wasKilled() {
		exit.Err = errors.New("a helper process of umpire was killed, and the contestant with it")
	}
	p.close()
	return exit
}

// copyBack copies what the program has made into the folders it was given, if
// it has ended well.
func (p *supervised) copyBack(exit *Exit) (err error) {
	for _, o := range p.outputs {
		if err == nil && exit.Status == 0 && !exit.OutOfDisk {
			exit.OutOfDisk, err = o.copyBack(p.disk)
		}
		unix.Close(o.copied)
	}
	return err
}

// wasKilled says whether umpire has killed the program.
func (p *supervised) wasKilled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed
}

func (p *supervised) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	closeParty(p.program)
	closeParty(p.supervisor)
	unix.Close(p.report)
	runAll(p.free)
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

// waitGone waits for a supervisor to be no more, and with it its namespace and
// all who are in it.
func waitGone(pidfd int) {
	fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(fds, -1); err != unix.EINTR {
			return
		}
	}
}
