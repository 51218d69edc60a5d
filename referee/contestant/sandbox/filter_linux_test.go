package sandbox

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
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			jump(loaded&in.K != 0)
		default:
			t.Fatalf("instruction %+v", in)
		}
	}
	t.Fatal("no answer")
	return 0
}

func TestFilter(t *testing.T) {
	f := newFilter(Basic, false)
	for _, c := range []struct {
		name string
		nr   uintptr
		args []uint32
		want uint32
	}{
		{"clone", unix.SYS_CLONE, []uint32{unix.CLONE_VM | unix.CLONE_THREAD}, actionAllow},
		{"clone", unix.SYS_CLONE, []uint32{unix.CLONE_NEWUSER}, actionKill},
		{"socket", unix.SYS_SOCKET, []uint32{unix.AF_UNIX}, actionAllow},
		{"socket", unix.SYS_SOCKET, []uint32{unix.AF_INET}, actionRefuse},
		{"prlimit", unix.SYS_PRLIMIT64, []uint32{0}, actionAllow},
		{"prlimit", unix.SYS_PRLIMIT64, []uint32{77}, actionRefuse},
		{"setpriority", unix.SYS_SETPRIORITY, []uint32{0, 77}, actionRefuse},
		{"ioctl", unix.SYS_IOCTL, []uint32{1, unix.TCGETS}, actionAllow},
		{"ioctl", unix.SYS_IOCTL, []uint32{1, unix.TIOCSTI}, actionRefuse},
		{"fcntl", unix.SYS_FCNTL, []uint32{1, unix.F_GETFL}, actionAllow},
		{"fcntl", unix.SYS_FCNTL, []uint32{1, unix.F_OFD_SETLKW}, actionLock},
		{"flock", unix.SYS_FLOCK, nil, actionIgnore},
		{"fchmod", unix.SYS_FCHMOD, nil, actionRefuse},
	} {
		if got := answerTo(t, f, auditArch, c.nr, c.args...); got != c.want {
			t.Errorf("%s %v is answered with %#x, expected %#x", c.name, c.args, got, c.want)
		}
	}
	if got := answerTo(t, f, auditArch+1, unix.SYS_READ); got != actionKill {
		t.Errorf("another architecture is answered with %#x", got)
	}
	listed := map[uint32][]uintptr{
		actionKill:   slices.Concat(deadly, deadlyHere),
		actionRefuse: slices.Concat(refused, refusedHere),
		actionAbsent: absent,
	}
	filters := [][]unix.SockFilter{newFilter(Basic, true), newFilter(Box, true)}
	for nr := range uintptr(600) {
		for _, f := range filters {
			got := answerTo(t, f, auditArch, nr)
			for action, calls := range listed {
				if slices.Contains(calls, nr) != (got == action) && !argumentCall(nr) {
					t.Fatalf("call %d is answered with %#x", nr, got)
				}
			}
		}
	}
}

// argumentCall says whether a call's answer depends on its arguments.
func argumentCall(nr uintptr) bool {
	r := rules{}
	r.arguments()
	return r[nr] != nil
}
