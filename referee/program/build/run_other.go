//go:build !linux

package build

import "syscall"

// attributes put a compiler in a process group of its own.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
