package contestant

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

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
		for script, says := range map[string]string{
			// The first waits to be found out, the second has ended by then.
			"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 1048576 /dev/zero >../$i; done; exec sleep 100": "wrote more than 8 MiB",
			"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 1048576 /dev/zero >$i; done":                    "wrote more than 8 MiB",
			"for i in 1 2 3 4; do head -c 1048576 /dev/zero >$i; done":                                       "",
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
