package build

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// attributes keeps a compiler from the console's Ctrl-C, which is for umpire. It stands
// still until it is in its job.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED, HideWindow: true}
}

// group is a command in a job, which ends with all that is in it when umpire does.
type group struct{ job windows.Handle }

func (g *group) start(c *exec.Cmd) (err error) {
	if g.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err = windows.SetInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		return err
	}
	if err = c.Start(); err != nil {
		return err
	}
	var assigned error
	err = c.Process.WithHandle(func(handle uintptr) {
		if assigned = windows.AssignProcessToJobObject(g.job, windows.Handle(handle)); assigned == nil {
			_, _, _ = resumeProcess.Call(handle)
		}
	})
	if err == nil {
		err = assigned
	}
	if err != nil {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	return err
}

var resumeProcess = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

func (g *group) kill(*os.Process) error { return windows.TerminateJobObject(g.job, 1) }
func (g *group) close()                 { windows.CloseHandle(g.job) }
