//go:build unix

package build

import (
	"os"
	"syscall"
)

// killGroup kills a compiler with what it has started.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
