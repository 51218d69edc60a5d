package sandbox

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// none launches programs with no more than a process group of their own.
type none struct{ guard *guard }

// NewNone returns the launcher of level none.
func NewNone() (Launcher, error) {
	g, err := sharedGuard()
	if err != nil {
		return nil, fmt.Errorf("start guard: %w", err)
	}
	return none{g}, nil
}

func (none) Level() Level { return None }

func (l none) Start(c Command) (Process, error) {
	pidfd := -1
	pid, err := syscall.ForkExec(c.Path, c.Args, &syscall.ProcAttr{
		Dir: c.Dir, Env: append(slices.Clip(c.Env), l.guard.mark),
		Files: []uintptr{uintptr(c.Stdin), uintptr(c.Stdout), uintptr(c.Stderr)},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, PidFD: &pidfd},
	})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	p := &group{pid: pid, pidfd: pidfd, slot: l.guard.add(pid), guard: l.guard, oomKills: oomKills()}
	p.tree = tree{root: pid, program: pid}
	p.memory = memoryWatch{tree: &p.tree, limit: c.Limits.Memory}
	offerToOOM(pid)
	setLimit(pid, unix.RLIMIT_CORE, noCore)
	if c.Limits.Files > 0 {
		setLimit(pid, unix.RLIMIT_NOFILE, uint64(c.Limits.Files))
	}
	return p, nil
}

// setLimit sets a limit of another process. That it can't be lowered, since the
// process has ended already, is no matter.
func setLimit(pid, resource int, value uint64) {
	_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: value, Max: value}, nil)
}

// group is a program in a process group of its own, which the program leads.
type group struct {
	pid, pidfd int
	guard      *guard
	slot       int
	memory     memoryWatch
	peak       int64
	oomKills   int64 // of umpire's control group, at the start
	tree       tree
	mu         sync.Mutex // guards reaped: Kill may come from another goroutine
	reaped     bool
	killed     bool // while it ran
}

func (p *group) Pid() int    { return p.pid }
func (p *group) Exited() int { return p.pidfd }

func (p *group) CPU() time.Duration { return ProcessCPU(p.pid) }

func (p *group) Memory() (peak int64, over bool) {
	p.peak = max(p.peak, p.memory.used())
	if over = p.over(); over {
		p.Kill()
	}
	return p.peak, over
}

func (p *group) over() bool { return p.memory.limit > 0 && p.peak > p.memory.limit }

func (p *group) Children() (cpu time.Duration, running bool) { return p.tree.look() }

// Freeze stops the descendants and, at once with them, those who have lost
// their parent but not the group. A process that has left both is not reached.
func (p *group) Freeze() {
	_ = unix.Kill(-p.pid, unix.SIGSTOP)
	p.tree.stop(true)
}

func (p *group) Thaw() {
	p.tree.goOn()
	_ = unix.Kill(-p.pid, unix.SIGCONT)
}

func (p *group) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.killed = p.killed || !ready(p.pidfd)
		_ = unix.Kill(-p.pid, unix.SIGKILL)
	}
}

func (p *group) Wait() Exit {
	// The leader stays unreaped until its group has been killed, so that the
	// group's number can't have been given to somebody else.
	for unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	p.Kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guard.remove(p.slot)
	var status syscall.WaitStatus
	var usage syscall.Rusage
	for {
		if _, err := syscall.Wait4(p.pid, &status, 0, &usage); err != syscall.EINTR {
			break
		}
	}
	p.reaped = true
	unix.Close(p.pidfd)
	// The kernel hands a child the peak of the process that started it. Only a
	// greater one can be the program's own.
	if peak := usage.Maxrss << 10; peak > peakMemory(os.Getpid()) {
		p.peak = max(p.peak, peak)
	}
	exit := Exit{
		Status: status,
		CPU:    time.Duration(usage.Utime.Nano() + usage.Stime.Nano()),
		Memory: p.peak, OutOfMemory: p.over(),
	}
	if !p.killed {
		exit.blameOOM(p.memory.limit, p.oomKills)
	}
	return exit
}
