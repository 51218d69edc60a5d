package sandbox

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// jobList is PROC_THREAD_ATTRIBUTE_JOB_LIST: the jobs that a process is created in.
const jobList = 0x0002000D

// start creates the job's first process, which inherits its three descriptors and
// nothing else.
func (j *job) start(c Command) error {
	own := windows.CurrentProcess()
	var inherited [3]windows.Handle
	for i, fd := range []int{c.Stdin, c.Stdout, c.Stderr} {
		if err := windows.DuplicateHandle(own, windows.Handle(fd), own, &inherited[i], 0, true, windows.DUPLICATE_SAME_ACCESS); err != nil {
			return err
		}
		defer windows.CloseHandle(inherited[i])
	}
	attributes, err := windows.NewProcThreadAttributeList(2)
	if err != nil {
		return err
	}
	defer attributes.Delete()
	err = attributes.Update(windows.PROC_THREAD_ATTRIBUTE_HANDLE_LIST, unsafe.Pointer(&inherited[0]), unsafe.Sizeof(inherited))
	if err == nil {
		err = attributes.Update(jobList, unsafe.Pointer(&j.job), unsafe.Sizeof(j.job))
	}
	if err != nil {
		return err
	}
	s := windows.StartupInfoEx{
		StartupInfo: windows.StartupInfo{
			Flags: windows.STARTF_USESTDHANDLES, StdInput: inherited[0], StdOutput: inherited[1], StdErr: inherited[2],
		},
		ProcThreadAttributeList: attributes.List(),
	}
	s.Cb = uint32(unsafe.Sizeof(s))
	return j.createProcess(c, &s.StartupInfo)
}

// createProcess gives the process a console that nobody sees: Ctrl-C in umpire's is for
// umpire alone.
func (j *job) createProcess(c Command, s *windows.StartupInfo) error {
	var texts [3]*uint16
	for i, text := range []string{c.Path, windows.ComposeCommandLine(c.Args), c.Dir} {
		var err error
		if texts[i], err = windows.UTF16PtrFromString(text); err != nil {
			return err
		}
	}
	if c.Dir == "" {
		texts[2] = nil
	}
	const flags = windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP |
		windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT
	var made windows.ProcessInformation
	err := windows.CreateProcess(texts[0], texts[1], nil, nil, true, flags, environmentBlock(c.Env), texts[2], s, &made)
	runtime.KeepAlive(s)
	if err != nil {
		return err
	}
	windows.CloseHandle(made.Thread)
	j.pid, j.process = int(made.ProcessId), made.Process
	return nil
}

// environmentBlock returns an environment as the system takes it, with the variable
// without which DLLs of the system fail to load.
func environmentBlock(env []string) *uint16 {
	const name = "SYSTEMROOT="
	if !slices.ContainsFunc(env, func(v string) bool { return len(v) >= len(name) && strings.EqualFold(v[:len(name)], name) }) {
		env = append(slices.Clip(env), name+os.Getenv("SYSTEMROOT"))
	}
	var block []uint16
	for _, v := range env {
		if text, err := windows.UTF16FromString(v); err == nil { // it ends with a 0
			block = append(block, text...)
		}
	}
	return &append(block, 0)[0]
}
