package seccomp

import (
	"runtime"
	"testing"
)

// TestNumbers asks the filter by the numbers that stand in the kernel's tables, not by
// names that the filter is made of: amd64's own, and the one that arm64 and riscv64 share.
func TestNumbers(t *testing.T) {
	type numbers map[uintptr]uint32
	generic := numbers{
		56: actionAllow, 63: actionAllow, 64: actionAllow, 79: actionAllow, // openat, read, write, newfstatat
		72: actionAllow, 73: actionAllow, 98: actionAllow, 101: actionAllow, // pselect6, ppoll, futex, nanosleep
		220: actionAllow, 221: actionAllow, 260: actionAllow, // clone, execve, wait4
		24: actionAllow, 48: actionAllow, 59: actionAllow, 439: actionAllow, // dup3, faccessat, pipe2, faccessat2
		40: actionKill, 51: actionKill, 97: actionKill, 117: actionKill, // mount, chroot, unshare, ptrace
		268: actionKill, 270: actionKill, 280: actionKill, // setns, process_vm_readv, bpf
		122: actionEPERM, 194: actionEPERM, 241: actionEPERM, // sched_setaffinity, shmget, perf_event_open
		71: actionEINVAL, 76: actionEINVAL, // sendfile, splice
		0: actionENOSYS, 81: actionENOSYS, 279: actionENOSYS, 435: actionENOSYS, // io_setup, sync, memfd_create, clone3
		1024: actionENOSYS, 1079: actionENOSYS, // open and fork, in no kernel's table but its first ones
	}
	for arch, c := range map[string]struct {
		audit uint32
		numbers
	}{
		"amd64": {0xc000003e, numbers{
			0: actionAllow, 1: actionAllow, 2: actionAllow, 7: actionAllow, 56: actionAllow, 57: actionAllow, // read, write, open, poll, clone, fork
			58: actionAllow, 59: actionAllow, 61: actionAllow, 158: actionAllow, // vfork, execve, wait4, arch_prctl
			101: actionKill, 165: actionKill, 172: actionKill, 272: actionKill, 308: actionKill, 321: actionKill, // ptrace, mount, iopl, unshare, setns, bpf
			29: actionEPERM, 203: actionEPERM, 298: actionEPERM, // shmget, sched_setaffinity, perf_event_open
			40: actionEINVAL, 275: actionEINVAL, // sendfile, splice
			162: actionENOSYS, 206: actionENOSYS, 319: actionENOSYS, 435: actionENOSYS, // sync, io_setup, memfd_create, clone3
			0x40000000: actionKill, // read of x32
		}},
		"arm64":   {0xc00000b7, generic},
		"riscv64": {0xc00000f3, generic},
	} {
		if arch != runtime.GOARCH {
			continue
		}
		f := newFilter(strict)
		for nr, want := range c.numbers {
			if got := answerTo(t, f, c.audit, nr); got != want {
				t.Errorf("call %d of %s is answered with %#x, expected %#x", nr, arch, got, want)
			}
		}
		// The 32-bit calls of the same processors: AUDIT_ARCH_I386, AUDIT_ARCH_ARM.
		for _, other := range []uint32{0x40000003, 0x40000028} {
			if got := answerTo(t, f, other, 4); got != actionKill {
				t.Errorf("a call of architecture %#x is answered with %#x, expected %#x", other, got, uint32(actionKill))
			}
		}
	}
}
