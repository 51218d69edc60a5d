//go:build linux && !amd64

package sandbox

import (
	"syscall"
	"unsafe"
)

// start forks the program.
//
//go:nosplit
//go:norace
func (im *image) start(flags uintptr, pidfd unsafe.Pointer) (uintptr, syscall.Errno) {
	pid, _, e := syscall.RawSyscall6(syscall.SYS_CLONE, flags, 0, uintptr(pidfd), 0, 0, 0)
	if e == 0 && pid == 0 {
		im.run(partProgram, partProgram)
		im.exit()
	}
	return pid, e
}
