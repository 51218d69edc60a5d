package sandbox

import (
	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
)

const namespaces = unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS |
	unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP

// insideUID is the user the contestant sees itself as.
func (s *start) insideUID() int {
	if s.script.Flags&unix.CLONE_NEWUSER != 0 {
		return launch.ContestantUID
	}
	return s.uid
}

// box gives the program namespaces, in which the supervisor is process 1. An
// ordinary user needs a user namespace for that, and so does root without
// CAP_SYS_ADMIN; otherwise root gives the contestant a user of its own and no
// more, which has no more rights and takes less.
func (s *start) box() error {
	s.command.Env = withEnv(s.command.Env, "HOME=/tmp", "TMPDIR=/tmp")
	s.boxFlags()
	if s.cell != nil {
		s.ownRoot()
	} else if err := s.boxSetup(); err != nil {
		return err
	}
	processes := s.command.Limits.Processes
	if s.machine.userNamespaced() {
		processes++ // the supervisor is of the same user
	}
	it := s.contestant()
	it.attach(s.command)
	it.inherit()
	it.offerToOOM()
	it.Do("change directory", unix.SYS_CHDIR, it.Str(s.command.Dir))
	it.limits(s.command.Limits, processes)
	if s.group != nil {
		s.join(s.group)
		// Of each program, since one may be forked only into a group within the
		// supervisor's own namespace.
		it.Do("create control group namespace", unix.SYS_UNSHARE, num(unix.CLONE_NEWCGROUP))
	}
	it.protectProc()
	if s.machine.userNamespaced() {
		it.dropCapabilities()
	} else {
		it.setUser(s.uid)
	}
	it.dieWithSupervisor()
	it.noNewPrivs()
	it.filterAndExec(s.command, s.filter())
	return nil
}

// boxFlags says what the supervisor is to have of its own.
func (s *start) boxFlags() {
	p := s.script
	p.Flags, p.OwnPIDs, p.Lists = namespaces, true, len(s.machine.objectLists)
	if s.level == referee.LevelStrict {
		p.Flags &^= unix.CLONE_NEWCGROUP
	}
	if s.machine.userNamespaced() {
		p.Flags |= unix.CLONE_NEWUSER
	}
}

// boxSetup is the supervisor's part, where it starts this program alone.
func (s *start) boxSetup() error {
	up := s.supervisor()
	if s.script.Flags&unix.CLONE_NEWUSER != 0 && s.uid > 0 {
		up.AwaitUser()
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

// cellSetup is the supervisor's part, where it is to start programs of which
// nothing is known but the outermost folders of what they are given.
func (s *start) cellSetup(tops string) {
	s.boxFlags()
	up := s.supervisor()
	up.inherit()
	s.confineSupervisor(up)
	s.cellRoot(up, tops)
	up.nameMachine()
}

func (s *start) confineSupervisor(up setup) {
	if s.script.Flags&unix.CLONE_NEWUSER != 0 && s.uid == 0 {
		s.mapOwnUser(up)
	}
	up.maskFiles()
	up.withdraw()
	up.dropBounds() // of the programs
}

func (s setup) nameMachine() {
	s.Do("name machine", unix.SYS_SETHOSTNAME, s.Str("umpire"), num(len("umpire")))
}

// join adds the ways by which the program gets into a control group.
func (s *start) join(g *cgroup.Group) {
	if dir := g.Folder(); dir >= 0 {
		s.script.ForkInto(dir)
	}
	it := s.joining()
	zero := it.Add([]byte{'0'})
	for _, j := range g.Joins() {
		it.Do("join control group "+j.Dir, unix.SYS_WRITE, it.File(j.File), zero, num(1))
	}
}
