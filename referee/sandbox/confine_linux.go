package sandbox

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/seccomp"
)

// This file holds the parts of a launch script that all levels share.

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

// limit sets a limit of the process itself, which can't be raised again.
func (s setup) limit(name string, resource int, value uint64) {
	if hard := s.machine.hardLimits[resource]; value > hard && (s.Flags&unix.CLONE_NEWUSER != 0 || !s.machine.raisesLimits()) {
		value = hard
	}
	s.Do("limit "+name, unix.SYS_PRLIMIT64, num(0), num(resource),
		launch.Structure(s.Script, unix.Rlimit{Cur: value, Max: value}), num(0))
}

// Limits where a Command names none.
const (
	defaultFiles    = 512
	defaultFileSize = 64 << 20
)

// Limits that are the same for every program.
const (
	// No core, in bytes: less than any has, so that none becomes a file. Where
	// core_pattern is a program, to which the limit does not apply, the kernel
	// takes 1 for "not to it either"; 0 it does not.
	noCore = 1
	// maxSignals bounds the queued signals and timers of a user, of which the
	// machine has some: a program could take those of another.
	maxSignals = 1024
)

// withDefaults fills in the level's own limits.
func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		value *int
		is    int
	}{{&l.Files, defaultFiles}, {&l.Processes, DefaultProcesses}} {
		if *d.value == 0 {
			*d.value = d.is
		}
	}
	if l.Disk == 0 {
		l.Disk = DefaultDisk
	}
	if l.FileSize == 0 {
		l.FileSize = max(defaultFileSize, l.Disk)
	}
	return l
}

// limits sets what the kernel limits a process by. Processes is the kernel's
// number, which may count others too.
func (s setup) limits(l Limits, processes int) {
	s.limit("core", unix.RLIMIT_CORE, noCore)
	s.limit("descriptors", unix.RLIMIT_NOFILE, uint64(l.Files))
	s.limit("file size", unix.RLIMIT_FSIZE, uint64(l.FileSize))
	s.limit("nice", unix.RLIMIT_NICE, 0)
	s.limit("real time", unix.RLIMIT_RTPRIO, 0)
	s.limit("message queues", unix.RLIMIT_MSGQUEUE, 0)
	s.limit("signals", unix.RLIMIT_SIGPENDING, maxSignals)
	if processes > 0 {
		s.limit("processes", unix.RLIMIT_NPROC, uint64(processes))
	}
	if l.Stack > 0 {
		s.limit("stack", unix.RLIMIT_STACK, uint64(l.Stack))
	}
	if l.CPU > 0 {
		// Only for when umpire does not look: it counts in seconds.
		s.limit("CPU", unix.RLIMIT_CPU, uint64(l.CPU/time.Second)+2)
	}
	if l.Memory > 0 {
		s.limit("data", unix.RLIMIT_DATA, uint64(l.Memory)+s.machine.dataSlack)
	}
}

const secbitNoSetuidFixup = 1 << 2

// dropBounds takes all capabilities but some out of what an exec could ever
// give. Where that is not allowed the program gets no more all the same, as it
// forgoes new privileges.
func (s setup) dropBounds(keep ...int) {
	for c := range s.machine.lastCap + 1 {
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

// dropCapabilities gives up all capabilities.
func (s setup) dropCapabilities() { s.capabilities() }

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

// settle adds the steps of the supervisor once the program runs: whatever makes it
// busy takes the program's own CPUs, and no signals queue up at it. The next program
// of a cell sets its own limit of them; at none it has its supervisor's.
func (s *start) settle(up setup) {
	up.inherit()
	if s.level == referee.LevelNone {
		return
	}
	up.Do("limit signals", unix.SYS_PRLIMIT64, num(0), num(unix.RLIMIT_SIGPENDING),
		launch.Structure(up.Script, unix.Rlimit{Max: s.machine.hardLimits[unix.RLIMIT_SIGPENDING]}), num(0))
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
		if !hasEnv(env, name) {
			list = append(list, kv)
		}
	}
	return list
}

func hasEnv(env []string, name string) bool {
	for _, kv := range env {
		if strings.HasPrefix(kv, name) && len(kv) > len(name) && kv[len(name)] == '=' {
			return true
		}
	}
	return false
}
