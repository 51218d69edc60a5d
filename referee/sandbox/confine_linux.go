package sandbox

import (
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/seccomp"
)

// This file holds the parts of a launch script that all levels share.

// setup is a list of calls of one process, in the words that levels are made of.
type setup struct {
	launch.Setup
	machine *machine
}

// num is an argument of a call that is a number.
func num[T ~int | ~uint32 | ~uint64 | ~uintptr](n T) launch.Arg { return launch.Num(n) }

// attach gives the program its three descriptors, and no other, and a session
// of its own, which has no terminal.
func (s setup) attach(c Command) {
	for to, fd := range []int{c.Stdin, c.Stdout, c.Stderr} {
		s.Do("attach descriptor "+strconv.Itoa(to), unix.SYS_DUP3, s.File(fd), num(to), num(0))
	}
	s.Do("close descriptors", unix.SYS_CLOSE_RANGE, num(3), num(uint32(1<<31-1)), num(unix.CLOSE_RANGE_CLOEXEC))
	s.Do("create session", unix.SYS_SETSID)
	s.maskFiles()
}

// maskFiles lets all read what the process makes, whatever mask umpire was
// started with: else a root that is made for a contestant of another user is closed to it.
func (s setup) maskFiles() { s.Do("set file mode mask", unix.SYS_UMASK, num(0o022)) }

// inherit takes over the CPUs of the calling thread, whatever the fork server's own
// are.
func (s setup) inherit() {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err == nil {
		s.Do("choose CPUs", unix.SYS_SCHED_SETAFFINITY, num(0), num(unsafe.Sizeof(set)), launch.Structure(s.Script, set))
	}
}

const secbitNoSetuidFixup = 1 << 2

// dropBounds takes all capabilities but some out of what an exec could ever
// give. Where that is not allowed the program gets no more all the same, as it
// forgoes new privileges.
func (s setup) dropBounds(keep ...int) {
	for c := range s.machine.privileges.lastCap + 1 {
		if !slices.Contains(keep, c) {
			s.Try("drop capabilities", unix.EPERM, unix.SYS_PRCTL, num(unix.PR_CAPBSET_DROP), num(c))
		}
	}
}

// setUser changes to a user that has nothing else. Keep names capabilities to
// be held even so.
func (s setup) setUser(uid int, keep ...int) {
	if len(keep) > 0 {
		// Also for access(2), which otherwise asks what the user could do
		// without them.
		s.Do("keep capabilities", unix.SYS_PRCTL, num(unix.PR_SET_SECUREBITS), num(secbitNoSetuidFixup))
	}
	s.Do("leave groups", unix.SYS_SETGROUPS, num(0), num(0))
	s.Do("change group", unix.SYS_SETRESGID, num(uid), num(uid), num(uid))
	s.Do("change user", unix.SYS_SETRESUID, num(uid), num(uid), num(uid))
	if len(keep) == 0 {
		return
	}
	s.capabilities(keep...)
	for _, c := range keep {
		s.Do("keep capabilities", unix.SYS_PRCTL, num(unix.PR_CAP_AMBIENT), num(unix.PR_CAP_AMBIENT_RAISE),
			num(c), num(0), num(0))
	}
}

// capabilities gives up all capabilities but some.
func (s setup) capabilities(keep ...int) {
	var bits uint32
	for _, c := range keep {
		bits |= 1 << c
	}
	head := launch.Structure(s.Script, unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3})
	data := launch.Structure(s.Script, [2]unix.CapUserData{{Effective: bits, Permitted: bits, Inheritable: bits}})
	s.Do("set capabilities", unix.SYS_CAPSET, head, data)
}

// withdraw puts a supervisor out of the reach of a program of its own user: its
// files in /proc become root's, and nobody without privileges may trace it. Such
// a program can still send it signals, all of which are blocked for good.
func (s setup) withdraw() {
	s.Do("withdraw from others", unix.SYS_PRCTL, num(unix.PR_SET_DUMPABLE), num(0))
}

// adopt makes a supervisor without a namespace the heir of all the program
// leaves behind.
func (s setup) adopt() {
	s.Do("adopt orphans", unix.SYS_PRCTL, num(unix.PR_SET_CHILD_SUBREAPER), num(1))
}

// offerToOOM adds the calls by which a process lets the kernel kill it before
// others. Its files in /proc are its own only while it is dumpable, which a
// supervisor and what it forks are not.
func (s setup) offerToOOM() {
	s.Do("open own files", unix.SYS_PRCTL, num(unix.PR_SET_DUMPABLE), num(1))
	s.writeOwn("oom_score_adj", "1000") // is killed first
	s.withdraw()
}

// open adds the call that opens a path; name says what it is for.
func (s setup) open(name, path string, flags, mode int) launch.Arg {
	return s.Get(name, unix.SYS_OPENAT, launch.AtCwd, s.Str(path), num(flags|unix.O_CLOEXEC), num(mode))
}

// writeOwn writes one of the process's own files in /proc.
func (s setup) writeOwn(name, text string) {
	fd := s.open("open "+name, "/proc/self/"+name, unix.O_WRONLY, 0)
	s.Do("write "+name, unix.SYS_WRITE, fd, s.Add([]byte(text)), num(len(text)))
	s.Do("close "+name, unix.SYS_CLOSE, fd)
}

// dieWithSupervisor lets the kernel kill the program when its supervisor ends.
func (s setup) dieWithSupervisor() {
	s.Do("bind to supervisor", unix.SYS_PRCTL, num(unix.PR_SET_PDEATHSIG), num(int(unix.SIGKILL)))
}

// noNewPrivs lets no later exec give the process anything.
func (s setup) noNewPrivs() {
	s.Do("forgo new privileges", unix.SYS_PRCTL, num(unix.PR_SET_NO_NEW_PRIVS), num(1), num(0), num(0), num(0))
}

// filterAndExec is the end of the program's setup: the filter comes into force,
// the program takes over.
func (s setup) filterAndExec(c Command, code []unix.SockFilter) {
	s.dieWithSupervisor()
	s.unblock()
	program := launch.Structure(s.Script, unix.SockFprog{Len: uint16(len(code))})
	at := launch.List(s.Script, code)
	s.Point(program, int(unsafe.Offsetof(unix.SockFprog{}.Filter)), at)
	for i, in := range code {
		if in.K == seccomp.OwnPID {
			s.Put(at, uintptr(i)*unsafe.Sizeof(in)+unsafe.Offsetof(in.K), "get process number", unix.SYS_GETPID)
		}
	}
	s.Do("filter system calls", unix.SYS_SECCOMP, num(unix.SECCOMP_SET_MODE_FILTER),
		num(unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW), program)
	s.exec(c)
}

// unblock ends the blocking of signals that began with the fork.
func (s setup) unblock() {
	s.Do("unblock signals", unix.SYS_RT_SIGPROCMASK, num(unix.SIG_SETMASK), s.Add(make([]byte, 8)), num(0), num(8))
}

// executeStep begins the name of the step that executes the program.
const executeStep = "execute "

// exec executes the program.
func (s setup) exec(c Command) {
	s.Do(executeStep+c.Path, unix.SYS_EXECVE, s.Str(c.Path), s.Strs(c.Args), s.Strs(c.Env))
}

// withEnv adds variables that the environment does not have.
func withEnv(env []string, add ...string) []string {
	list := append([]string(nil), env...)
	for _, kv := range add {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.ContainsFunc(env, func(have string) bool { return strings.HasPrefix(have, name+"=") }) {
			list = append(list, kv)
		}
	}
	return list
}
