package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const namespaces = unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS |
	unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP

// unprivilegedUID is the contestant's user in a user namespace.
const unprivilegedUID = 1000

// insideUID is the user the contestant sees itself as.
func (s *launch) insideUID() int {
	if s.uid > 0 {
		return s.uid
	}
	return unprivilegedUID
}

// box gives the program namespaces, in which the supervisor is process 1. An
// ordinary user needs a user namespace for that; root gives the contestant a
// user of its own instead, which has no more rights and takes less.
func (s *launch) box() error {
	s.command.Env = withEnv(s.command.Env, "HOME=/tmp", "TMPDIR=/tmp")
	s.flags, s.pidns = namespaces, true
	up := s.supervisor()
	up.dieWith(unix.SIGKILL)
	processes := s.command.Limits.Processes
	if s.uid == 0 {
		s.flags |= unix.CLONE_NEWUSER
		s.mapUser(up)
		processes++ // the supervisor is of the same user
	}
	if err := s.privateRoot(up); err != nil {
		return err
	}
	up.do("name machine", unix.SYS_SETHOSTNAME, up.str("umpire"), num(len("umpire")))

	it := s.contestant()
	it.attach(s.command)
	it.inherit()
	it.offerToOOM()
	it.do("change directory", unix.SYS_CHDIR, it.str(s.command.Dir))
	it.limits(s.command.Limits, processes)
	if s.group != nil {
		it.join(s.group)
	}
	it.dropBounds()
	if s.uid > 0 {
		it.become(s.uid)
	} else {
		it.dropCapabilities()
	}
	it.dieWith(unix.SIGKILL)
	it.sealed()
	it.execute(s.command, s.filter())
	return nil
}

// mapUser makes umpire's user a nameless one inside.
func (s *launch) mapUser(up stage) {
	for _, m := range []struct{ file, text string }{
		{"setgroups", "deny"},
		{"uid_map", fmt.Sprintf("%d %d 1", unprivilegedUID, os.Geteuid())},
		{"gid_map", fmt.Sprintf("%d %d 1", unprivilegedUID, os.Getegid())},
	} {
		fd := up.get("open "+m.file, unix.SYS_OPENAT, atCwd, up.str("/proc/self/"+m.file),
			num(unix.O_WRONLY|unix.O_CLOEXEC), num(0))
		up.do("write "+m.file, unix.SYS_WRITE, fd, up.add([]byte(m.text)), num(len(m.text)))
		up.do("close "+m.file, unix.SYS_CLOSE, fd)
	}
}
