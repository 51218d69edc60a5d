package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The attacks run in a pid and mount namespace of the test's own, so that a
// defence that fails harms nothing: an outer process, which is process 1
// there, runs the test binary again.

const insideEnv = "SANDBOX_TEST_INSIDE"

// ordinaryUser is the user that root runs the tests as a second time.
const ordinaryUser = 65534

// inside runs a test of this binary in namespaces of its own, as root and as
// an ordinary user, or as the latter alone.
func inside(t *testing.T, name string, env ...string) {
	users := []int{os.Getuid()}
	if users[0] == 0 {
		users = []int{0, ordinaryUser}
	}
	for _, uid := range users {
		t.Run(map[bool]string{true: "root", false: "user"}[uid == 0], func(t *testing.T) {
			runtime.LockOSThread() // Pdeathsig
			defer runtime.UnlockOSThread()
			cmd := exec.Command("/proc/self/exe")
			cmd.Args = []string{
				"sandbox-test-outer", strconv.Itoa(uid),
				"-test.run=^" + name + "$", "-test.v=" + strconv.FormatBool(testing.Verbose()), "-test.short=" + strconv.FormatBool(testing.Short()),
			}
			// The warden there is killed with its namespace, and its scratch
			// folders stay.
			tmp := publicDir(t)
			if err := os.Chmod(tmp, 0o777); err != nil {
				t.Fatal(err)
			}
			cmd.Env = append(append(os.Environ(), insideEnv+"=1", "TMPDIR="+tmp), env...)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags: unix.CLONE_NEWPID | unix.CLONE_NEWNS,
				Pdeathsig:  syscall.SIGKILL,
			}
			if os.Getuid() != 0 {
				cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
				cmd.SysProcAttr.UidMappings = oneID(0, os.Getuid())
				cmd.SysProcAttr.GidMappings = oneID(0, os.Getgid())
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			} else {
				t.Logf("%s", out)
			}
		})
	}
}

func oneID(inside, outside int) []syscall.SysProcIDMap {
	return []syscall.SysProcIDMap{{ContainerID: inside, HostID: outside, Size: 1}}
}

// outerRole is process 1 of the namespaces.
func outerRole(args []string) {
	if err := outer(args); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func outer(args []string) error {
	uid, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	// Numbers that no process in a box has.
	if err := os.WriteFile("/proc/sys/kernel/ns_last_pid", []byte("5000"), 0); err != nil {
		return err
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = append([]string{"sandbox.test"}, args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	switch {
	case uid == 0:
	case ownUIDs():
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	default:
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings, cmd.SysProcAttr.GidMappings = oneID(uid, 0), oneID(uid, 0)
	}
	return cmd.Run()
}
