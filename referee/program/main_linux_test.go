package program

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox"
	"umpire/referee/sandbox/seccomp"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	if len(os.Args) > 3 && os.Args[1] == ListedCalls {
		fmt.Fprintln(os.Stderr, execListed(os.Args[2], os.Args[3:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// ListedCalls as its first argument has the test program execute another, the path and
// all arguments of which follow, that is killed by a call that the sandbox's filter does
// not list.
const ListedCalls = "listed-calls"

func execListed(path string, args []string) error {
	runtime.LockOSThread()
	code := new(seccomp.Filters).For(seccomp.Key{Writes: true, KillsUnlisted: true})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return err
	}
	return unix.Exec(path, args, os.Environ())
}
