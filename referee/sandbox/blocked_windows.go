package sandbox

import (
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

var processCycles = kernel32.NewProc("QueryProcessCycleTime")

// Cycles returns the CPU cycles that a program with no other process beside its own has
// used so far, exactly.
func Cycles(p Process) (cycles uint64, known bool) {
	j, ok := p.(*job)
	if !ok || len(j.withoutConsole()) != 1 {
		return 0, false
	}
	done, _, _ := processCycles.Call(uintptr(j.process), uintptr(unsafe.Pointer(&cycles)))
	return cycles, done != 0 && cycles > 0
}

// withoutConsole are the numbers of the job's processes but those that the system starts
// for their consoles.
func (j *job) withoutConsole() []uint32 {
	return slices.DeleteFunc(j.pids(), func(pid uint32) bool { return pid != uint32(j.pid) && isConsole(pid) })
}

func isConsole(pid uint32) bool {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return false
	}
	defer windows.CloseHandle(p)
	var name [windows.MAX_PATH]uint16
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(p, 0, &name[0], &size) != nil {
		return false
	}
	root, err := windows.GetSystemDirectory()
	return err == nil && strings.EqualFold(windows.UTF16ToString(name[:size]), root+`\conhost.exe`)
}

// thread is SYSTEM_THREAD_INFORMATION.
type thread struct {
	kernel, user, created   int64
	waited                  uint32
	address                 uintptr
	process, number         uintptr
	priority, base          int32
	switches, state, reason uint32
}

// How a thread may be, and why it may wait (KTHREAD_STATE, KWAIT_REASON).
const (
	waiting    = 5
	executive  = 0  // in a call of its own, such as a read that can't go on
	forWorkers = 15 // WrQueue: the system's worker threads, of which each program has some
)

// Blocked reports whether all threads of the program's own process but one are workers
// without work, and that one is blocked in a call, such as a read.
func Blocked(p Process) bool {
	const enough = 16 << 20
	for size := uint32(1 << 20); size <= enough; size *= 2 {
		list := make([]byte, size)
		var length uint32
		switch windows.NtQuerySystemInformation(windows.SystemProcessInformation, unsafe.Pointer(&list[0]), size, &length) {
		case nil:
			return oneBlocked(threadsOf(list, uintptr(p.Pid())))
		case windows.STATUS_INFO_LENGTH_MISMATCH:
		default:
			return false
		}
	}
	return false
}

// threadsOf finds the threads of a process in the list of all.
func threadsOf(list []byte, pid uintptr) []thread {
	for {
		p := (*windows.SYSTEM_PROCESS_INFORMATION)(unsafe.Pointer(&list[0]))
		if p.UniqueProcessID == pid {
			return unsafe.Slice((*thread)(unsafe.Pointer(&list[unsafe.Sizeof(*p)])), p.NumberOfThreads)
		}
		if p.NextEntryOffset == 0 {
			return nil
		}
		list = list[p.NextEntryOffset:]
	}
}

func oneBlocked(threads []thread) bool {
	blocked := 0
	for _, t := range threads {
		switch {
		case t.state == waiting && t.reason == executive:
			blocked++
		case t.state != waiting || t.reason != forWorkers:
			return false
		}
	}
	return blocked == 1
}
