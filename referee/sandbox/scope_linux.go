package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/scope"
)

// The control group of an ordinary user's shell mostly is not the user's to divide. Umpire
// then asks the user's service manager for a scope, which is, and has a fork server of
// its own moved into it, whose descendants the contestants of strict are.

// userScope is that scope. It is asked for once.
type userScope struct {
	err        error                         // why there is none
	forkServer atomic.Pointer[launch.Server] // in the scope; nil: there is none
	made       chan struct{}                 // closed when there is one
	unit       string
	whole      bool // umpire is in it, too

	ending sync.Mutex
	ended  func() // from outside; nil once it was called
}

// scopePatience is how long the manager may take to answer.
const scopePatience = time.Second

// groups returns where control groups can be made in a scope; lack is why they can't
// where umpire is.
func (s *userScope) groups(temp string, lack error) (*cgroup.Groups, error) {
	if os.Geteuid() == 0 {
		return nil, lack
	}
	if s.err == nil {
		groups, err := s.ask(temp)
		if err == nil {
			return groups, nil
		}
		s.err = fmt.Errorf("a scope: %w", err)
	}
	return nil, fmt.Errorf("%w; %w", lack, s.err)
}

// ask asks for a scope for the fork server alone, or else for umpire as well.
func (s *userScope) ask(temp string) (*cgroup.Groups, error) {
	w, err := launch.StartServer(temp)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(temp) + "."
	r := scope.Request{
		Unit: name + "scope", About: "contestants of umpire", PIDs: []int{w.PID()}, Stop: launch.StopSignal, Until: time.Now().Add(scopePatience),
	}
	groups, err := askFor(r, w.PID())
	if _, isNone := errors.AsType[noAnswer](err); err != nil && !isNone {
		r.Unit, r.PIDs = name+"whole.scope", append(r.PIDs, os.Getpid())
		groups, err = askFor(r, w.PID())
	}
	if err != nil {
		w.Discard()
		return nil, err
	}
	s.unit, s.whole = r.Unit, len(r.PIDs) > 1
	s.forkServer.Store(w)
	close(s.made)
	return groups, nil
}

// noAnswer marks the error of a request that nobody has answered.
type noAnswer struct{ error }

func askFor(r scope.Request, pid int) (*cgroup.Groups, error) {
	if err := r.Ask(scope.Buses()...); errors.Is(err, scope.ErrRefused) {
		return nil, err
	} else if err != nil {
		return nil, noAnswer{err}
	}
	return cgroup.Find(pid)
}

// end tells, once, that the scope was ended from outside.
func (s *userScope) end() {
	s.ending.Lock()
	defer s.ending.Unlock()
	if s.ended != nil {
		s.ended()
		s.ended = nil
	}
}

// otherKills is how long it takes whoever kills all processes of a scope to come from one
// to the last.
const otherKills = 250 * time.Millisecond

// endedWith reports whether the scope was ended from outside, and with it a program that
// umpire has not killed, by its exit status. A program that was not killed is not waited for.
func (s *userScope) endedWith(status unix.WaitStatus) bool {
	w := s.forkServer.Load()
	isKilled := func(n unix.Signal) bool {
		return status.Signaled() && status.Signal() == n || status.ExitStatus() == 128+int(n) // a shell's child
	}
	patience := time.Duration(0)
	if isKilled(unix.SIGTERM) || isKilled(unix.SIGKILL) {
		patience = otherKills
	}
	if w == nil || !w.EndsWithin(patience) {
		return false
	}
	s.end()
	return true
}
