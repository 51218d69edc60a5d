package build

import "syscall"

// attributes puts a compiler in its own process group, and makes it die with
// umpire.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
