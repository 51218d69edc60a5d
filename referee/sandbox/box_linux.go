package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
)

const namespaces = unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS |
	unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP

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
	if s.machine.privileges.userNamespaced() {
		processes++ // the supervisor is of the same user
	}
	it := s.contestant()
	it.limits(s.command.Limits, processes)
	if s.group != nil {
		s.join(s.group)
		// Of each program, since one may be forked only into a group within the
		// supervisor's own namespace.
		it.Do("create control group namespace", unix.SYS_UNSHARE, num(unix.CLONE_NEWCGROUP))
	}
	// Some files of /proc ask for a user, and not for capabilities. The program protects
	// it itself, as the last that its setup does to files.
	it.protect("/proc", unix.MS_NOEXEC)
	if s.machine.privileges.userNamespaced() {
		it.capabilities() // none
	} else {
		it.setUser(s.uid)
	}
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
	if s.machine.privileges.userNamespaced() {
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

func (s *start) privateRoot(up setup) error {
	r := s.newRoot(up, staging)
	up.privateMounts()
	r.cloneSystem()
	for _, path := range s.command.Write {
		if err := r.readOutput(filepath.Clean(path)); err != nil {
			return err
		}
	}
	for _, p := range s.given {
		r.clone(p)
	}
	if s.uid > 0 && s.script.Flags&unix.CLONE_NEWUSER != 0 {
		// Root's folders lead to what was taken; from here on nobody is root.
		up.setUser(launch.ContestantUID)
	}
	r.begin()
	r.tmp()
	r.attachMounts()
	for i, o := range s.outputs {
		r.attachOutput(o, i)
	}
	r.addSystemFiles()
	r.workingDir()
	r.enter()
	return nil
}

// mapOwnUser makes umpire's user a nameless one in a user namespace.
func (s *start) mapOwnUser(up setup) {
	for _, m := range []struct{ file, text string }{
		{"setgroups", "deny"},
		{"uid_map", fmt.Sprintf("%d %d 1", launch.ContestantUID, os.Geteuid())},
		{"gid_map", fmt.Sprintf("%d %d 1", launch.ContestantUID, os.Getegid())},
	} {
		up.writeOwn(m.file, m.text)
	}
}

// lend gives the folders that a program may write to its user for as long as it
// runs, where they can't be mounted as if they were that user's.
func (s *start) lend(folders []string) error {
	for _, dir := range folders {
		var st unix.Stat_t
		if err := unix.Stat(dir, &st); err != nil {
			return fmt.Errorf("find %s: %w", dir, err)
		}
		s.free = append(s.free, func() { _ = chownAll(dir, int(st.Uid), int(st.Gid)) })
		if err := chownAll(dir, s.uid, s.uid); err != nil {
			return fmt.Errorf("lend folder: %w", err)
		}
	}
	return nil
}

// chownAll gives a folder away with all in it. No program that could change it
// meanwhile runs.
func chownAll(dir string, uid, gid int) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, gid))
	})
}
