package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/watch"
)

// supervised is a program under a supervisor.
type supervised struct {
	machine             *machine
	program, supervisor launch.Handle
	report              int
	cell                *launch.Cell // nil: the supervisor has no other program
	processes           int          // limit that umpire has to keep; 0: the kernel does
	crowded             bool         // it was passed
	stopped             bool         // the supervisor was stopped, and had to be killed
	memory              watch.Memory
	peak                int64 // of memory, bytes
	exhausted           bool
	oomKills            int64 // of umpire's control group, at the start
	folders             watch.Folders
	boxed               bool          // it has a file system of its own
	shown               []string      // what is mounted there for it to read, and its working directory with a slash
	outputs             []*output     // from box on
	anyStatus           bool          // they are copied back whatever the program's exit status
	group               *cgroup.Group // at strict
	tree                watch.Tree
	free                []func()

	done   atomic.Bool // it was waited for
	mu     sync.Mutex  // guards what follows and that: Kill may come from another goroutine
	killed bool        // while it ran
}

// newProcess returns the handle of a program, with all that is known before it runs.
func (s *start) newProcess() *supervised {
	limits := s.command.Limits
	p := &supervised{
		machine: s.machine, report: s.report, cell: s.cell, group: s.group, outputs: s.outputs, anyStatus: s.command.AnyStatus,
		oomKills: oomKills(s.machine.oomEvents()), boxed: s.launcher.isBoxed(),
	}
	if s.level == referee.LevelBasic {
		if s.uid == 0 {
			p.processes = limits.Processes
		}
		s.folders = append(s.folders, s.command.Write...)
	}
	for _, one := range s.given {
		p.shown = append(p.shown, one.path)
	}
	p.shown = append(p.shown, filepath.Clean(s.command.Dir)+"/")
	p.folders = watch.Folders{
		Paths: s.folders, Bytes: limits.Disk, File: limits.FileSize, Files: MaxFiles,
		Visible: s.uid == 0 || s.machine.privileges.hasCapability(unix.CAP_SYS_PTRACE),
	}
	return p
}

func (p *supervised) Pid() int    { return p.program.PID }
func (p *supervised) Exited() int { return p.report }

func (p *supervised) CPU() time.Duration {
	// First, and at strict too: that brings the group's up to date, which lags
	// behind by a tick of the kernel while a process runs.
	own := ProcessCPU(p.program.PID)
	if p.group != nil {
		return max(own, p.group.CPU())
	}
	return own
}

// Memory looks at the tree, and kills it if it has more than the limit. At
// strict the kernel does, and knows the peak.
func (p *supervised) Memory() (peak int64, over bool) {
	defer p.tree.Release()
	switch {
	case p.group != nil:
		p.peak = max(p.peak, p.group.Peak())
		p.exhausted, _ = p.group.Exhausted()
	case p.ended(): // its process number may be another's
	default:
		if used := p.memory.Used(); used > p.peak && !p.ended() {
			p.peak = used
		}
		p.exhausted = p.exhausted || p.memory.Over(p.peak)
	}
	if p.exhausted {
		p.Kill() // at strict the kernel may have hit only one of several
	}
	if p.folders.Check(&p.tree) {
		p.Kill()
	}
	if p.processes > 0 && !p.crowded && p.tree.Threads() > p.processes {
		p.crowded = true
		p.Kill()
	}
	return p.peak, p.exhausted
}

func (p *supervised) Filled() bool {
	p.folders.Next = time.Time{}
	p.memory.LookAgain()
	p.Memory()
	return p.folders.Over
}

// Wrote looks at the scratch folder: from box on it is in the program's own file system.
func (p *supervised) Wrote() bool {
	if p.boxed {
		return holdsMore(unix.AT_FDCWD, fmt.Sprintf("/proc/%d/root/tmp", p.program.PID), "/tmp", p.shown)
	}
	return slices.ContainsFunc(p.folders.Paths, func(path string) bool { return !isEmpty(path) })
}

// holdsMore reports whether a folder, path to its program, holds more than leads to what the
// program is shown, or umpire can't look there. What is shown comes from outside.
func holdsMore(at int, name, path string, shown []string) bool {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return true
	}
	folder := os.NewFile(uintptr(fd), path)
	defer folder.Close()
	names, err := folder.Readdirnames(0)
	return err != nil || slices.ContainsFunc(names, func(name string) bool {
		inner := path + "/" + name
		leads := slices.ContainsFunc(shown, func(one string) bool { return watch.Within(one, inner) })
		return !leads || !slices.Contains(shown, inner) && holdsMore(fd, name, inner, shown)
	})
}

// ended reports whether the program's end has been reported, after which its
// process number may be another's, and its supervisor, once it was waited for,
// another program's.
func (p *supervised) ended() bool { return p.done.Load() || launch.IsReadable(p.report) }

// Children looks at the tree; at strict the group's CPU time has all of it.
func (p *supervised) Children() (cpu time.Duration, running bool) {
	if p.group != nil || p.ended() {
		return p.tree.Spent, false
	}
	return p.tree.ChildrenCPU()
}

// Freeze stops the program with all it has started. At strict that is a state
// of the group, which nobody inside can change.
func (p *supervised) Freeze() {
	switch {
	case p.group != nil:
		p.group.Freeze(true)
	case !p.ended():
		p.tree.Stop()
	}
}

func (p *supervised) Thaw() {
	switch {
	case p.group != nil:
		p.group.Freeze(false)
	case !p.ended():
		p.tree.Resume()
	}
}

// Kill kills the program and its group; its end makes the supervisor
// kill the rest.
func (p *supervised) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done.Load() {
		return
	}
	p.killed = p.killed || !p.ended()
	_ = unix.PidfdSendSignal(p.program.FD, unix.SIGKILL, nil, 0)
	p.killGroup()
	p.group.Kill()
}

// processGroup is PIDFD_SIGNAL_PROCESS_GROUP, which Linux has since 6.9.
const processGroup = 1 << 2

func (p *supervised) killGroup() {
	err := unix.PidfdSendSignal(p.program.FD, unix.SIGKILL, nil, processGroup)
	if err == unix.EINVAL && p.program.PID > 0 && !p.ended() {
		_ = unix.Kill(-p.program.PID, unix.SIGKILL)
	}
}

func (p *supervised) Wait() Exit {
	exit := Exit{Status: syscall.WaitStatus(unix.SIGKILL)} // if even the supervisor was killed
	lost := true
	for {
		if launch.AwaitReport(p.report, func() []int { return []int{p.supervisor.PID} }) {
			p.stopped = true
		}
		end, err := launch.ReceiveEnd(p.report)
		if err != nil {
			p.supervisor.AwaitEnd()
			break
		}
		exit.Status, exit.CPU, lost = end.Status, end.CPU, false
		if p.group == nil { // which else counts otherwise: files that others have read
			p.peak = max(p.peak, end.Memory)
		}
		if p.cell != nil {
			p.cell.Ended(end)
		}
		if end.IsLast {
			break
		}
	}
	p.account(&exit)
	if p.group != nil && !p.wasKilled() && p.machine.scope.endedWith(unix.WaitStatus(exit.Status)) {
		exit.Err = ErrScopeEnded
	}
	if err := p.copyBack(&exit); err != nil && exit.Err == nil {
		exit.Err = err
	}
	if lost && (p.stopped || !p.wasKilled()) && exit.Err == nil {
		exit.Err = ErrHelperKilled
	}
	p.close()
	return exit
}

// copyBack copies what the program has made into the folders it was given, if
// it has ended well.
func (p *supervised) copyBack(exit *Exit) (err error) {
	for _, o := range p.outputs {
		var room unix.Statfs_t
		exit.DiskFull = exit.DiskFull || unix.Fstatfs(o.copied, &room) == nil && (room.Bavail == 0 || room.Ffree == 0)
		if ended := exit.Status == 0 || p.anyStatus && exit.Status.Exited(); err == nil && ended && !exit.OutOfDisk {
			exit.OutOfDisk, err = o.copyBack(p.folders.Bytes)
		}
		unix.Close(o.copied)
	}
	return err
}

// account adds what is known of memory and disk in the end.
func (p *supervised) account(exit *Exit) {
	limit, starved := p.memory.Limit, false
	if p.group != nil {
		exit.CPU = max(exit.CPU, p.group.CPU())
		p.peak = max(p.peak, p.group.Peak())
		p.exhausted, starved = p.group.Exhausted()
	} else {
		p.exhausted = p.exhausted || p.memory.Over(p.peak)
	}
	exit.Memory, exit.OutOfMemory = p.peak, p.exhausted
	exit.OutOfDisk, exit.OutOfProcesses = p.folders.Full(), p.crowded
	switch {
	case starved:
		exit.starved(limit)
	case p.group == nil && !p.wasKilled():
		exit.blameOOM(limit, p.oomKills, oomKills(p.machine.oomEvents()))
	}
}

// wasKilled reports whether umpire has killed the program.
func (p *supervised) wasKilled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed
}

func (p *supervised) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done.Store(true)
	p.program.Close()
	p.supervisor.Close()
	p.memory.Close()
	runAll(p.free)
}

// ProcessCPU is the CPU time a process has used, its children not counted; 0
// if there is no such process.
func ProcessCPU(pid int) time.Duration { return watch.ProcessCPU(pid) }
