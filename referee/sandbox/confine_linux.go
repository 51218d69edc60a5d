package sandbox

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox/seccomp"
)

// This file holds the parts of a launch script that all levels share.

// attach gives the program its three descriptors, and no other, and a session
// of its own, which has no terminal.
func (s childSetup) attach(c Command) {
	for to, fd := range []int{c.Stdin, c.Stdout, c.Stderr} {
		s.do("attach descriptor "+strconv.Itoa(to), unix.SYS_DUP3, s.file(fd), num(to), num(0))
	}
	s.do("close descriptors", unix.SYS_CLOSE_RANGE, num(3), num(uint32(1<<31-1)), num(unix.CLOSE_RANGE_CLOEXEC))
	s.do("create session", unix.SYS_SETSID)
	s.maskFiles()
}

// maskFiles lets what the process makes be read by all, whatever mask umpire was
// started with: else a root that is made for a contestant of another user is closed to it.
func (s childSetup) maskFiles() { s.do("set file mode mask", unix.SYS_UMASK, num(0o022)) }

// inherit takes over the CPUs of the calling thread, since the fork server's own
// are no matter.
func (s childSetup) inherit() {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err == nil {
		s.do("choose CPUs", unix.SYS_SCHED_SETAFFINITY, num(0), num(unsafe.Sizeof(set)), structure(s.launchScript, set))
	}
}

// limit sets a limit of the process itself, which can't be raised again.
func (s childSetup) limit(name string, resource int, value uint64) {
	if hard := hardLimits()[resource]; value > hard && (s.flags&unix.CLONE_NEWUSER != 0 || !raisesLimits()) {
		value = hard
	}
	s.do("limit "+name, unix.SYS_PRLIMIT64, num(0), num(resource),
		structure(s.launchScript, unix.Rlimit{Cur: value, Max: value}), num(0))
}

// hardLimits are the limits umpire itself was started with.
var hardLimits = sync.OnceValue(func() (hard [16]uint64) {
	for i := range hard {
		hard[i] = unix.RLIM_INFINITY
		var l unix.Rlimit
		if err := unix.Getrlimit(i, &l); err == nil {
			hard[i] = l.Max
		}
	}
	return hard
})

// raisesLimits reports whether umpire may go beyond its own limits, which takes the
// capability outside all user namespaces.
func raisesLimits() bool { return kernelRoot() && hasCapability(unix.CAP_SYS_RESOURCE) }

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
func (s childSetup) limits(l Limits, processes int) {
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
		s.limit("data", unix.RLIMIT_DATA, uint64(l.Memory)+dataSlack())
	}
}

// dataSlack is the memory a program may map beyond its memory limit without using
// it: a JVM maps a share of the machine's memory at its start. It only bounds
// how much can be taken between two looks.
var dataSlack = sync.OnceValue(func() uint64 {
	var info unix.Sysinfo_t
	_ = unix.Sysinfo(&info)
	return 1<<30 + uint64(info.Totalram)*uint64(info.Unit)/32
})

const secbitNoSetuidFixup = 1 << 2

// permitted are the capabilities umpire has, a bit each. Root of a container
// has not all.
var permitted = sync.OnceValue(func() uint64 {
	var buf [4096]byte
	_, rest, _ := strings.Cut(string(procfs.Read("/proc/self/status", buf[:])), "\nCapPrm:\t")
	line, _, _ := strings.Cut(rest, "\n")
	bits, _ := strconv.ParseUint(line, 16, 64)
	return bits
})

func hasCapability(c int) bool { return permitted()>>c&1 != 0 }

// rootFiles are the capabilities umpire has to read and write root's files.
var rootFiles = sync.OnceValue(func() []int {
	return slices.DeleteFunc([]int{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH}, func(c int) bool { return !hasCapability(c) })
})

// lastCap is the kernel's last capability.
var lastCap = sync.OnceValue(func() int {
	if n, err := strconv.Atoi(procfs.FirstLine("/proc/sys/kernel/cap_last_cap")); err == nil {
		return n
	}
	return 63
})

// dropBounds takes all capabilities but some out of what an exec could ever
// give. Where that is not allowed the program gets no more all the same, as it
// forgoes new privileges.
func (s childSetup) dropBounds(keep ...int) {
	for c := range lastCap() + 1 {
		if !slices.Contains(keep, c) {
			s.try("drop capabilities", unix.EPERM, unix.SYS_PRCTL, num(unix.PR_CAPBSET_DROP), num(c))
		}
	}
}

// setUser changes to a user that has nothing else. Keep names capabilities to
// be held even so.
func (s childSetup) setUser(uid int, keep ...int) {
	if len(keep) > 0 {
		// Also for access(2), which otherwise asks what the user could do
		// without them.
		s.do("keep capabilities", unix.SYS_PRCTL, num(unix.PR_SET_SECUREBITS), num(secbitNoSetuidFixup))
	}
	s.do("leave groups", unix.SYS_SETGROUPS, num(0), num(0))
	s.do("change group", unix.SYS_SETRESGID, num(uid), num(uid), num(uid))
	s.do("change user", unix.SYS_SETRESUID, num(uid), num(uid), num(uid))
	if len(keep) == 0 {
		return
	}
	s.capabilities(keep...)
	for _, c := range keep {
		s.do("keep capabilities", unix.SYS_PRCTL, num(unix.PR_CAP_AMBIENT), num(unix.PR_CAP_AMBIENT_RAISE),
			num(c), num(0), num(0))
	}
}

// dropCapabilities gives up all capabilities.
func (s childSetup) dropCapabilities() { s.capabilities() }

// capabilities gives up all capabilities but some.
func (s childSetup) capabilities(keep ...int) {
	var bits uint32
	for _, c := range keep {
		bits |= 1 << c
	}
	head := structure(s.launchScript, unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3})
	data := structure(s.launchScript, [2]unix.CapUserData{{Effective: bits, Permitted: bits, Inheritable: bits}})
	s.do("set capabilities", unix.SYS_CAPSET, head, data)
}

// withdraw puts a supervisor out of the reach of a program of its own user: its
// files in /proc become root's, and nobody without privileges may trace it. Such
// a program can still send it signals, all of which are blocked for good.
func (s childSetup) withdraw() {
	s.do("withdraw from others", unix.SYS_PRCTL, num(unix.PR_SET_DUMPABLE), num(0))
}

// settle adds the steps of the supervisor once the program runs: whatever makes it
// busy takes the program's own CPUs, and no signals queue up at it. The next program
// of a cell sets its own limit of them; at none it has its supervisor's.
func (s *launch) settle(up childSetup) {
	up.inherit()
	if s.level == referee.LevelNone {
		return
	}
	up.do("limit signals", unix.SYS_PRLIMIT64, num(0), num(unix.RLIMIT_SIGPENDING),
		structure(s.launchScript, unix.Rlimit{Max: hardLimits()[unix.RLIMIT_SIGPENDING]}), num(0))
}

// dieWithSupervisor lets the kernel kill the program when its supervisor ends.
func (s childSetup) dieWithSupervisor() {
	s.do("bind to supervisor", unix.SYS_PRCTL, num(unix.PR_SET_PDEATHSIG), num(int(unix.SIGKILL)))
}

// noNewPrivs lets no later exec give the process anything.
func (s childSetup) noNewPrivs() {
	s.do("forgo new privileges", unix.SYS_PRCTL, num(unix.PR_SET_NO_NEW_PRIVS), num(1), num(0), num(0), num(0))
}

// filterAndExec is the end of the program's setup: the filter comes into force,
// the program takes over.
func (s childSetup) filterAndExec(c Command, code []unix.SockFilter) {
	s.unblock()
	program := structure(s.launchScript, unix.SockFprog{Len: uint16(len(code))})
	at := s.add(bytesOf(code))
	s.point(program, int(unsafe.Offsetof(unix.SockFprog{}.Filter)), at)
	for i, in := range code {
		if in.K == seccomp.OwnPID {
			s.put((at.value+uintptr(i)*unsafe.Sizeof(in)+unsafe.Offsetof(in.K))/4, "get process number", unix.SYS_GETPID)
		}
	}
	s.do("filter system calls", unix.SYS_SECCOMP, num(unix.SECCOMP_SET_MODE_FILTER),
		num(unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW), program)
	s.exec(c)
}

// unblock ends the blocking of signals that began with the fork.
func (s childSetup) unblock() {
	s.do("unblock signals", unix.SYS_RT_SIGPROCMASK, num(unix.SIG_SETMASK), s.add(make([]byte, 8)), num(0), num(8))
}

// exec executes the program.
func (s childSetup) exec(c Command) {
	s.do(executeStep+c.Path, unix.SYS_EXECVE, s.str(c.Path), s.strs(c.Args), s.strs(c.Env))
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
