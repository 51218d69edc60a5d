//go:build linux

package contestant_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// onOneCPU locks the calling goroutine to a thread, and that, with all that it
// starts, to the last processor; the thread ends with the goroutine. It returns the
// processors of before.
func onOneCPU(t *testing.T) (all unix.CPUSet) {
	t.Helper()
	runtime.LockOSThread()
	var one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Skip(err)
	}
	for cpu := range 1024 {
		if all.IsSet(cpu) {
			one.Zero()
			one.Set(cpu)
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Skip(err)
	}
	return all
}

// starve takes the calling thread's processor from all who use it, and lets the thread go on
// on any of all; it skips the test where that can't be.
func (a *arena) starve(t *testing.T, all unix.CPUSet) {
	t.Helper()
	if all.Count() < 2 {
		t.Skipf("notice: it needs two processors, found %d", all.Count())
	}
	other := exec.Command(a.path, "load")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	})
	if err := unix.SchedSetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", other.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads { // before everything that is not of its kind
		id, _ := strconv.Atoi(thread.Name())
		if err := unix.SchedSetAttr(id, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0); err != nil {
			t.Skipf("notice: nobody may come before all others here: %v", err)
		}
	}
}

// hogs begins the names of the behaviours that TestHogs plays.
const hogs = "hogs_by_"

// TestHogs: contestants that keep themselves from running, or seem to, have lost
// by time, as if the machine had been theirs.
func TestHogs(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	a := newArena(t)
	t.Cleanup(a.nothingLeft(t))
	for _, name := range []string{hogs + "threads", hogs + "children", hogs + "vfork", hogs + "stops"} {
		t.Run(name, func(t *testing.T) {
			onOneCPU(t)
			c, err := a.started(a.native(name), 1, "HOG=1")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Stop()
			c.Send("go on")
			reply, err := c.Receive(t.Context(), referee.Ask{Told: true, Limit: 300 * time.Millisecond, Alone: true})
			if failure, ok := err.(*protocols.Failure); !ok || failure.Kind != protocols.KindTime {
				t.Errorf("found %v, expected time", err)
			}
			if reply.Wall-reply.Wait-reply.Excused < 300*time.Millisecond {
				t.Errorf("found %v of %v excused, beyond the limit", reply.Wait, reply.Wall)
			}
		})
	}
}

// TestWhoWaits: contestants that reply late only because others have the processor are not to
// blame, whichever of their threads waits. Where the kernel counts all that they compute, the
// reply counts, at the cost of what they took themselves; else, where they waited for most of the
// time, the match is void. The same without the others is in time.
func TestWhoWaits(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // at the lowest priority, nobody looks often enough
	a := newArena(t)
	launchers := []sandbox.Launcher{a.launcher}
	if strongest := sandboxtest.StrongestLevel(t); strongest == referee.LevelStrict {
		launchers = append(launchers, sandboxtest.Launcher(t, string(strongest)))
	} else {
		t.Logf("notice: no level strict here, but %s", strongest)
	}
	t.Cleanup(a.nothingLeft(t))
	bots := []program.Bot{a.native("slow_thread", "1600"), a.native("slow_compute", "1600")}
	if python, err := exec.LookPath("python3"); err == nil {
		const script = `import sys,threading,time
def think():
    end = time.thread_time() + 0.2
    while time.thread_time() < end: pass
for line in sys.stdin:
    t = threading.Thread(target=think); t.start(); t.join()
    print("done", flush=True)`
		bots = append(bots, program.Bot{Name: "python thread", Path: python, Args: []string{"python3", "-c", script}})
	}
	for n, bot := range bots {
		for _, l := range launchers {
			if l.Level() == referee.LevelStrict && bot.Path != a.path {
				continue // python3 may be a script of the user's that chooses a version
			}
			t.Run(bot.Name+"/"+string(l.Level()), func(t *testing.T) { waits(t, n, a, bot, l) })
		}
	}
}

// waits plays the n-th of those of TestWhoWaits.
func waits(t *testing.T, n int, a *arena, bot program.Bot, l sandbox.Launcher) {
	if n > 0 { // of the ways to wait, that of another thread than the first is the hardest to see
		testlevel.Needs(t, testlevel.Thorough)
	}
	onOneCPU(t)
	defer l.(interface{ CloseIdle() }).CloseIdle()
	c, err := contestant.Start(l, bot.Command(l.Level(), sandbox.Limits{Memory: 256 << 20}, []string{"WAITS=1"}), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	c.Send("go on")
	reply, err := c.Receive(t.Context(), referee.Ask{Told: true, Limit: -1, Alone: true})
	if err != nil || reply.Text != "done" {
		t.Fatalf("found %q, error %v", reply.Text, err)
	}
	for range 8 {
		other := exec.Command(a.path, "load")
		other.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // sessions share a processor evenly, not processes
		if err := other.Start(); err != nil {                  // inherits the processor
			t.Fatal(err)
		}
		defer func() {
			_ = other.Process.Kill()
			_ = other.Wait()
		}()
	}
	c.Send("go on")
	const limit = 600 * time.Millisecond
	reply, err = c.Receive(t.Context(), referee.Ask{Told: true, Limit: limit, Alone: true})
	if l.Level() == referee.LevelStrict {
		charged := reply.Wall - reply.Excused - reply.Free
		if err != nil || reply.Text != "done" || reply.Wall <= limit || charged > limit || charged < reply.CPU || reply.CPU < limit/4 {
			t.Errorf("found %q, error %v, %v of %v charged for %v of CPU time, expected a reply that counts", reply.Text, err, charged, reply.Wall, reply.CPU)
		}
		return
	}
	void, ok := errors.AsType[*referee.VoidError](err)
	if !ok || void.Cause != referee.CauseMachine || !strings.Contains(void.Err.Error(), "had no CPU") {
		t.Errorf("found %v, expected that the machine makes the match void", err)
	}
}

// TestNeverRuns: a contestant that gets no CPU at all once it is asked is not to blame, though
// the kernel has not counted any wait of it yet.
func TestNeverRuns(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	a := newArena(t)
	t.Cleanup(a.nothingLeft(t))
	all := onOneCPU(t)
	c, err := a.started(program.Bot{Path: "/bin/sh", Args: []string{"sh", "-c", "while read line; do echo done; done"}}, 1, "NEVER=1")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	c.Send("go on")
	if reply, err := c.Receive(t.Context(), referee.Ask{Told: true, Limit: -1, Alone: true}); err != nil || reply.Text != "done" {
		t.Fatalf("found %q, error %v", reply.Text, err)
	}
	a.starve(t, all)
	for until := time.Now().Add(20 * time.Second); err == nil && time.Now().Before(until); { // in time: it still had the CPU
		c.Send("go on")
		_, err = c.Receive(t.Context(), referee.Ask{Told: true, Limit: 300 * time.Millisecond, Alone: true})
	}
	void, ok := errors.AsType[*referee.VoidError](err)
	if !ok || void.Cause != referee.CauseMachine || !strings.Contains(void.Err.Error(), "had no CPU") {
		t.Errorf("found %v, expected that the machine makes the match void", err)
	}
}

// TestStarvedJudge: a contestant is not to blame for the time that its judge has no CPU.
func TestStarvedJudge(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	a := newArena(t)
	t.Cleanup(a.nothingLeft(t))
	defer locked()()
	anywhere, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(anywhere.(interface{ CloseIdle() }).CloseIdle)
	const limit = 100 * time.Millisecond
	h := make(happened, 2)
	relay := contestant.Relay{
		Bots:  []*contestant.Contestant{shell(t, anywhere, "echo 1; read line")},
		Limit: limit, Output: 1 << 20, JudgeLimit: time.Minute, Rejects: func(int) bool { return true }, See: h.see,
	}
	all := onOneCPU(t)
	relay.Judge = shell(t, a.launcher, "read line; while :; do :; done")
	a.starve(t, all)
	ctx, stop := context.WithTimeout(t.Context(), referee.WallBound(limit)*3/2)
	defer stop()
	if err := relay.Run(ctx); !errors.Is(err, context.DeadlineExceeded) || h[1] != "" && h[1] != "1\n" {
		t.Errorf("found %q, error %v, expected that nothing is judged yet", h, err)
	}
}
