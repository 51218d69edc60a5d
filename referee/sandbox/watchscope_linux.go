package sandbox

import (
	"os"
	"os/user"
	"sync"

	"golang.org/x/sys/unix"
)

// WatchScope has ended called when the scope in which contestants play, if there will be
// one, is ended from outside: before anybody is told of a program that this has ended.
func WatchScope(ended func()) (stop func()) {
	s := &thisMachine().scope
	s.ending.Lock()
	s.ended = ended
	s.ending.Unlock()
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		return func() {}
	}
	stopped := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-s.made:
		case <-stopped:
			return
		}
		if s.forkServer.Load().AwaitEnd(pipe[0]) {
			s.end()
		}
	})
	return func() {
		close(stopped)
		unix.Close(pipe[1])
		watching.Wait()
		unix.Close(pipe[0])
	}
}

// OwnScope returns the scope in which contestants play, if there is one.
func OwnScope() (Scope, bool) {
	s := &thisMachine().scope
	if s.forkServer.Load() == nil {
		return Scope{}, false
	}
	return Scope{Unit: s.unit, Whole: s.whole, Lingers: lingers()}, true
}

// lingers reports whether the user's service manager outlives the user's sessions.
func lingers() bool {
	u, err := user.Current()
	if err != nil {
		return false
	}
	_, err = os.Stat("/var/lib/systemd/linger/" + u.Username)
	return err == nil
}
