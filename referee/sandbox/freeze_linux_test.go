package sandbox

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/testlevel"
)

// pinned ties the test to one processor, and with it what it starts, as
// matches are. While the test runs nothing else does there.
func pinned(t *testing.T) {
	t.Helper()
	runtime.LockOSThread() // and never unlocked: the thread ends with the test
	var set, one unix.CPUSet
	must(t, unix.SchedGetaffinity(0, &set))
	for cpu := 0; one.Count() == 0; cpu++ {
		if set.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	must(t, unix.SchedSetaffinity(0, &one))
}

// leaveCPU leaves the processor to whoever wants it, for some microseconds.
func leaveCPU(us int64) {
	_, _ = unix.Select(0, nil, nil, nil, &unix.Timeval{Usec: us})
}

// buildAttack compiles a program of testdata/attacks.
func buildAttack(t *testing.T, name string) (path string) {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip(err)
	}
	path = filepath.Join(publicDir(t), name)
	if out, err := exec.Command(gcc, "-O0", "-o", path, "testdata/attacks/"+name+".c").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// counter starts wake_self.c. What its processes count shows whether they
// execute, which their CPU time does not: the kernel's work of stopping them
// counts as theirs.
func counter(t *testing.T, l Launcher, args ...string) (p Process, counts func() [2]uint64) {
	t.Helper()
	path := buildAttack(t, "wake_self")
	fd, err := unix.MemfdCreate("counts", unix.MFD_CLOEXEC)
	must(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	must(t, unix.Ftruncate(fd, 4096))
	null := openIn(t, os.DevNull, unix.O_RDWR)
	c := command(t, append([]string{path}, args...)...)
	c.Stdin, c.Stdout, c.Stderr = null, fd, null
	if p, err = l.Start(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill(); p.Wait() })
	return p, func() (n [2]uint64) {
		var b [16]byte
		if _, err := unix.Pread(fd, b[:], 0); err != nil {
			t.Fatal(err)
		}
		return [2]uint64{binary.NativeEndian.Uint64(b[:]), binary.NativeEndian.Uint64(b[8:])}
	}
}

// TestFreeze stops and continues a program in 200 quick turns, thoroughly in
// 1,000, or as many as the environment variable FREEZES says, with a child that has left its group
// and session. Stopped, nothing of it executes, whatever came before; in the end
// it goes on.
func TestFreeze(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		pinned(t)
		p, counts := counter(t, l)
		poll(t, time.Minute, func() bool { return counts()[1] > 0 })
		turns := testlevel.Times(10, 200, 300, 1000)
		if n, err := strconv.Atoi(os.Getenv("FREEZES")); err == nil {
			turns = n
		}
		for turn := range turns {
			p.Freeze()
			before := counts()
			leaveCPU(20)
			if after := counts(); after != before {
				t.Fatalf("turn %d: stopped, it has counted from %v to %v", turn, before, after)
			}
			p.Thaw()
		}
		before := counts()
		poll(t, time.Minute, func() bool { now := counts(); return now[0] > before[0] && now[1] > before[1] })
	})
}

// TestFreezeOfSelfWaker stops a program that timers of its own continue. At strict it stays stopped. Below it does not, but what it uses
// is seen by its clock, and it can be stopped again.
func TestFreezeOfSelfWaker(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		pinned(t)
		p, counts := counter(t, l, "wake")
		poll(t, time.Minute, func() bool { return counts()[0] > 0 })
		p.Freeze()
		before, used := counts(), p.CPU()
		if l.Level() == referee.LevelStrict {
			leaveCPU(100_000)
			if after := counts(); after != before {
				t.Errorf("stopped, it has counted from %v to %v", before, after)
			}
			return
		}
		poll(t, time.Minute, func() bool { return counts() != before })
		if p.CPU() == used {
			t.Error("it has counted and used no CPU time")
		}
		p.Freeze()
		if state := procfs.StatFields(p.Pid())[0]; state == "S" {
			t.Errorf("stopped again, its state is %s", state)
		}
	})
}

// TestChildren computes in children of all kinds, and expects that their time
// is seen while the program runs: of one that lives, one that has ended and was
// waited for, and one that has left the session and lost its parent.
func TestChildren(t *testing.T) {
	const loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
	for name, script := range map[string]string{
		"lives":  "sh -c '" + loop + "; exec sleep 1000' & exec sleep 1000",
		"ended":  "sh -c '" + loop + "'; exec sleep 1000",
		"orphan": "(setsid sh -c '" + loop + "; exec sleep 1000' &); exec sleep 1000",
	} {
		t.Run(name, func(t *testing.T) {
			atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
				if name == "orphan" && l.Level() == referee.LevelNone {
					t.Skip("none does not see them")
				}
				p, _ := begin(t, l, command(t, "sh", "-c", script))
				defer func() { p.Kill(); p.Wait() }()
				var seen time.Duration
				poll(t, time.Minute, func() bool {
					children, _ := p.Children()
					total := p.CPU() + children
					if total < seen {
						t.Errorf("the time fell from %v to %v", seen, total)
					}
					seen = total
					return seen > 20*time.Millisecond
				})
			})
		})
	}
}
