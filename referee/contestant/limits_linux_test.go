package contestant

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee/contestant/build"
	"umpire/referee/contestant/sandbox"
)

// each runs a test at every level above none that this machine has.
func each(t *testing.T, f func(t *testing.T, l sandbox.Launcher)) {
	for _, level := range []sandbox.Level{sandbox.Basic, sandbox.Box, sandbox.Strict} {
		if l, _, err := sandbox.Choose(level); err == nil && l.Level() == level {
			t.Run(string(level), func(t *testing.T) { f(t, l) })
		}
	}
}

// TestCompilerFillsDisk runs compilers that write more than they may into the
// folder they make the program in, in files that are each small enough, and one
// that keeps within its limits.
func TestCompilerFillsDisk(t *testing.T) {
	limits := compilerLimits
	limits.Disk = 8 << 20
	each(t, func(t *testing.T, l sandbox.Launcher) {
		// Where the folder is the sandbox's own, writing fails; elsewhere umpire looks.
		full := "exit status 7"
		if l.Level() == sandbox.Basic {
			full = "wrote more than 8 MiB"
		}
		for script, says := range map[string]string{
			// The first waits to be found out, the second has ended by then.
			"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 1048576 /dev/zero >../$i || exit 7; done; exec sleep 100": full,
			"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 1048576 /dev/zero >$i || exit 7; done":                    full,
			"for i in 1 2 3 4; do head -c 1048576 /dev/zero >$i; done":                                                 "",
		} {
			dir := filepath.Join(t.TempDir(), "work")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			_, err := compile(t.Context(), l, build.Command{Dir: dir, Args: []string{"/bin/sh", "-c", script}}, limits)
			if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
				t.Errorf("%s: %v, expected %q", script, err, says)
			}
		}
	})
}

// TestHelperKilledIsOurs kills the process of umpire's that watches a
// contestant, and expects no verdict but an error.
func TestHelperKilledIsOurs(t *testing.T) {
	bot := Bot{Name: "waits", Path: "/bin/sh", Args: []string{"sh", "-c", "echo ready; read a; read b"}}
	each(t, func(t *testing.T, l sandbox.Launcher) {
		c, err := Start(bot, Options{Launcher: l, Seat: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Stop()
		if r, err := c.Receive(t.Context(), Ask{Limit: -1}); err != nil || r.Text != "ready" {
			t.Fatalf("%q, %v", r.Text, err)
		}
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(c.proc.Pid()) + "/stat")
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		supervisor, err := strconv.Atoi(strings.Fields(rest)[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_, err = c.Receive(t.Context(), Ask{Limit: -1})
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
	bot := Bot{Name: "spins", Path: "/bin/sh", Args: []string{"sh", "-c", "while :; do :; done"}}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, level := range []sandbox.Level{sandbox.None, sandbox.Basic, sandbox.Box, sandbox.Strict} {
		l, _, err := sandbox.Choose(level)
		if err != nil || l.Level() != level {
			continue
		}
		b.Run(string(level), func(b *testing.B) {
			var over []time.Duration
			for b.Loop() {
				c, err := Start(bot, Options{Launcher: l, Seat: 1})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Receive(b.Context(), Ask{Limit: budget, CPU: true}); err == nil {
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
