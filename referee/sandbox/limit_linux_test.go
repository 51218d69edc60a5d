package sandbox

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/testlevel"
)

// limited is a limit with a program that keeps it and one that does not.
var limited = []struct {
	name       string
	limits     Limits
	good, evil string // Python
	levels     []referee.Level
}{
	{
		"files", Limits{Files: 20},
		"fs = [open('/dev/null') for _ in range(10)]",
		"fs = [open('/dev/null') for _ in range(20)]", nil,
	},
	{
		"file size", Limits{FileSize: 1 << 20},
		"import os\nwith open(os.environ['TMPDIR'] + '/f', 'wb') as f: f.write(bytes(1 << 20))",
		"import os\nwith open(os.environ['TMPDIR'] + '/f', 'wb') as f: f.write(bytes((1 << 20) + 1))", nil,
	},
	{
		"disk", Limits{Disk: 4 << 20, FileSize: 64 << 20},
		"open('/tmp/a', 'wb').write(bytes(2 << 20)); open('/dev/shm/b', 'wb').write(bytes(1 << 20))",
		"open('/tmp/a', 'wb').write(bytes(3 << 20)); open('/dev/shm/b', 'wb').write(bytes(2 << 20))",
		[]referee.Level{referee.LevelBox, referee.LevelStrict},
	},
	{
		"disk", Limits{Disk: 4 << 20, FileSize: 64 << 20},
		"import os; t = os.environ['TMPDIR']; open(t + '/a', 'wb').write(bytes(2 << 20)); open(t + '/b', 'wb').write(bytes(1 << 20))",
		"import os; t = os.environ['TMPDIR']; open(t + '/a', 'wb').write(bytes(3 << 20)); open(t + '/b', 'wb').write(bytes(2 << 20))",
		[]referee.Level{referee.LevelBasic},
	},
	{
		"number of files", Limits{},
		"import os\nfor i in range(1000): open(os.environ['TMPDIR'] + '/%d' % i, 'w')",
		"import os\nfor i in range(17000): open(os.environ['TMPDIR'] + '/%d' % i, 'w')", nil,
	},
	{
		"stack", Limits{Stack: 1 << 20},
		"import resource; assert resource.getrlimit(resource.RLIMIT_STACK) == (1 << 20, 1 << 20)",
		"import resource; resource.setrlimit(resource.RLIMIT_STACK, (2 << 20, 2 << 20))", nil,
	},
	{
		"processes", Limits{Processes: 8},
		"import os\nfor _ in range(7):\n if os.fork() == 0: input(), os._exit(0)",
		"import os\nfor _ in range(8):\n if os.fork() == 0: input(), os._exit(0)",
		exactProcesses(),
	},
	{
		"memory", Limits{Memory: 64 << 20},
		"b = bytearray(32 << 20); input()",
		"b = bytearray(128 << 20); input()", nil,
	},
}

// exactProcesses are the levels that limit processes exactly.
func exactProcesses() []referee.Level {
	if thisMachine().privileges.ownUIDs {
		return []referee.Level{referee.LevelBasic, referee.LevelBox, referee.LevelStrict}
	}
	return []referee.Level{referee.LevelBox, referee.LevelStrict}
}

// TestLimits checks that what is within a limit goes, and what is beyond does
// not.
func TestLimits(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	atEachLevel(t, levels()[1:], func(t *testing.T, l Launcher) {
		for _, c := range limited {
			if c.levels != nil && !strings.Contains(fmt.Sprint(c.levels), string(l.Level())) {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				if o := runLimited(t, l, c.good, c.limits); o.exit.Status != 0 || o.exit.OutOfMemory || o.exit.OutOfDisk {
					t.Errorf("within the limit: %+v", o)
				}
				// Who has had too much memory and ended before it was seen is
				// found out all the same.
				o := runLimited(t, l, c.evil, c.limits)
				if o.exit.OutOfMemory != (c.limits.Memory > 0) || o.exit.Status == 0 && !o.exit.OutOfMemory && !o.exit.OutOfDisk {
					t.Errorf("beyond the limit: %+v", o)
				}
			})
		}
	})
}

func runLimited(t *testing.T, l Launcher, program string, limits Limits) outcome {
	t.Helper()
	c := command(t, "/usr/bin/python3", "-S", "-c", program)
	c.Limits = limits
	// A line for each process that waits for one.
	return run(t, l, c, strings.Repeat("\n", 16))
}

// TestPeak checks that the peak of memory is that of the program, for one that
// ends by itself, and so at once. None sees it only while the program lives, or
// if it is more than umpire's own.
func TestPeak(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		ballast := make([]byte, 128<<20) // umpire's own memory is not to be seen
		for i := range ballast {
			ballast[i] = 1
		}
		small := run(t, l, command(t, "/bin/true"), "")
		// The fork server's own memory, which a program starts as a copy of, is more
		// with the race detector.
		if m := small.exit.Memory; m <= 0 || m > 32<<20 {
			t.Errorf("a small program has used %d KiB", m>>10)
		}
		big := run(t, l, command(t, "/usr/bin/python3", "-S", "-c", "b = bytearray(100 << 20)"), "")
		if m := big.exit.Memory; m < 100<<20 || m > 120<<20 {
			t.Errorf("a program of 100 MiB has used %d KiB", m>>10)
		}
		ballast[0] = 2
	})
}

// TestCPU checks the CPU time of a program with one thread that computes all
// the time: it is at least what was seen of it, and not more than the time that
// has passed. How close to a budget it is ended depends on what else the machine
// does: BenchmarkBudget of the contestants measures it.
func TestCPU(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	const budget = 100 * time.Millisecond
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		c := command(t, "/usr/bin/python3", "-S", "-c", "while True: pass")
		started := time.Now()
		p, _ := begin(t, l, c)
		var seen time.Duration
		poll(t, time.Minute, func() bool { seen = p.CPU(); return seen >= budget })
		p.Kill()
		exit := p.Wait()
		// The supervisor's own time counts, and the kernel counts in ticks.
		if passed := time.Since(started) + 20*time.Millisecond; exit.CPU < seen || exit.CPU > passed {
			t.Errorf("used %v: seen were %v, and %v have passed", exit.CPU, seen, passed)
		}
	})
}

// BenchmarkTurn measures a line there and back at each level: the same.
func BenchmarkTurn(b *testing.B) {
	for _, level := range levels() {
		b.Run(string(level), func(b *testing.B) {
			l, err := New(level)
			must(b, err)
			p, e := begin(b, l, command(b, "cat"))
			in, out := int(e.in.Fd()), int(e.out.Fd())
			var line [2]byte
			for b.Loop() {
				_, _ = syscall.Write(in, []byte("x\n"))
				_, _ = syscall.Read(out, line[:])
			}
			e.in.Close()
			p.Wait()
		})
	}
}
