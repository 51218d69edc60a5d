package sandbox

import (
	"cmp"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"umpire/referee"
)

// none launches each program in a job of its own, which ends with everything in it when
// the last handle of it is closed: at the end of the program's match, or of umpire.
type none struct{}

// NewNone returns the launcher of level none.
func NewNone() (Launcher, error) { return none{}, nil }

func (none) Level() referee.Level { return referee.LevelNone }

// Start starts the program in its job, outside of which it never executes anything.
func (none) Start(c Command) (Process, error) {
	j := &job{limits: c.Limits, frozen: make(map[uint32]windows.Handle)}
	if err := j.create(); err != nil {
		j.close()
		return nil, fmt.Errorf("create job: %w", err)
	}
	if err := j.start(c); err != nil {
		j.close()
		return nil, fmt.Errorf("start %s: %w", c.Path, markRefusal(err))
	}
	return j, nil
}

// job is a program and everything it has started.
type job struct {
	pid          int
	process, job windows.Handle
	port         windows.Handle // where the kernel tells of limits that were met
	limits       Limits
	peak         int64                     // of memory, bytes, as of the last look: what has ended shows none
	over         bool                      // it was beyond its memory limit
	frozen       map[uint32]windows.Handle // processes that stand still, by number

	mu     sync.Mutex // guards closed
	closed bool
}

// create makes the job with its limits.
func (j *job) create() (err error) {
	if j.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return err
	}
	if j.port, err = windows.CreateIoCompletionPort(windows.InvalidHandle, 0, 0, 1); err != nil {
		return err
	}
	port := struct{ key, port windows.Handle }{j.job, j.port} // JOBOBJECT_ASSOCIATE_COMPLETION_PORT
	if err := j.set(windows.JobObjectAssociateCompletionPortInformation, unsafe.Pointer(&port), unsafe.Sizeof(port)); err != nil {
		return err
	}
	var l windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	l.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS |
		windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION // and show nobody a window
	l.BasicLimitInformation.ActiveProcessLimit = uint32(cmp.Or(j.limits.Processes, DefaultProcesses))
	if j.limits.Memory > 0 {
		l.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		l.JobMemoryLimit = uintptr(j.limits.Memory)
	}
	if cpus, all := ThreadCPUs(); cpus != all && cpus != 0 {
		l.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_AFFINITY
		l.BasicLimitInformation.Affinity = cpus
	}
	return j.set(windows.JobObjectExtendedLimitInformation, unsafe.Pointer(&l), unsafe.Sizeof(l))
}

func (j *job) set(class uint32, info unsafe.Pointer, size uintptr) error {
	if ok, _, err := setJobInformation.Call(uintptr(j.job), uintptr(class), uintptr(info), size); ok == 0 {
		return err
	}
	return nil
}

func (j *job) query(class uint32, info unsafe.Pointer, size uintptr) bool {
	ok, _, _ := queryJobInformation.Call(uintptr(j.job), uintptr(class), uintptr(info), size, 0)
	return ok != 0
}

func (j *job) Pid() int     { return j.pid }
func (j *job) Exited() int  { return int(j.process) }
func (j *job) Filled() bool { return false }
func (j *job) Wrote() bool  { return false }

// accounting is the beginning of JOBOBJECT_BASIC_ACCOUNTING_INFORMATION; times are in
// units of 100 ns.
type accounting struct {
	user, kernel, periodUser, periodKernel    int64
	pageFaults, processes, active, terminated uint32
}

// CPU is that of all processes of the job, those that have ended included.
func (j *job) CPU() time.Duration {
	var a accounting
	j.query(windows.JobObjectBasicAccountingInformation, unsafe.Pointer(&a), unsafe.Sizeof(a))
	return time.Duration(a.user+a.kernel) * 100
}

// Children is nothing: CPU includes it. Whether any of them runs is not known.
func (j *job) Children() (time.Duration, bool) { return 0, false }

// memoryCounters is PROCESS_MEMORY_COUNTERS.
type memoryCounters struct {
	size, pageFaults                                                     uint32
	peakWorkingSet, workingSet, peakPaged, paged, peakNonPaged, nonPaged uintptr
	committed, peakCommitted                                             uintptr
}

var (
	kernel32      = windows.NewLazySystemDLL("kernel32.dll")
	ntdll         = windows.NewLazySystemDLL("ntdll.dll")
	processMemory = kernel32.NewProc("K32GetProcessMemoryInfo")
	// Called so since what they are given must not move meanwhile.
	setJobInformation   = kernel32.NewProc("SetInformationJobObject")
	queryJobInformation = kernel32.NewProc("QueryInformationJobObject")
	ntSuspendProcess    = ntdll.NewProc("NtSuspendProcess")
	ntResumeProcess     = ntdll.NewProc("NtResumeProcess")
)

// Memory is committed memory. What reaches for more than the limit is refused it; the
// kernel has told so.
func (j *job) Memory() (peak int64, over bool) {
	var l windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	if j.query(windows.JobObjectExtendedLimitInformation, unsafe.Pointer(&l), unsafe.Sizeof(l)) {
		j.peak = max(j.peak, int64(l.PeakJobMemoryUsed))
	}
	m := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	if ok, _, _ := processMemory.Call(uintptr(j.process), uintptr(unsafe.Pointer(&m)), uintptr(m.size)); ok != 0 {
		j.peak = max(j.peak, int64(m.peakCommitted))
	}
	const jobMemoryLimit = 10 // JOB_OBJECT_MSG_JOB_MEMORY_LIMIT
	for {
		var message uint32
		var key uintptr
		var process *windows.Overlapped
		if windows.GetQueuedCompletionStatus(j.port, &message, &key, &process, 0) != nil {
			break
		}
		j.over = j.over || message == jobMemoryLimit
	}
	if j.limits.Memory > 0 && j.peak > j.limits.Memory {
		j.over = true // a kernel that does not enforce it
	}
	if j.over {
		j.Kill()
	}
	return j.peak, j.over
}

// Freeze suspends all processes of the job, those that start meanwhile included.
func (j *job) Freeze() {
	for again := true; again; {
		again = false
		for _, pid := range j.pids() {
			if _, ok := j.frozen[pid]; ok {
				continue
			}
			h, err := windows.OpenProcess(windows.PROCESS_SUSPEND_RESUME, false, pid)
			if err != nil {
				continue // it has ended
			}
			if status, _, _ := ntSuspendProcess.Call(uintptr(h)); status != 0 {
				windows.CloseHandle(h)
				continue
			}
			j.frozen[pid], again = h, true
		}
	}
}

// Thaw implements Process.
func (j *job) Thaw() {
	for pid, h := range j.frozen {
		_ = resume(h)
		windows.CloseHandle(h)
		delete(j.frozen, pid)
	}
}

func resume(process windows.Handle) error {
	if status, _, _ := ntResumeProcess.Call(uintptr(process)); status != 0 {
		return windows.NTStatus(status)
	}
	return nil
}

// pids are the numbers of the job's processes.
func (j *job) pids() []uint32 {
	var list struct { // JOBOBJECT_BASIC_PROCESS_ID_LIST
		assigned, listed uint32
		pids             [2 * DefaultProcesses]uintptr
	}
	if !j.query(windows.JobObjectBasicProcessIdList, unsafe.Pointer(&list), unsafe.Sizeof(list)) {
		return []uint32{uint32(j.pid)}
	}
	var pids []uint32
	for _, pid := range list.pids[:min(int(list.listed), len(list.pids))] {
		pids = append(pids, uint32(pid))
	}
	return pids
}

func (j *job) Kill() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.closed {
		_ = windows.TerminateJobObject(j.job, 1)
	}
}

func (j *job) Wait() Exit {
	_, _ = windows.WaitForSingleObject(j.process, windows.INFINITE)
	var exit Exit
	_ = windows.GetExitCodeProcess(j.process, &exit.Status.ExitCode)
	exit.Memory, exit.OutOfMemory = j.Memory()
	exit.CPU = j.CPU()
	j.Kill()
	j.close()
	return exit
}

// close frees everything; what is left in the job ends.
func (j *job) close() {
	j.Thaw()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	for _, h := range []windows.Handle{j.job, j.port, j.process} {
		if h != 0 {
			windows.CloseHandle(h)
		}
	}
}
