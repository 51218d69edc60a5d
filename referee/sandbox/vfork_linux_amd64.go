package sandbox

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// vfork is clone with an image and the end of a stack for the child, which
// calls runProgram there.
//
//go:noescape
func vfork(im *image, flags, stack, pidfd uintptr) (pid, errno uintptr)

// start forks the program, sharing the supervisor's memory up to its exec:
// copying it takes as long as all else the program does before.
//
//go:nosplit
//go:norace
func (im *image) start(flags uintptr, pidfd unsafe.Pointer) (uintptr, syscall.Errno) {
	top := uintptr(unsafe.Pointer(im.stack)) + unsafe.Sizeof(*im.stack)
	pid, e := vfork(im, flags|unix.CLONE_VM, top&^15-64, uintptr(pidfd))
	return pid, syscall.Errno(e)
}

// runProgram is the program's part, up to its exec.
//
//lint:ignore U1000 vfork calls it
//go:nosplit
//go:norace
func runProgram(im *image) {
	im.run(partProgram, partProgram)
	im.exit()
}
