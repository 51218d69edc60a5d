package build

import "syscall"

// attributes puts a compiler in its own process group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
