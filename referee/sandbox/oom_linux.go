package sandbox

import (
	"os"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
)

// Where a machine, or a group around umpire, runs out of memory, the kernel
// chooses whom to kill. It is to choose contestants first, umpire and its
// helpers last, and a contestant that dies of others' needs has not failed.

// blameOOM finds out whether a program that umpire has not killed was killed by
// the kernel for want of memory, where no control group of its own tells: since
// its start the kernel must have killed somebody. A signal alone may be its own.
func (e *Exit) blameOOM(limit, before, now int64) {
	if !e.OutOfMemory && e.Status.Signaled() && e.Status.Signal() == unix.SIGKILL && now > before {
		e.starved(limit)
	}
}

// starved says that the kernel has killed the program though it kept its limit.
// Without one it had no other limit than what there was.
func (e *Exit) starved(limit int64) {
	if limit == 0 {
		e.OutOfMemory = true
	} else {
		e.Err = ErrMachineMemory
	}
}

// oomKills counts the processes that the kernel has killed for want of memory:
// of those in umpire's own control group, where contestants below strict are,
// or of the whole machine if it has none. It reads the file that openOOMEvents opens.
func oomKills(events int) int64 {
	var buf [16 << 10]byte
	n, _ := unix.Pread(events, buf[:], 0)
	return procfs.Field(buf[:max(n, 0)], "oom_kill ")
}

// openOOMEvents opens the file that counts them: it is read at each start.
func openOOMEvents() int {
	fd, _ := unix.Open(oomEventsPath(), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	return fd
}

func oomEventsPath() string {
	mounts, _ := cgroup.Mounts()
	for name, file := range map[string]string{"": "/memory.events", "memory": "/memory.oom_control"} {
		if m, ok := mounts[name]; ok {
			if text, err := os.ReadFile(m.Own + file); err == nil && len(text) > 0 {
				return m.Own + file
			}
		}
	}
	return "/proc/vmstat"
}
