//go:build linux && !amd64

package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clone forks the program.
//
//go:nosplit
//go:norace
func (im *image) clone(flags uintptr, pidfd unsafe.Pointer) (uintptr, syscall.Errno) {
	pid, _, e := syscall.RawSyscall6(unix.SYS_CLONE, flags, 0, uintptr(pidfd), 0, 0, 0)
	if e == 0 && pid == 0 {
		runProgram(im)
	}
	return pid, e
}

// clone3 is clone by the arguments in the image.
//
//go:nosplit
//go:norace
func (im *image) clone3() (uintptr, syscall.Errno) {
	pid, _, e := syscall.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&im.args)), unsafe.Sizeof(im.args), 0)
	if e == 0 && pid == 0 {
		runProgram(im)
	}
	return pid, e
}
