package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
)

// What a trial and the probe that it starts agree on.
const (
	probeName = "umpire-probe"
	givenFile = "given" // in the probe's working directory
	trialTime = 10 * time.Second
)

// trialLimits are those of a trial: each is set, as in a match, and smaller than
// what umpire itself has.
var trialLimits = Limits{
	Memory: 64 << 20, CPU: trialTime, Processes: 64, Files: 128, FileSize: 1 << 20, Disk: 4 << 20, Stack: 4 << 20,
}

// probeMain is the program of a trial.
func probeMain() {
	switch os.Args[1] {
	case "reach":
		pid, _ := strconv.Atoi(os.Args[4])
		fmt.Println(reach(referee.Level(os.Args[2]), os.Args[3], pid))
	case "trace":
		_, _, _ = unix.RawSyscall(unix.SYS_PTRACE, 0, 0, 0)
	case "write":
		_ = os.WriteFile(os.Args[2], []byte("x"), 0o644)
	case "processes":
		if forkMany(2 * trialLimits.Processes) {
			fmt.Println("done")
		}
	case "memory":
		useMemory(2 * int(trialLimits.Memory))
		fmt.Println("done")
	}
	unix.Exit(0) // immediately: the race detector's own end takes a second
}

// reach tries to get out and says what succeeded, or "fenced". It changes
// nothing but the secret, which is the trial's own.
func reach(level referee.Level, secret string, umpire int) string {
	var got []string
	check := func(what string, succeeded bool) {
		if succeeded {
			got = append(got, what)
		}
	}
	_, err := os.ReadFile(givenFile)
	check("not read a file it was given", err != nil)
	_, err = os.ReadFile(secret)
	check("read a file it was not given", err == nil)
	check("write a file it was not given", os.WriteFile(secret, []byte("y"), 0o666) == nil)
	// Not the home folder, where umpire itself may lie, which the probe is given.
	check("list a folder it was not given", readable(filepath.Dir(secret)))
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	check("open a network socket", err == nil)
	unix.Close(fd)
	status, _ := os.ReadFile("/proc/self/status")
	check("gain privileges", !strings.Contains(string(status), "NoNewPrivs:\t1"))
	check("make any system call", !strings.Contains(string(status), "Seccomp:\t2"))
	fd, err = unix.MemfdCreate("umpire-trial", unix.MFD_CLOEXEC)
	check("create a file in memory", err == nil)
	unix.Close(fd)
	check("be the kernel's user 0", isKernelRoot())
	check("set the kernel", writable("/proc/sys/kernel/core_pattern"))
	bounded := func(name string, resource int, most uint64) {
		var l unix.Rlimit
		check("have more "+name+" than it may", unix.Getrlimit(resource, &l) != nil || l.Cur > most)
	}
	bounded("of a core", unix.RLIMIT_CORE, noCore)
	bounded("descriptors", unix.RLIMIT_NOFILE, uint64(trialLimits.Files))
	bounded("in a file", unix.RLIMIT_FSIZE, uint64(trialLimits.FileSize))
	bounded("stack", unix.RLIMIT_STACK, uint64(trialLimits.Stack))
	if level != referee.LevelNone {
		check("write the files of its supervisor", writable(fmt.Sprintf("/proc/%d/oom_score_adj", os.Getppid())))
		for s := unix.Signal(1); s <= 64; s++ {
			_ = unix.Kill(os.Getppid(), s) // shows in how the probe ends
		}
	}
	if level == referee.LevelBasic {
		check("signal umpire", unix.Kill(umpire, 0) == nil)
		check("cut off a file it was not given", unix.Truncate(secret, 0) == nil)
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		check("open a socket", err == nil)
		unix.Close(fd)
	} else {
		pids, _ := procfs.Processes()
		check("see other processes", len(pids) > 2)
		check("use umpire's network", len(interfaces()) > 1)
		made, err := os.MkdirTemp("/", "umpire-trial-")
		check("write to the root folder", err == nil && os.Remove(made) == nil)
	}
	if len(got) == 0 {
		return "fenced"
	}
	return strings.Join(got, ", ")
}

// writable reports whether a file can be opened for writing, and writes nothing.
func writable(path string) bool {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
	}
	return err == nil
}

func readable(dir string) bool {
	list, err := os.ReadDir(dir)
	return err == nil && len(list) > 0
}

func interfaces() []string {
	text, _ := os.ReadFile("/proc/self/net/dev")
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[min(2, len(lines)):]
}

// forkMany makes processes that wait to be killed, and reports whether it
// could. Bare forks, since Go's runtime tries for a fifth of a second to get a
// thread that it is refused.
func forkMany(n int) bool {
	for range n {
		pid, _, e := unix.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0)
		if e != 0 {
			return false
		}
		if pid == 0 {
			wait()
		}
	}
	return true
}

// wait is all that a process forked from a Go program does.
//
//go:nosplit
//go:norace
func wait() {
	for {
		_, _, _ = unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}

// useMemory uses memory step by step, and holds it until the input ends.
func useMemory(n int) {
	mem, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return
	}
	for i := 0; i < n; i += 4096 {
		mem[i] = 1
	}
	var b [1]byte
	_, _ = unix.Read(0, b[:])
}
