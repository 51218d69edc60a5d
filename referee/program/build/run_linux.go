package build

import "syscall"

// attributes put a compiler in a process group of its own, and let it die with
// umpire.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
