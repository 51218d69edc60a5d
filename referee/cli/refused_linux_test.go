package cli_test

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/testlevel"
)

// refuse has the kernel refuse a system call to what this thread starts from now on, unless
// its first argument has a flag.
func refuse(t *testing.T, number uint32, unless uint32, e unix.Errno) {
	t.Helper()
	runtime.LockOSThread() // for good: it ends with the test
	const allow, load = unix.SECCOMP_RET_ALLOW, unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	code := []unix.SockFilter{
		{Code: load, K: 0}, // the call's number
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 3, K: number},
		{Code: load, K: 16}, // the lower half of its first argument
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 1, K: unless},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(e)},
		{Code: unix.BPF_RET | unix.BPF_K, K: allow},
	}
	must(t, unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	must(t, unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0))
}

// TestShortage: where processes are short for umpire's trials, its helper ends, or no program
// can be started, that says nothing of the levels: auto takes no weaker one. No bot is to blame.
func TestShortage(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for name, c := range map[string]struct {
		number uint32
		unless uint32
		errno  unix.Errno
		says   string
	}{
		// All but threads, and what os/exec starts.
		"processes": {unix.SYS_CLONE, unix.CLONE_VM, unix.EAGAIN, "resource temporarily unavailable: umpire's user or control group has as many processes"},
		"helper":    {unix.SYS_RECVMSG, 0, unix.EPERM, "umpire's helper process has ended"},
		"pidfd":     {unix.SYS_PIDFD_OPEN, 0, unix.ENOSYS, "try level none: start "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			refuse(t, c.number, c.unless, c.errno)
			for _, args := range [][]string{
				{"match", "ioiwari", "@greedy", "@random"}, {"match", "ioiwari", "@greedy", "@random", "--isolation", "none"}, {"doctor"},
			} {
				code, stderr := isolated(t, dir, "auto", dir, nil, args...)
				if code != 3 || !strings.Contains(stderr, "try level ") || !strings.Contains(stderr, c.says) || strings.Contains(stderr, "no isolation") {
					t.Errorf("%q ends with %d and %s, expected 3 and %q", args, code, stderr, c.says)
				}
			}
		})
	}
}
