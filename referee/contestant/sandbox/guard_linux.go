package sandbox

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The guard is a second process of umpire's that does nothing but wait for
// umpire's death, and then kills everything umpire has not ended. It learns of
// that death by a pipe that only umpire holds, so it works for SIGKILL too. The
// process groups stand in memory that both share: telling the guard of one
// costs no system call. A group that umpire had no time left to enter is found
// by a mark in its environment.

const (
	guardName  = "umpire-guard"
	guardSlots = 4096
	guardBytes = guardSlots * 4
)

type guard struct {
	groups *[guardSlots]atomic.Int32 // numbers of process groups; 0: free
	hint   atomic.Uint32
	mark   string // a variable for the environment of every program
}

var sharedGuard = sync.OnceValues(startGuard)

func startGuard() (*guard, error) {
	mem, err := unix.MemfdCreate(guardName, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create shared memory: %w", err)
	}
	file := os.NewFile(uintptr(mem), guardName)
	defer file.Close()
	if err := file.Truncate(guardBytes); err != nil {
		return nil, fmt.Errorf("size shared memory: %w", err)
	}
	groups, err := mapGroups(file)
	if err != nil {
		return nil, err
	}
	// A bare descriptor: ours[1] stays open for as long as umpire lives.
	var ours [2]int
	if err := unix.Pipe2(ours[:], unix.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("create pipe: %w", err)
	}
	alive := os.NewFile(uintptr(ours[0]), guardName)
	defer alive.Close()
	cmd := exec.Command("/proc/self/exe")
	mark := "UMPIRE_RUN=" + rand.Text()
	cmd.Args = []string{guardName, mark}
	cmd.Env = []string{}
	cmd.ExtraFiles = []*os.File{alive, file}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &guard{groups: groups, mark: mark}, nil
}

func mapGroups(file *os.File) (*[guardSlots]atomic.Int32, error) {
	mem, err := unix.Mmap(int(file.Fd()), 0, guardBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map shared memory: %w", err)
	}
	return (*[guardSlots]atomic.Int32)(unsafe.Pointer(&mem[0])), nil
}

// add enters a group and returns its slot; -1 if all are taken, in which case
// only the leader dies with umpire.
func (g *guard) add(pgid int) int {
	for range guardSlots {
		slot := int(g.hint.Add(1) % guardSlots)
		if g.groups[slot].CompareAndSwap(0, int32(pgid)) {
			return slot
		}
	}
	return -1
}

func (g *guard) remove(slot int) {
	if slot >= 0 {
		g.groups[slot].Store(0)
	}
}

// guardMain is the guard process: descriptor 3 is the pipe, 4 the memory.
func guardMain() {
	groups, err := mapGroups(os.NewFile(4, guardName))
	if err != nil {
		os.Exit(1)
	}
	_, _ = io.Copy(io.Discard, os.NewFile(3, "umpire"))
	for i := range groups {
		if pgid := groups[i].Load(); pgid > 0 {
			_ = unix.Kill(-int(pgid), unix.SIGKILL)
		}
	}
	if len(os.Args) > 1 {
		for killMarked(os.Args[1]) {
		}
	}
	os.Exit(0)
}

// killMarked kills every process with the mark, and tells whether it found any
// that still lived: they may have started others meanwhile.
func killMarked(mark string) (found bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		// A process that has ended, but is not reaped, has no environment.
		env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		if err == nil && bytes.Contains(env, []byte(mark)) && unix.Kill(pid, unix.SIGKILL) == nil {
			found = true
		}
	}
	return found
}
