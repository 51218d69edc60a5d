package sandbox

import (
	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/cgroup"
)

const namespaces = unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS |
	unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP

// unprivilegedUID is the contestant's user in a user namespace.
const unprivilegedUID = 1000

// insideUID is the user the contestant sees itself as.
func (s *launch) insideUID() int {
	if s.flags&unix.CLONE_NEWUSER != 0 {
		return unprivilegedUID
	}
	return s.uid
}

// box gives the program namespaces, in which the supervisor is process 1. An
// ordinary user needs a user namespace for that, and so does root without
// CAP_SYS_ADMIN; otherwise root gives the contestant a user of its own and no
// more, which has no more rights and takes less.
func (s *launch) box() error {
	s.command.Env = withEnv(s.command.Env, "HOME=/tmp", "TMPDIR=/tmp")
	s.flags, s.pidns = namespaces, true
	up := s.supervisor()
	processes := s.command.Limits.Processes
	if userNamespaced() {
		s.flags |= unix.CLONE_NEWUSER
		processes++ // the supervisor is of the same user
		if s.uid > 0 {
			s.awaitUser(up)
			if err := s.lend(s.command.Write); err != nil {
				return err
			}
		} else {
			s.mapOwnUser(up)
		}
	}
	up.withdraw()
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
	it.protectProc()
	if userNamespaced() {
		it.dropCapabilities()
	} else {
		it.setUser(s.uid)
	}
	it.dieWithSupervisor()
	it.noNewPrivs()
	it.filterAndExec(s.command, s.filter())
	return nil
}

// join adds the calls by which a process enters a control group.
func (s childSetup) join(g *cgroup.Group) {
	zero := s.add([]byte{'0'})
	for _, j := range g.Joins() {
		s.do("join control group "+j.Dir, unix.SYS_WRITE, s.file(j.File), zero, num(1))
	}
}
