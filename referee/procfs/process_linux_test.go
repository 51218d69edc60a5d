package procfs

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// startTree starts a process that waits, with a child that waits too, and
// returns their numbers.
func startTree(t *testing.T) (parent, child int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", "sleep 1000 & echo $!; wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var buf [32]byte
	n, err := out.Read(buf[:])
	if err != nil {
		t.Fatal(err)
	}
	child = int(Number(buf[:n]))
	t.Cleanup(func() {
		if p, err := os.FindProcess(child); err == nil {
			_ = p.Kill()
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process.Pid, child
}

func TestProcesses(t *testing.T) {
	parent, child := startTree(t)
	self := os.Getpid()
	pids, err := Processes()
	for _, pid := range []int{self, parent, child} {
		if err != nil || !slices.Contains(pids, pid) {
			t.Errorf("process %d is not among %v, %v", pid, pids, err)
		}
	}
	if got := Descendants(parent, nil, 9); !slices.Equal(got, []int{child}) {
		t.Errorf("below %d are %v, expected %d", parent, got, child)
	}
	if got := Descendants(self, []int{self}, 9); !slices.Equal(got, []int{self, parent, child}) {
		t.Errorf("the test's own are %v, expected %d, %d, %d", got, self, parent, child)
	}
	if got := Descendants(self, []int{self}, 2); !slices.Equal(got, []int{self, parent}) {
		t.Errorf("two of the test's own are %v, expected %d, %d", got, self, parent)
	}
	if got := Parent(child); got != parent {
		t.Errorf("the parent of %d is %d, expected %d", child, got, parent)
	}
	if got := Parent(self); got != os.Getppid() {
		t.Errorf("the test's parent is %d, expected %d", got, os.Getppid())
	}
	if got := Threads(child); !slices.Equal(got, []string{strconv.Itoa(child)}) {
		t.Errorf("the threads of %d are %v", child, got)
	}
	const none = 1<<31 - 1 // more than the kernel ever gives
	if len(StatFields(none)) > 0 || State(none) != 0 || Parent(none) != 0 || len(Descendants(none, nil, 9)) > 0 {
		t.Error("a process that is not there has facts")
	}
}

func TestState(t *testing.T) {
	cmd := exec.Command("/bin/true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A zombie until it is waited for.
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if got := State(cmd.Process.Pid); got != 'Z' {
		t.Errorf("a process that has ended is in state %c", got)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := State(cmd.Process.Pid); got != 0 {
		t.Errorf("a process that has been waited for is in state %c", got)
	}
}

// TestOwnThread: the folder is that of the calling thread, also of one that is not the first.
func TestOwnThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	threads := []string{ownThread(t)}
	done := make(chan struct{})
	go func() { // by another thread, as this one waits
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		threads = append(threads, ownThread(t))
	}()
	<-done
	if threads[0] == threads[1] {
		t.Errorf("two threads are both %s", threads[0])
	}
}

// ownThread returns OwnThread after a look at what is in it.
func ownThread(t *testing.T) string {
	dir, tid := OwnThread(), strconv.Itoa(unix.Gettid())
	if got := Value(dir+"/status", "Pid"); dir != ThreadDir(tid) || got != tid {
		t.Errorf("found %s, of thread %s, expected that of %s", dir, got, tid)
	}
	var task, own [64]byte
	if want := Read("/proc/self/task/"+tid+"/schedstat", task[:]); len(want) > 0 && len(Read(dir+"/schedstat", own[:])) == 0 {
		t.Errorf("%s has no schedstat", dir)
	}
	return dir
}
