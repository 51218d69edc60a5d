package sandbox

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/cgroup"
	"umpire/referee/testlevel"
)

// The attacks run in a pid and mount namespace of the test's own, so that a
// defence that fails harms nothing: an outer process, which is process 1
// there, becomes a kind of user and runs the test binary again.

// insideEnv holds the kind of user in the test binary that is run again.
const insideEnv = "SANDBOX_TEST_INSIDE"

// usersEnv holds all the kinds of user that it is run as.
const usersEnv = "SANDBOX_TEST_USERS"

// groupsEnv holds the control groups that stand for a container.
const groupsEnv = "SANDBOX_TEST_GROUPS"

// The kinds of user that umpire may be run as.
const (
	asRoot      = "root"
	asUser      = "user"      // an ordinary one
	asBounded   = "bounded"   // root without CAP_SYS_ADMIN, as of a systemd service
	asContainer = "container" // root in a control group that is the top for it
)

// ordinaryUser is the user that root runs the tests as a second time. Not 65534,
// to whom files of users that a namespace has no number for seem to belong.
const ordinaryUser = 65432

// insideTimeout bounds a run inside so that it says where it hangs before the run
// outside can only say that it waits; 0 if that one is not bounded.
func insideTimeout(t *testing.T) time.Duration {
	deadline, ok := t.Deadline()
	if !ok {
		return 0
	}
	return max(time.Until(deadline)*9/10, time.Second)
}

// userKinds are the kinds of user that tests are run inside as.
func userKinds() []string {
	switch {
	case os.Getuid() != 0:
		return []string{asUser}
	case testlevel.Current() < testlevel.Thorough:
		return []string{asRoot, asUser}
	default:
		return []string{asRoot, asUser, asBounded, asContainer}
	}
}

// inside runs the subtests of a test of this binary, each in namespaces of its
// own and all at the same time, as root and as an ordinary user, and thoroughly
// as each kind of user there can be.
//
// What -run says of the users, the subtests and what is below them holds; that it
// matches none of them is an error.
func inside(t *testing.T, subtests []string, env ...string) {
	kinds := userKinds()
	env = append(env, usersEnv+"="+strings.Join(kinds, " "))
	filter, name := filterOf(t), t.Name()
	asked := false
	for _, kind := range kinds {
		asked = asked || filter.matches(1, []string{kind})
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var ran atomic.Int32
			var wg sync.WaitGroup
			for _, sub := range subtests {
				wg.Go(func() {
					t.Run(sub, func(t *testing.T) {
						ran.Add(1)
						insideOne(t, kind, filter.inside(name, kind, sub), sub, env)
					})
				})
			}
			wg.Wait()
			if ran.Load() == 0 {
				t.Errorf("-run matches none of %v", subtests)
			}
		})
	}
	if !asked {
		t.Errorf("-run matches none of the users %v (more with UMPIRE_TEST=thorough)", kinds)
	}
}

// runFilter is what -run says of a test: alternatives, each a pattern for each of
// the names that a slash parts.
type runFilter [][]string

// filterOf returns the filter as it concerns the test in which t is.
func filterOf(t *testing.T) (f runFilter) {
	test, _, _ := strings.Cut(t.Name(), "/")
	for _, alternative := range splitPattern(flag.Lookup("test.run").Value.String(), '|') {
		patterns := splitPattern(alternative, '/')
		if ok, err := regexp.MatchString(patterns[0], test); err == nil && ok {
			f = append(f, patterns)
		}
	}
	return f
}

// splitPattern splits a pattern at a character outside parentheses and brackets.
func splitPattern(pattern string, at rune) (parts []string) {
	depth, start := 0, 0
	for i, r := range pattern {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case r == at && depth == 0:
			parts, start = append(parts, pattern[start:i]), i+1
		}
	}
	return append(parts, pattern[start:])
}

// depth is the number of names that the filter says something of.
func (f runFilter) depth() (n int) {
	for _, patterns := range f {
		n = max(n, len(patterns))
	}
	return n
}

// matches reports whether names that begin at a depth may be run.
func (f runFilter) matches(depth int, names []string) bool {
	return slices.ContainsFunc(f, func(patterns []string) bool {
		for i, name := range names {
			if depth+i < len(patterns) {
				if ok, err := regexp.MatchString(patterns[depth+i], name); err != nil || !ok {
					return false
				}
			}
		}
		return true
	})
}

// inside is the filter for a run of one of a test's subtests as a kind of user.
func (f runFilter) inside(test, kind, sub string) string {
	var list []string
	for _, patterns := range f {
		if (runFilter{patterns}).matches(1, []string{kind, sub}) {
			below := patterns[min(3, len(patterns)):]
			list = append(list, strings.Join(append([]string{"^" + test + "$", "^" + sub + "$"}, below...), "/"))
		}
	}
	return strings.Join(list, "|")
}

// insideOne runs one of the subtests, which a pattern selects, as one kind of user.
func insideOne(t *testing.T, kind, pattern, sub string, env []string) {
	runtime.LockOSThread() // Pdeathsig
	defer runtime.UnlockOSThread()
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{
		"sandbox-test-outer", kind,
		"-test.run=" + pattern, "-test.v=" + strconv.FormatBool(testing.Verbose()), "-test.short=" + strconv.FormatBool(testing.Short()),
		"-test.timeout=" + insideTimeout(t).String(),
	}
	// The fork server there is killed with its namespace, and its scratch folders
	// stay.
	tmp := publicDir(t)
	must(t, os.Chmod(tmp, 0o777))
	cmd.Env = append(append(os.Environ(), insideEnv+"="+kind, "TMPDIR="+tmp), env...)
	if kind == asContainer {
		cmd.Env = append(cmd.Env, groupsEnv+"="+strings.Join(containerGroups(t, sub), ":"))
	}
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
}

func oneID(inside, outside int) []syscall.SysProcIDMap {
	return []syscall.SysProcIDMap{{ContainerID: inside, HostID: outside, Size: 1}}
}

// controllers1 are the controllers of cgroup v1 that strict needs.
var controllers1 = []string{"memory", "pids", "cpuacct", "freezer"}

// containerGroups makes a control group in each hierarchy, below this
// process's own, with less than the machine has.
func containerGroups(t *testing.T, name string) []string {
	mounts, err := cgroup.Mounts()
	if err != nil {
		t.Skip(err)
	}
	var parents []string
	if m, ok := mounts[""]; ok && cgroup.Write(m.Top+"/cgroup.subtree_control", "+memory +pids") == nil {
		parents = []string{m.Top} // the only one that may have processes and children
	} else {
		for _, controller := range controllers1 {
			parents = append(parents, mounts[controller].Own)
		}
	}
	var list []string
	for _, parent := range parents {
		dir := filepath.Join(parent, "sandbox-test-"+strconv.Itoa(os.Getpid())+"-"+name)
		if slices.Contains(list, dir) {
			continue // of controllers mounted together
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Skip(err)
		}
		list = append(list, dir)
		t.Cleanup(func() { removeTestGroups(t, dir) })
	}
	for file, value := range map[string]string{
		"memory.limit_in_bytes": "1G", "memory.max": "1G", "pids.max": "4096",
	} {
		for _, dir := range list {
			if err := cgroup.Write(dir+"/"+file, value); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	return list
}

// removeTestGroups removes a control group with those in it, once nobody is there:
// a process that has been waited for may still be on its way out.
func removeTestGroups(t *testing.T, top string) {
	var dirs []string
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return nil
	})
	for _, dir := range slices.Backward(dirs) {
		var err error
		poll(t, time.Minute, func() bool { err = unix.Rmdir(dir); return err != unix.EBUSY })
		if err != nil {
			t.Errorf("remove %s: %v", dir, err)
		}
	}
}

// outerRole is process 1 of the namespaces.
func outerRole(args []string) {
	if err := outer(args); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// mountProc shows the processes of a pid namespace in a mount namespace, both
// this process's own.
func mountProc() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

func outer(args []string) error {
	runtime.LockOSThread() // capabilities are a thread's
	if err := mountProc(); err != nil {
		return err
	}
	// Numbers that no process in a box has.
	if err := os.WriteFile("/proc/sys/kernel/ns_last_pid", []byte("5000"), 0); err != nil {
		return err
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = append([]string{"sandbox.test"}, args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	switch kind := args[0]; {
	case kind == asBounded:
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_ADMIN, 0, 0, 0); err != nil {
			return fmt.Errorf("drop a capability: %w", err)
		}
	case kind == asContainer:
		if err := enterContainer(strings.Split(os.Getenv(groupsEnv), ":")); err != nil {
			return fmt.Errorf("enter container: %w", err)
		}
	case kind == asUser && thisMachine().privileges.ownUIDs:
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser}
	case kind == asUser:
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings, cmd.SysProcAttr.GidMappings = oneID(ordinaryUser, 0), oneID(ordinaryUser, 0)
	}
	return cmd.Run()
}

// enterContainer moves the process into control groups, and mounts the
// hierarchies so that these are their tops, as containers have it.
func enterContainer(groups []string) error {
	mounts, err := cgroup.Mounts()
	if err != nil {
		return err
	}
	for _, dir := range groups {
		if err := cgroup.Write(dir+"/cgroup.procs", "0"); err != nil {
			return err
		}
	}
	if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil {
		return fmt.Errorf("create namespace: %w", err)
	}
	remount := func(top, kind, options string) error {
		if err := unix.Unmount(top, unix.MNT_DETACH); err != nil {
			return fmt.Errorf("unmount %s: %w", top, err)
		}
		if err := unix.Mount("cgroup", top, kind, 0, options); err != nil {
			return fmt.Errorf("mount %s: %w", top, err)
		}
		return nil
	}
	if len(groups) == 1 {
		return remount(mounts[""].Top, "cgroup2", "")
	}
	done := map[string]bool{}
	for _, name := range controllers1 {
		top := mounts[name].Top
		if done[top] {
			continue
		}
		done[top] = true
		var together []string
		for other, m := range mounts {
			if m.Top == top {
				together = append(together, other)
			}
		}
		if err := remount(top, "cgroup", strings.Join(together, ",")); err != nil {
			return err
		}
	}
	return nil
}
