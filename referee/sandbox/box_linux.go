package sandbox

import (
	"golang.org/x/sys/unix"

	"umpire/referee"
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
	s.boxFlags(s.cell != nil)
	if s.cell != nil {
		s.ownRoot()
	} else if err := s.boxSetup(); err != nil {
		return err
	}
	processes := s.command.Limits.Processes
	if userNamespaced() {
		processes++ // the supervisor is of the same user
	}
	it := s.contestant()
	it.attach(s.command)
	it.inherit()
	it.offerToOOM()
	it.do("change directory", unix.SYS_CHDIR, it.str(s.command.Dir))
	it.limits(s.command.Limits, processes)
	if s.group != nil {
		s.join(s.group)
		// Of each program, since one may be forked only into a group within the
		// supervisor's own namespace.
		it.do("create control group namespace", unix.SYS_UNSHARE, num(unix.CLONE_NEWCGROUP))
	}
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

// boxFlags says what the supervisor is to have of its own, with many programs or
// with one.
func (s *launch) boxFlags(many bool) {
	s.flags, s.pidns, s.many, s.lists = namespaces, true, many, len(objectLists())
	if s.level == referee.LevelStrict {
		s.flags &^= unix.CLONE_NEWCGROUP
	}
	if userNamespaced() {
		s.flags |= unix.CLONE_NEWUSER
	}
}

// boxSetup is the supervisor's part, where it starts this program alone.
func (s *launch) boxSetup() error {
	up := s.supervisor()
	if s.flags&unix.CLONE_NEWUSER != 0 && s.uid > 0 {
		s.awaitUser(up)
		if err := s.lend(s.command.Write); err != nil {
			return err
		}
	}
	s.confineSupervisor(up)
	if err := s.privateRoot(up); err != nil {
		return err
	}
	up.nameMachine()
	return nil
}

// cellSetup is the supervisor's part, where it is to start programs of whom
// nothing is known but the outermost folders of what they are given.
func (s *launch) cellSetup(tops string) {
	s.boxFlags(true)
	up := s.supervisor()
	up.inherit()
	s.confineSupervisor(up)
	s.cellRoot(up, tops)
	up.nameMachine()
}

func (s *launch) confineSupervisor(up childSetup) {
	if s.flags&unix.CLONE_NEWUSER != 0 && s.uid == 0 {
		s.mapOwnUser(up)
	}
	up.maskFiles()
	up.withdraw()
	up.dropBounds() // of the programs
}

func (s childSetup) nameMachine() {
	s.do("name machine", unix.SYS_SETHOSTNAME, s.str("umpire"), num(len("umpire")))
}

// join adds the ways by which the program gets into a control group.
func (p *launchScript) join(g *cgroup.Group) {
	if dir := g.Folder(); dir >= 0 {
		p.into = int(p.file(dir).value)
	}
	it := p.joiner()
	zero := p.add([]byte{'0'})
	for _, j := range g.Joins() {
		it.do("join control group "+j.Dir, unix.SYS_WRITE, p.file(j.File), zero, num(1))
	}
}
