package sandbox

import (
	"os"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
)

// Where a machine, or a group around umpire, runs out of memory, the kernel
// chooses whom to kill. It is to choose contestants first, umpire and its
// helpers last, and a contestant that dies of others' needs has not failed.

const (
	oomScore = "/oom_score_adj"
	oomFirst = "1000" // is killed first
)

// offerToOOM adds the calls by which a process lets the kernel kill it before
// others. Its files in /proc are its own only while it is dumpable, which a
// supervisor and what it forks are not.
func (s setup) offerToOOM() {
	s.Do("open own files", unix.SYS_PRCTL, num(unix.PR_SET_DUMPABLE), num(1))
	fd := s.Get("open "+oomScore[1:], unix.SYS_OPENAT, launch.AtCwd, s.Str("/proc/self"+oomScore),
		num(unix.O_WRONLY|unix.O_CLOEXEC), num(0))
	s.Do("write "+oomScore[1:], unix.SYS_WRITE, fd, s.Add([]byte(oomFirst)), num(len(oomFirst)))
	s.Do("close "+oomScore[1:], unix.SYS_CLOSE, fd)
	s.withdraw()
}

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

// MemoryInUse returns how much memory can't be taken back in the control group that
// contestants are in, or on the machine if it is in none, and how much there is, in bytes. Both are 0
// where that is unknown.
func MemoryInUse() (used, most int64) {
	var buf [16 << 10]byte
	info := procfs.Read("/proc/meminfo", buf[:])
	most = procfs.Kibibytes(info, "MemTotal:")
	used = most - procfs.Kibibytes(info, "MemAvailable:")
	mounts, _ := thisMachine().groupMounts()
	if m, ok := mounts["memory"]; ok {
		stat := procfs.Read(m.Own+"/memory.stat", buf[:])
		if n := procfs.Field(stat, "hierarchical_memory_limit "); n > 0 && n < most {
			return inGroup(m.Own+"/memory.usage_in_bytes", stat, "total_"), n
		}
		return used, most
	}
	for dir := range mounts[""].Above() {
		n := procfs.Number([]byte(procfs.FirstLine(dir + "/memory.max")))
		if n > 0 && n < most {
			used, most = inGroup(dir+"/memory.current", procfs.Read(dir+"/memory.stat", buf[:]), ""), n
		}
	}
	return used, most
}

// inGroup is the memory of a control group but for the cache of files, in bytes. The sum
// of what is mapped would not have pages that only a pipe holds.
func inGroup(usage string, stat []byte, prefix string) int64 {
	files := procfs.Field(stat, prefix+"active_file ") + procfs.Field(stat, prefix+"inactive_file ")
	return max(0, procfs.Number([]byte(procfs.FirstLine(usage)))-files)
}

// oomKills counts the processes that the kernel has killed for want of memory:
// of those in umpire's own control group, where contestants below strict are,
// or of the whole machine if it has none.
func (m *machine) oomKills() int64 {
	var buf [16 << 10]byte
	n, _ := unix.Pread(m.oomEvents(), buf[:], 0)
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
