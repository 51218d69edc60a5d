//go:build unix

package build

import (
	"os"
	"os/exec"
	"syscall"
)

// group is a command in a process group of its own, which attributes makes.
type group struct{}

func (group) start(c *exec.Cmd) error { return c.Start() }

// kill kills a command with what it has started.
func (group) kill(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

func (group) close() {}
