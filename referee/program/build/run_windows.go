package build

import (
	"os"
	"syscall"
)

// attributes keeps a compiler from the console's Ctrl-C, which is for umpire.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// killGroup kills a compiler. What it has started goes on: only contestants have jobs.
func killGroup(p *os.Process) error { return p.Kill() }
