package sandbox

import (
	"cmp"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/launch"
)

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
	l.Files = cmp.Or(l.Files, defaultFiles)
	l.Processes = cmp.Or(l.Processes, DefaultProcesses)
	l.Disk = cmp.Or(l.Disk, DefaultDisk)
	l.FileSize = cmp.Or(l.FileSize, max(defaultFileSize, l.Disk))
	return l
}

// limit sets a limit of the process itself, which can't be raised again.
func (s setup) limit(name string, resource int, value uint64) {
	if hard := s.machine.privileges.hardLimits[resource]; value > hard && (s.Flags&unix.CLONE_NEWUSER != 0 || !s.machine.privileges.raisesLimits()) {
		value = hard
	}
	s.Do("limit "+name, unix.SYS_PRLIMIT64, num(0), num(resource),
		launch.Structure(s.Script, unix.Rlimit{Cur: value, Max: value}), num(0))
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
