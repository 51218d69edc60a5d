package stall

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// TestMain makes the test binary, with an argument, a process that is about to stop
// when it is continued, before its stop or not at all.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != "continued" && os.Args[1] != "not" && os.Args[1] != "refrains" {
		os.Exit(m.Run())
	}
	end := armStop()
	if os.Args[1] == "continued" {
		if err := syscall.Kill(os.Getpid(), syscall.SIGCONT); err != nil {
			panic(err)
		}
	}
	end(os.Args[1] != "refrains")
}

// TestArmedStop: a SIGCONT before the stop prevents it.
func TestArmedStop(t *testing.T) {
	for how, stops := range map[string]bool{"continued": false, "not": true, "refrains": false} {
		cmd := exec.Command(os.Args[0], how)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a group that this process can continue
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil {
			t.Fatal(err)
		}
		if status.Stopped() != stops {
			t.Errorf("%s: stopped: %v, expected %v (%#x)", how, status.Stopped(), stops, status)
		}
		if status.Stopped() {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			_ = cmd.Wait()
		}
	}
}
