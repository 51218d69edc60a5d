//go:build unix

package sandbox

import "syscall"

// machineErrors are those for which the machine is to blame.
var machineErrors = []syscall.Errno{
	syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.EIO, syscall.EINTR, syscall.ETXTBSY,
}
