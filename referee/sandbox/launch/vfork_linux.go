//go:build amd64 || arm64

package launch

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// vfork makes the system call number, clone or clone3, with three arguments that
// give the child a stack. The child calls runProgram with the image there.
//
//go:noescape
func vfork(im *image, number, a, b, c uintptr) (pid, errno uintptr)

// clone forks the program, sharing the supervisor's memory up to its exec:
// copying it takes as long as all else the program does before.
//
//go:nosplit
//go:norace
func (im *image) clone(flags uintptr, pidfd unsafe.Pointer) (uintptr, syscall.Errno) {
	pid, e := vfork(im, unix.SYS_CLONE, flags|unix.CLONE_VM, im.stackTop(), uintptr(pidfd))
	return pid, syscall.Errno(e)
}

// clone3 is clone by the arguments in the image.
//
//go:nosplit
//go:norace
func (im *image) clone3() (uintptr, syscall.Errno) {
	a := &im.args
	a[0] |= unix.CLONE_VM
	a[5] = uint64(uintptr(unsafe.Pointer(im.stack)))
	a[6] = uint64(im.stackTop()) - a[5] // its size
	pid, e := vfork(im, unix.SYS_CLONE3, uintptr(unsafe.Pointer(a)), unsafe.Sizeof(*a), 0)
	return pid, syscall.Errno(e)
}

// stackTop is where the program's stack begins, aligned, below room for its first
// frame.
//
//go:nosplit
//go:norace
func (im *image) stackTop() uintptr {
	top := uintptr(unsafe.Pointer(im.stack)) + unsafe.Sizeof(*im.stack)
	return top&^15 - 64
}
