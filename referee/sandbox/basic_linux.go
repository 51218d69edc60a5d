package sandbox

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// At basic the program stays in umpire's namespaces: Landlock says what files
// it may reach, and the supervisor adopts what it leaves behind.

func (s *start) basic() error {
	scratch, err := s.launcher.scratches.acquire(s.uid)
	if err != nil {
		return err
	}
	// A program that may change times could leave a message in them.
	s.free = append(s.free, func() { s.launcher.scratches.release(s.uid, scratch, len(s.command.Write) == 0) })
	s.folders = append(s.folders, scratch)
	s.command.Env = withEnv(s.command.Env, "HOME="+scratch, "TMPDIR="+scratch)

	if s.cell == nil {
		s.supervisor().basic()
	}
	rules, err := s.rules(scratch)
	if err != nil {
		return err
	}
	s.sent = append(s.sent, rules)

	it := s.contestant()
	it.limits(s.command.Limits, s.basicProcesses())
	if s.uid > 0 {
		it.setUser(s.uid, s.machine.privileges.rootFiles()...)
	} else {
		it.capabilities(s.machine.privileges.rootFiles()...) // umpire may be root of a container
	}
	it.noNewPrivs()
	it.Do("enforce Landlock rules", unix.SYS_LANDLOCK_RESTRICT_SELF, it.File(rules), num(0))
	it.filterAndExec(s.command, s.filter())
	return nil
}

// basic is the supervisor's part, which is the same for all programs.
func (s setup) basic() {
	s.adopt()
	s.withdraw()
	s.dropBounds(s.machine.privileges.rootFiles()...) // of the programs
}

// rules says by Landlock what files the program may reach. The descriptor is
// closed when the launch is over.
func (s *start) rules(scratch string) (int, error) {
	c := &s.command
	var grants []grant
	for _, list := range []struct {
		paths  []string
		rights uint64
	}{{[]string{c.Path}, landRead}, {c.Read, landRead}, {c.Write, landWrite}, {[]string{scratch}, landWrite}} {
		for _, path := range list.paths {
			p, ok := statPath(path)
			if !ok {
				return -1, fmt.Errorf("find %s: %w", path, os.ErrNotExist)
			}
			rights := list.rights
			if p.pipe {
				rights |= landWriteFile
			}
			grants = append(grants, grant{p, rights})
		}
	}
	return s.launcher.rulesets.get(grants)
}

// basicProcesses is the kernel's limit of processes. It counts all of a user,
// so where the user is umpire's own it can only keep the machine from being
// taken. It must be out of reach of one contestant, or others' threads would
// fail: umpire counts the contestant's own (watch.Tree.Threads), and kills it long before.
func (s *start) basicProcesses() int {
	if s.uid > 0 {
		return s.command.Limits.Processes
	}
	limit := s.command.Limits.Processes
	most := s.launcher.threads.count()*5/4 + forkSlack*limit
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NPROC, &l) == nil && l.Cur < math.MaxInt32 {
		most = min(most, int(l.Cur)-limit) // what is left is umpire's
	}
	return max(most, limit)
}

// forkSlack is how many times its limit of processes a contestant might make
// until umpire looks.
const forkSlack = 16
