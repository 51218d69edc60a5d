package seccomp

import (
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// answerTo runs a filter on a call, as the kernel does.
func answerTo(t *testing.T, f []unix.SockFilter, arch uint32, nr uintptr, args ...uint32) uint32 {
	t.Helper()
	facts := map[uint32]uint32{offNumber: uint32(nr), offArch: arch}
	for i, a := range args {
		facts[uint32(offArgs+8*i)] = a
	}
	var loaded uint32
	for pc := 0; pc < len(f); pc++ {
		in := f[pc]
		jump := func(yes bool) {
			if yes {
				pc += int(in.Jt)
			} else {
				pc += int(in.Jf)
			}
		}
		switch in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			loaded = facts[in.K]
		case unix.BPF_RET | unix.BPF_K:
			return in.K
		case unix.BPF_JMP | unix.BPF_JA:
			pc += int(in.K)
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			jump(loaded == in.K)
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			jump(loaded >= in.K)
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			loaded &= in.K
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			jump(loaded&in.K != 0)
		default:
			t.Fatalf("instruction %+v", in)
		}
	}
	t.Fatal("no answer")
	return 0
}

// Keys that the tests use: of a kernel with all of Landlock and of one with
// its first version.
var (
	basicNow   = Key{SharedNamespaces: true, OwnUser: true, Landlock: 6}
	basicFirst = Key{SharedNamespaces: true, OwnUser: true, Landlock: 1}
	basicRoot  = Key{SharedNamespaces: true, Landlock: 1} // the program has a user of its own
	boxed      = Key{OwnUser: true, BoundsShared: true, Landlock: 1}
	strict     = Key{Landlock: 1}
)

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		name string
		nr   uintptr
		args []uint32
		at   Key
		want uint32
	}{
		{"clone", unix.SYS_CLONE, []uint32{unix.CLONE_VM | unix.CLONE_THREAD}, basicNow, actionAllow},
		{"clone", unix.SYS_CLONE, []uint32{unix.CLONE_NEWUSER}, basicNow, actionKill},
		{"socket", unix.SYS_SOCKET, []uint32{unix.AF_UNIX}, basicNow, actionEPERM},
		{"socket", unix.SYS_SOCKET, []uint32{unix.AF_UNIX}, boxed, actionAllow},
		{"socket", unix.SYS_SOCKET, []uint32{unix.AF_INET}, boxed, actionEPERM},
		{"socketpair", unix.SYS_SOCKETPAIR, []uint32{unix.AF_UNIX}, basicNow, actionAllow},
		{"prlimit", unix.SYS_PRLIMIT64, []uint32{0}, basicNow, actionAllow},
		{"prlimit", unix.SYS_PRLIMIT64, []uint32{77}, basicNow, actionEPERM},
		{"prlimit of cores", unix.SYS_PRLIMIT64, []uint32{0, unix.RLIMIT_CORE}, basicNow, actionAllow},
		{"prlimit of cores", unix.SYS_PRLIMIT64, []uint32{0, unix.RLIMIT_CORE, 8}, basicNow, actionIgnore},
		{"prlimit of files", unix.SYS_PRLIMIT64, []uint32{0, unix.RLIMIT_NOFILE, 8}, basicNow, actionAllow},
		{"setrlimit of cores", unix.SYS_SETRLIMIT, []uint32{unix.RLIMIT_CORE}, basicNow, actionIgnore},
		{"setrlimit of files", unix.SYS_SETRLIMIT, []uint32{unix.RLIMIT_NOFILE}, basicNow, actionAllow},
		{"setpriority", unix.SYS_SETPRIORITY, []uint32{unix.PRIO_PROCESS, 0}, basicNow, actionAllow},
		{"setpriority", unix.SYS_SETPRIORITY, []uint32{unix.PRIO_PROCESS, 77}, basicNow, actionEPERM},
		{"setpriority of a group", unix.SYS_SETPRIORITY, []uint32{unix.PRIO_PGRP, 0}, boxed, actionEPERM},
		{"setpriority of a user", unix.SYS_SETPRIORITY, []uint32{unix.PRIO_USER, 0}, boxed, actionEPERM},
		{"sched_setscheduler", unix.SYS_SCHED_SETSCHEDULER, []uint32{0, unix.SCHED_BATCH}, basicNow, actionAllow},
		{"sched_setscheduler of a thread", unix.SYS_SCHED_SETSCHEDULER, []uint32{77, unix.SCHED_NORMAL}, basicNow, actionIgnore},
		{"sched_setscheduler of a thread", unix.SYS_SCHED_SETSCHEDULER, []uint32{77, unix.SCHED_NORMAL}, boxed, actionIgnore},
		{"sched_setscheduler of a thread", unix.SYS_SCHED_SETSCHEDULER, []uint32{77, unix.SCHED_IDLE}, basicNow, actionEPERM},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SET_NAME}, boxed, actionAllow},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SCHED_CORE}, boxed, actionEPERM},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SCHED_CORE}, basicNow, actionEPERM},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SET_DUMPABLE}, basicNow, actionEPERM},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SET_NAME}, basicNow, actionAllow},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SET_DUMPABLE}, boxed, actionAllow},
		{"prctl of futexes", unix.SYS_PRCTL, []uint32{unix.PR_FUTEX_HASH}, boxed, actionEINVAL},
		{"prctl of futexes", unix.SYS_PRCTL, []uint32{unix.PR_FUTEX_HASH}, basicNow, actionEINVAL},
		{"prctl of a later kernel", unix.SYS_PRCTL, []uint32{1000}, strict, actionEINVAL},
		{"sendmsg", unix.SYS_SENDMSG, nil, basicNow, actionEPERM},
		{"sendmsg", unix.SYS_SENDMSG, nil, boxed, actionAllow},
		{"a call that is in no list", unix.SYS_LANDLOCK_CREATE_RULESET, nil, boxed, actionENOSYS},
		{"a call of a later kernel", 500, nil, boxed, actionENOSYS},
		{"a call that is in no list", unix.SYS_LANDLOCK_CREATE_RULESET, nil, Key{KillsUnlisted: true}, actionKill},
		{"clone3", unix.SYS_CLONE3, nil, Key{KillsUnlisted: true}, actionENOSYS},
		{"read", unix.SYS_READ, nil, Key{KillsUnlisted: true}, actionAllow},
		{"ioctl", unix.SYS_IOCTL, []uint32{1, unix.TCGETS}, basicNow, actionAllow},
		{"ioctl", unix.SYS_IOCTL, []uint32{1, unix.TIOCSTI}, basicNow, actionEPERM},
		{"ioctl", unix.SYS_IOCTL, []uint32{1, fiosetown}, basicNow, actionEPERM},
		{"ioctl of a pipe", unix.SYS_IOCTL, []uint32{1, unix.TIOCINQ}, boxed, actionAllow},
		{"ioctl of a file", unix.SYS_IOCTL, []uint32{1, unix.FS_IOC_SETFLAGS}, boxed, actionENOTTY},
		{"ioctl of a file", unix.SYS_IOCTL, []uint32{1, unix.FS_IOC_SETFLAGS}, basicNow, actionENOTTY},
		{"mmap of 4 MiB", unix.SYS_MMAP, []uint32{0, 4 << 20, 3, unix.MAP_SHARED | unix.MAP_ANONYMOUS}, boxed, actionAllow},
		{"mmap of more", unix.SYS_MMAP, []uint32{0, 4<<20 + 1, 3, unix.MAP_SHARED | unix.MAP_ANONYMOUS}, boxed, actionENOMEM},
		{"mmap of more", unix.SYS_MMAP, []uint32{0, 4<<20 + 1, 3, unix.MAP_SHARED_VALIDATE | unix.MAP_ANONYMOUS | unix.MAP_HUGETLB}, boxed, actionENOMEM},
		{"private mmap of more", unix.SYS_MMAP, []uint32{0, 4<<20 + 1, 3, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS}, boxed, actionAllow},
		{"mmap of a larger file", unix.SYS_MMAP, []uint32{0, 4<<20 + 1, 3, unix.MAP_SHARED}, boxed, actionAllow},
		{"mmap of more", unix.SYS_MMAP, []uint32{0, 4<<20 + 1, 3, unix.MAP_SHARED | unix.MAP_ANONYMOUS}, strict, actionAllow},
		{"seccomp", unix.SYS_SECCOMP, []uint32{unix.SECCOMP_SET_MODE_FILTER}, boxed, actionEPERM},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SET_SECCOMP}, boxed, actionEPERM},
		{"prctl", unix.SYS_PRCTL, []uint32{unix.PR_SET_SECCOMP}, basicNow, actionEPERM},
		{"setsockopt", unix.SYS_SETSOCKOPT, []uint32{3, unix.SOL_SOCKET, unix.SO_SNDBUF}, boxed, actionAllow},
		{"setsockopt of a filter", unix.SYS_SETSOCKOPT, []uint32{3, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER}, boxed, actionEPERM},
		{"fadvise", unix.SYS_FADVISE64, []uint32{3, 0, 0, unix.FADV_DONTNEED}, boxed, actionIgnore},
		{"fadvise", unix.SYS_FADVISE64, []uint32{3, 0, 0, unix.FADV_SEQUENTIAL}, boxed, actionAllow},
		{"fcntl", unix.SYS_FCNTL, []uint32{1, unix.F_GETFL}, basicNow, actionAllow},
		{"fcntl", unix.SYS_FCNTL, []uint32{1, unix.F_OFD_SETLKW}, basicNow, actionENOLCK},
		{"fcntl", unix.SYS_FCNTL, []uint32{1, unix.F_SETOWN}, basicNow, actionEPERM},
		{"flock", unix.SYS_FLOCK, nil, basicNow, actionIgnore},
		{"fchmod", unix.SYS_FCHMOD, nil, basicNow, actionEPERM},

		// What the kernel's own version of Landlock guards, and what not.
		{"kill", unix.SYS_KILL, []uint32{77}, basicNow, actionAllow},
		{"kill", unix.SYS_KILL, []uint32{77}, basicRoot, actionAllow},
		{"kill", unix.SYS_KILL, []uint32{77}, boxed, actionAllow},
		{"kill", unix.SYS_KILL, []uint32{77}, basicFirst, actionEPERM},
		{"kill", unix.SYS_KILL, []uint32{1<<32 - 1}, basicFirst, actionEPERM},
		{"kill", unix.SYS_KILL, []uint32{OwnPID}, basicFirst, actionAllow},
		{"kill", unix.SYS_KILL, []uint32{0}, basicFirst, actionAllow},
		{"tgkill", unix.SYS_TGKILL, []uint32{77, 78}, basicFirst, actionEPERM},
		{"tgkill", unix.SYS_TGKILL, []uint32{OwnPID, 78}, basicFirst, actionAllow},
		{"pidfd_send_signal", unix.SYS_PIDFD_SEND_SIGNAL, []uint32{3}, basicFirst, actionEPERM},
		{"truncate", unix.SYS_TRUNCATE, nil, basicNow, actionAllow},
		{"truncate", unix.SYS_TRUNCATE, nil, basicRoot, actionEPERM},
		{"openat", unix.SYS_OPENAT, []uint32{0, 0, unix.O_RDONLY | unix.O_TRUNC}, basicNow, actionAllow},
		{"openat", unix.SYS_OPENAT, []uint32{0, 0, unix.O_RDONLY | unix.O_TRUNC}, basicFirst, actionEPERM},
		{"openat", unix.SYS_OPENAT, []uint32{0, 0, unix.O_ACCMODE | unix.O_TRUNC}, basicFirst, actionEPERM},
		{"openat", unix.SYS_OPENAT, []uint32{0, 0, unix.O_RDONLY}, basicFirst, actionAllow},
		{"openat", unix.SYS_OPENAT, []uint32{0, 0, unix.O_WRONLY | unix.O_CREAT | unix.O_TRUNC}, basicFirst, actionAllow},
		{"openat", unix.SYS_OPENAT, []uint32{0, 0, unix.O_RDWR | unix.O_TRUNC}, basicFirst, actionAllow},
		{"openat2", unix.SYS_OPENAT2, nil, basicFirst, actionENOSYS},
	} {
		if got := answerTo(t, newFilter(c.at), auditArch, c.nr, c.args...); got != c.want {
			t.Errorf("%s %v at %+v is answered with %#x, expected %#x", c.name, c.args, c.at, got, c.want)
		}
	}
	f := newFilter(basicNow)
	if got := answerTo(t, f, auditArch+1, unix.SYS_READ); got != actionKill {
		t.Errorf("another architecture is answered with %#x", got)
	}
	listed := map[uintptr]uint32{}
	for action, calls := range map[uint32][]uintptr{
		actionAllow:  allowList,
		actionKill:   slices.Concat(killList, killListHere),
		actionEPERM:  slices.Concat(epermList, epermListHere),
		actionENOSYS: enosysList,
		actionEINVAL: einvalList,
	} {
		for _, nr := range calls {
			if _, twice := listed[nr]; twice {
				t.Errorf("call %d occurs twice", nr)
			}
			listed[nr] = action
		}
	}
	filters := [][]unix.SockFilter{
		newFilter(Key{SharedNamespaces: true, Writes: true, Landlock: 6}), newFilter(Key{Writes: true}),
	}
	for nr := range uintptr(600) {
		want, ok := listed[nr]
		if !ok {
			want = actionENOSYS
		}
		for _, f := range filters {
			if got := answerTo(t, f, auditArch, nr); got != want && !argumentCall(nr) {
				t.Errorf("call %d is answered with %#x, expected %#x", nr, got, want)
			}
		}
	}
}

// argumentCall reports whether a call's answer depends on its arguments.
func argumentCall(nr uintptr) bool {
	r := rules{}
	r.arguments()
	r.sharedNamespaces(Key{Writes: true, Landlock: 6})
	return r[nr] != nil
}
