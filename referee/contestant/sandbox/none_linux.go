package sandbox

import "golang.org/x/sys/unix"

// NewNone returns the launcher of level none.
func NewNone() (Launcher, error) { return New(None) }

// none gives the program a session of its own and a supervisor, so that it and
// what it starts end with it and with umpire, and its memory is known; but no
// fence.
func (s *launch) none() {
	up := s.supervisor()
	up.adopt()
	it := s.contestant()
	it.attach(s.command)
	it.inherit()
	it.do("change directory", unix.SYS_CHDIR, it.str(s.command.Dir))
	it.limit("core", unix.RLIMIT_CORE, 0)
	if files := s.command.Limits.Files; files > 0 {
		it.limit("descriptors", unix.RLIMIT_NOFILE, uint64(files))
	}
	it.dieWith(unix.SIGKILL)
	it.unblock()
	it.takeOver(s.command)
}
