package contestant

import (
	"errors"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/program"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
)

// TestHelperKilledIsOurs kills the process of umpire's that watches a
// contestant, and expects no verdict but an error.
func TestHelperKilledIsOurs(t *testing.T) {
	bot := program.Bot{Name: "waits", Path: "/bin/sh", Args: []string{"sh", "-c", "echo ready; read a; read b"}}
	sandboxtest.Each(t, func(t *testing.T, l sandbox.Launcher) {
		c, err := Start(l, bot.Command(l.Level(), sandbox.Limits{}, nil), 1)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Stop()
		if r, err := c.Receive(t.Context(), referee.Ask{Limit: -1}); err != nil || r.Text != "ready" {
			t.Fatalf("%q, %v", r.Text, err)
		}
		supervisor := procfs.Parent(c.proc.Pid())
		if supervisor <= 1 {
			t.Fatalf("process %d has the parent %d", c.proc.Pid(), supervisor)
		}
		ended, err := unix.PidfdOpen(supervisor, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(ended)
		if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		// Until it has ended, the contestant is idle.
		for n := 0; n < 1; n, err = unix.Poll([]unix.PollFd{{Fd: int32(ended), Events: unix.POLLIN}}, -1) {
			if err != nil && err != unix.EINTR {
				t.Fatal(err)
			}
		}
		_, err = c.Receive(t.Context(), referee.Ask{Limit: -1})
		var failure *protocols.Failure
		if err == nil || errors.As(err, &failure) {
			t.Errorf("got %v, which is no error of umpire's", err)
		}
	})
}

// BenchmarkBudget measures by how much CPU time a contestant goes beyond its
// budget of 100 ms, its start included, while every processor has three others
// that compute.
func BenchmarkBudget(b *testing.B) {
	const budget = 100 * time.Millisecond
	for range 3 * runtime.NumCPU() {
		busy := exec.Command("/bin/sh", "-c", "while :; do :; done")
		busy.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as contestants are
		if err := busy.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() {
			_ = busy.Process.Kill()
			_ = busy.Wait()
		}()
	}
	bot := program.Bot{Name: "spins", Path: "/bin/sh", Args: []string{"sh", "-c", "while :; do :; done"}}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, level := range []referee.Level{referee.LevelNone, referee.LevelBasic, referee.LevelBox, referee.LevelStrict} {
		l, _, err := sandbox.Choose(level, "")
		if err != nil || l.Level() != level {
			continue
		}
		b.Run(string(level), func(b *testing.B) {
			var over []time.Duration
			for b.Loop() {
				c, err := Start(l, bot.Command(l.Level(), sandbox.Limits{}, nil), 1)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Receive(b.Context(), referee.Ask{Limit: budget, CPU: true}); err == nil {
					b.Fatal("there was a reply")
				}
				over = append(over, c.Stop().CPU-budget)
			}
			slices.Sort(over)
			for name, at := range map[string]int{"p50": len(over) / 2, "p90": len(over) * 9 / 10, "max": len(over) - 1} {
				b.ReportMetric(float64(over[at].Microseconds())/1000, name+"-ms-over")
			}
		})
	}
}
