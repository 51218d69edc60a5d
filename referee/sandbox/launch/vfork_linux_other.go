//go:build linux && !amd64 && !arm64

package launch

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clone forks the program, and returns 0 in it.
//
//go:nosplit
//go:norace
func (im *image) clone(flags uintptr, pidfd unsafe.Pointer) (uintptr, syscall.Errno) {
	pid, _, e := syscall.RawSyscall6(unix.SYS_CLONE, flags, 0, uintptr(pidfd), 0, 0, 0)
	return pid, e
}

// clone3 is clone by the arguments in the image.
//
//go:nosplit
//go:norace
func (im *image) clone3() (uintptr, syscall.Errno) {
	pid, _, e := syscall.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&im.args)), unsafe.Sizeof(im.args), 0)
	return pid, e
}
