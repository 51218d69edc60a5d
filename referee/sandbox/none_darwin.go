package sandbox

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"umpire/referee"
)

// none launches each program in a session of its own, with limits of the kernel's.
// Nothing ends a program when umpire is killed.
type none struct{}

// NewNone returns the launcher of level none.
func NewNone() (Launcher, error) { return none{}, nil }

func (none) Level() referee.Level { return referee.LevelNone }

func (none) Start(c Command) (Process, error) {
	pid, err := forkLimited(c)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	ended, watch, err := os.Pipe()
	if err != nil {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		return nil, err
	}
	p := &group{pid: pid, ended: ended, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for {
			if _, err := syscall.Wait4(pid, &p.status, 0, &p.usage); err != syscall.EINTR {
				break
			}
		}
		p.mu.Lock()
		p.reaped = true
		p.mu.Unlock()
		watch.Close()
	}()
	return p, nil
}

// group is a program in a session, and so a process group, of its own, which it leads.
type group struct {
	pid    int
	ended  *os.File
	done   chan struct{} // closed once the program is reaped
	status syscall.WaitStatus
	usage  syscall.Rusage
	mu     sync.Mutex
	reaped bool
}

func (p *group) Pid() int              { return p.pid }
func (p *group) Exited() int           { return int(p.ended.Fd()) }
func (p *group) CPU() time.Duration    { return 0 } // known only at the end
func (p *group) Memory() (int64, bool) { return 0, false }
func (p *group) Filled() bool          { return false }
func (p *group) Wrote() bool           { return false }

// Children is not known on this system.
func (p *group) Children() (time.Duration, bool) { return 0, false }

func (p *group) Freeze() { p.signal(syscall.SIGSTOP) }
func (p *group) Thaw()   { p.signal(syscall.SIGCONT) }
func (p *group) Kill()   { p.signal(syscall.SIGKILL) }

func (p *group) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		_ = syscall.Kill(-p.pid, s)
	}
}

func (p *group) Wait() Exit {
	<-p.done
	p.ended.Close()
	// Whatever is left of the group keeps the group's number taken.
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	return Exit{
		Status: p.status,
		CPU:    time.Duration(p.usage.Utime.Nano() + p.usage.Stime.Nano()),
		Memory: p.usage.Maxrss,
	}
}
