package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/watch"
	"umpire/referee/testlevel"
)

// roles are the other programs that the test binary can be.
var roles = map[string]func(args []string){
	"sandbox-test-umpire": umpireRole,
	"sandbox-test-outer":  outerRole,
	"sandbox-test-user":   userRole,
}

func TestMain(m *testing.M) {
	Main()
	if os.Getenv(privateMaskEnv) == "" {
		unix.Umask(0o022) // fixtures are for contestants of other users, too
	}
	if role, ok := roles[os.Args[0]]; ok {
		role(os.Args[1:])
		os.Exit(0)
	}
	testlevel.Patient(6)
	goleak.VerifyTestMain(m)
}

// umpireRole starts a program at a level, with a child that has left its
// session, and waits to be killed.
func umpireRole(args []string) {
	l, err := New(referee.Level(args[0]))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	null, _ := os.Open("/dev/null")
	p, err := l.Start(Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", "setsid sleep 1000 & exec sleep 1000"}, Dir: "/",
		Stdin: int(null.Fd()), Stdout: int(null.Fd()), Stderr: int(null.Fd()),
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if len(args) > 1 { // frozen, as one that thinks in its opponent's turn
		for len(procfs.Descendants(procfs.Parent(p.Pid()), nil, watch.MaxTree)) < 2 {
			runtime.Gosched()
		}
		p.Freeze()
	}
	fmt.Println(p.Pid())
	select {}
}

// startUmpire starts umpireRole, and returns the process of the program that it
// runs.
func startUmpire(t *testing.T, level referee.Level, frozen ...string) (cmd *exec.Cmd, program int) {
	t.Helper()
	cmd = roleOf(&syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}, append([]string{"sandbox-test-umpire", string(level)}, frozen...)...)
	out, err := cmd.StdoutPipe()
	must(t, err, cmd.Start())
	line, _ := bufio.NewReader(out).ReadString('\n')
	if program, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		t.Fatalf("umpire says %q", line)
	}
	return cmd, program
}

// roleOf is the test binary in one of its roles.
func roleOf(attr *syscall.SysProcAttr, args ...string) *exec.Cmd {
	return &exec.Cmd{Path: "/proc/self/exe", Args: args, SysProcAttr: attr}
}

// TestUmpireKilled kills umpire and expects that all goes with it, and that
// nothing of it is left. At none the supervisor is stopped, which a program can do.
func TestUmpireKilled(t *testing.T) {
	for _, level := range levels() {
		t.Run(string(level), func(t *testing.T) {
			runtime.LockOSThread() // Pdeathsig
			defer runtime.UnlockOSThread()
			cmd, pid := startUmpire(t, level, "frozen")
			supervisor := procfs.Parent(pid)
			var tree []int
			poll(t, time.Minute, func() bool {
				tree = procfs.Descendants(supervisor, []int{supervisor}, watch.MaxTree)
				return len(tree) == 3
			})
			prefix := cgroup.Prefix(cmd.Process.Pid)
			mounts, _ := cgroup.MountsOf(supervisor)
			if (level == referee.LevelBasic || level == referee.LevelStrict) && len(leftBy(prefix, mounts)) == 0 {
				t.Error("it keeps nothing that could be left behind")
			}
			if level == referee.LevelNone {
				must(t, syscall.Kill(supervisor, syscall.SIGSTOP))
			}
			must(t, cmd.Process.Kill())
			_ = cmd.Wait()
			// It takes milliseconds, but a busy machine has its own time.
			poll(t, time.Minute, func() bool {
				return !slices.ContainsFunc(tree, func(p int) bool { return !isGone(p) })
			})
			poll(t, time.Minute, func() bool { return len(leftBy(prefix, mounts)) == 0 })
		})
	}
}

// isGone reports whether a process has ended, waited for or not.
func isGone(pid int) bool {
	f := procfs.StatFields(pid)
	return len(f) == 0 || f[0] == "Z"
}

// leftBy lists the temporary folder and the control groups of an umpire.
func leftBy(prefix string, mounts map[string]cgroup.Mount) []string {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), strings.TrimSuffix(prefix, ".")))
	for _, m := range mounts {
		for dir := range m.Above() {
			groups, _ := filepath.Glob(dir + "/" + prefix + "[0-9]*")
			left = append(left, groups...)
		}
	}
	return left
}

// TestForkServerKilledToo kills umpire and its fork server at once, and expects
// that the next umpire removes what they have left.
func TestForkServerKilledToo(t *testing.T) {
	for _, level := range []referee.Level{referee.LevelBasic, referee.LevelStrict} {
		l, err := New(level)
		if err != nil {
			t.Log(err)
			continue
		}
		if isScoped(l) {
			t.Log("systemd removes the groups in a scope")
			continue
		}
		runtime.LockOSThread() // Pdeathsig
		defer runtime.UnlockOSThread()
		cmd, pid := startUmpire(t, level)
		prefix := cgroup.Prefix(cmd.Process.Pid)
		mounts, _ := cgroup.Mounts()
		// Stopped, so that it can't do its work in between.
		forkServer := procfs.Parent(procfs.Parent(pid))
		for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
			must(t, syscall.Kill(forkServer, s))
		}
		_ = cmd.Process.Kill()
		poll(t, time.Minute, func() bool {
			return isGone(pid) && isGone(cmd.Process.Pid)
		})
		// Until it is waited for, no other umpire on this machine takes what it has
		// left for stale.
		if len(leftBy(prefix, mounts)) == 0 {
			t.Errorf("%s: nothing is left: the test shows nothing", level)
		}
		_ = cmd.Wait()
		if level == referee.LevelStrict {
			cgroup.RemoveStale(l.(*launcher).groups.Parents()...)
		}
		removeStaleTemp()
		// Another umpire on this machine may be about to remove the same.
		poll(t, time.Minute, func() bool { return len(leftBy(prefix, mounts)) == 0 })
	}
}

// isScoped reports whether a launcher's programs are in a scope of systemd's.
func isScoped(l Launcher) bool {
	_, ok := OwnScope()
	return ok && l.Level() == referee.LevelStrict
}

// TestSupervisorKilled kills the supervisor of a program, and expects that this
// is not taken for the program's own end, that the program is gone, and that the
// next can be started.
func TestSupervisorKilled(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		p, _ := begin(t, l, command(t, "sleep", "1000"))
		pid := p.Pid()
		must(t, syscall.Kill(p.(*supervised).supervisor.PID, syscall.SIGKILL))
		poll(t, time.Minute, p.(*supervised).ended)
		p.Kill() // as a contestant's end is always followed by
		if exit := p.Wait(); exit.Err == nil {
			t.Errorf("it ended as %+v", exit)
		}
		poll(t, time.Minute, func() bool { return isGone(pid) })
		startAgain(t, l)
		c := command(t, "sh", "-c", "kill -KILL $$")
		if o := run(t, l, c, ""); o.exit.Err != nil || o.exit.Status != syscall.WaitStatus(syscall.SIGKILL) {
			t.Errorf("one that kills itself ended as %+v", o)
		}
	})
}

// TestForkServerKilled kills the fork server while a program runs, and expects
// that the program goes on, ends by itself, and that the next can be started.
func TestForkServerKilled(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		if isScoped(l) {
			t.Skip("in a scope, that is its end")
		}
		p, e := begin(t, l, command(t, "cat"))
		old := thisMachine().server
		must(t, syscall.Kill(procfs.Parent(p.(*supervised).supervisor.PID), syscall.SIGKILL))
		poll(t, time.Minute, old.HasEnded) // its threads do not end all at once
		startAgain(t, l)
		_, _ = e.in.WriteString("alive\n")
		e.in.Close()
		out, _ := io.ReadAll(e.out)
		if exit := p.Wait(); exit.Err != nil || exit.Status != 0 || string(out) != "alive\n" {
			t.Errorf("it said %q and ended as %+v", out, exit)
		}
	})
}

// TestSupervisorStopped holds the supervisor of a program as a debugger does, which a
// program can at none: umpire kills it in the end, which is not taken for the program's own.
func TestSupervisorStopped(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	l, err := NewNone()
	must(t, err)
	p, _ := begin(t, l, command(t, "sleep", "1000"))
	supervisor := p.(*supervised).supervisor.PID
	runtime.LockOSThread() // the thread is the debugger
	defer runtime.UnlockOSThread()
	if err := unix.PtraceAttach(supervisor); err != nil {
		p.Kill()
		p.Wait()
		t.Skip(err)
	}
	poll(t, time.Minute, func() bool { return procfs.State(supervisor) == 't' })
	p.Kill()
	if exit := p.Wait(); exit.Err != ErrHelperKilled {
		t.Errorf("it ended as %+v", exit)
	}
	for err := error(nil); err == nil || err == unix.EINTR; {
		_, err = unix.Wait4(supervisor, nil, 0, nil)
	}
	startAgain(t, l)
}

func startAgain(t *testing.T, l Launcher) {
	t.Helper()
	if o := run(t, l, command(t, "echo", "again"), ""); o.out != "again\n" || o.exit.Err != nil {
		t.Errorf("the next ended as %+v", o)
	}
}

// TestSignals checks that a program meets signals as anywhere, though it may be
// process 2 of a namespace, and that how it ended is told truly.
func TestSignals(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		for _, s := range []syscall.Signal{
			syscall.SIGTERM, syscall.SIGPIPE, syscall.SIGXCPU, syscall.SIGINT, syscall.SIGUSR1, syscall.SIGKILL, syscall.SIGALRM,
		} {
			o := run(t, l, command(t, "sh", "-c", fmt.Sprintf("kill -%d $$; echo alive", int(s))), "")
			if o.exit.Status&0x7f != syscall.WaitStatus(s) || o.out != "" || o.exit.Err != nil {
				t.Errorf("%v: %+v", s, o)
			}
		}
		o := run(t, l, command(t, "sh", "-c", "yes | head -1"), "")
		if o.exit.Status != 0 || o.out != "y\n" || o.err != "" {
			t.Errorf("a closed pipe: %+v", o)
		}
		if o := run(t, l, command(t, "sh", "-c", "exit 77"), ""); o.exit.Status.ExitStatus() != 77 {
			t.Errorf("exit 77: %+v", o)
		}
	})
}

// ownGroups lists the control groups of this process. Those that the kernel did not
// let go at the end of their programs are removed before the next group is made.
func ownGroups(t *testing.T, groups *cgroup.Groups) (list []string) {
	t.Helper()
	if groups == nil {
		return nil
	}
	g, err := groups.Make(1, 0)
	must(t, err)
	groups.Remove(g)
	for _, dir := range groups.Parents() {
		found, _ := filepath.Glob(dir + "/" + cgroup.Prefix(os.Getpid()) + "[0-9]*")
		list = append(list, found...)
	}
	return list
}

// poll waits for something to become true.
func poll(t testing.TB, limit time.Duration, f func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(limit); !f(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("not so after %v", limit)
		}
	}
}

// TestStarts starts many programs at once, as a tournament does, and expects
// that each start succeeds.
func TestStarts(t *testing.T) {
	total := int64(testlevel.Times(40, 400, 800, 2000))
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		files := openFiles(t)
		groups := l.(*launcher).groups
		before := len(ownGroups(t, groups)) // of earlier tests' launchers
		var left atomic.Int64
		left.Store(total)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for left.Add(-1) >= 0 {
					o, err := try(l, Command{Path: "/bin/cat", Args: []string{"cat"}, Dir: "/"}, "x")
					if err != nil || o.out != "x" || o.exit.Status != 0 {
						t.Errorf("%v %+v", err, o)
						return
					}
				}
			})
		}
		wg.Wait()
		poll(t, time.Minute, func() bool { return len(ownGroups(t, groups)) <= before })
		if now := openFiles(t); now > files+512 { // one map of users per user
			t.Errorf("%d descriptors, before %d", now, files)
		}
	})
}

func openFiles(t testing.TB) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(list)
}

// TestDescriptors opens a file that is inherited by mistake, and expects that
// a program has its three descriptors only. At none, it is Main that closes what
// umpire inherited, and umpire that opens nothing so.
func TestDescriptors(t *testing.T) {
	fd, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0) // no O_CLOEXEC
	must(t, err)
	defer syscall.Close(fd)
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		o := run(t, l, command(t, "sh", "-c", "echo /proc/$$/fd/*"), "")
		var pid, extra int
		f := strings.Fields(o.out)
		for _, path := range f {
			if n, err := strconv.Atoi(filepath.Base(path)); err == nil && n > 2 {
				pid, extra = n, extra+1
			}
		}
		// The shell's own descriptor of the folder it lists is one more.
		if len(f) < 3 || extra > 1 {
			t.Errorf("%s (%d)", o.out, pid)
		}
	})
}

// TestKill kills a tree that has left its session, by the program's Process.
func TestKill(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		c := command(t, "sh", "-c", "setsid sh -c 'setsid sleep 1000 & exec sleep 1000' & echo ready; exec sleep 1000")
		p, _ := begin(t, l, c)
		supervisor := p.(*supervised).supervisor.PID
		poll(t, time.Minute, func() bool { return len(procfs.Descendants(supervisor, nil, watch.MaxTree)) == 3 })
		tree := procfs.Descendants(supervisor, nil, watch.MaxTree)
		p.Freeze()
		p.Kill()
		exit := p.Wait()
		if !exit.Status.Signaled() || exit.Status.Signal() != syscall.SIGKILL {
			t.Errorf("status %#x", int(exit.Status))
		}
		for _, pid := range tree {
			if !isGone(pid) {
				t.Errorf("process %d is left: %v", pid, procfs.StatFields(pid))
			}
		}
		p.Kill()
	})
}

// TestIdle checks that umpire can see a program wait for its input.
func TestIdle(t *testing.T) {
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		c := Command{Path: "/bin/cat", Args: []string{"cat"}, Dir: "/"}
		p, e := begin(t, l, c)
		poll(t, time.Minute, func() bool {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", p.Pid()))
			return strings.HasPrefix(string(text), fmt.Sprintf("%d 0x0 ", syscall.SYS_READ))
		})
		e.in.Close()
		p.Wait()
	})
}

// TestCopyAndRun starts files that were written just before, from several
// threads: no descriptor they were written by is left in another process. For
// none they are written under the lock that Launcher.Start names.
func TestCopyAndRun(t *testing.T) {
	text, err := os.ReadFile("/bin/true")
	must(t, err)
	total := testlevel.Times(20, 100, 150, 400)
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		dir := publicDir(t)
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				for i := range total / 4 {
					path := filepath.Join(dir, fmt.Sprintf("bot-%d-%d", worker, i))
					syscall.ForkLock.RLock()
					err := os.WriteFile(path, text, 0o755)
					syscall.ForkLock.RUnlock()
					if err != nil {
						t.Error(err)
						return
					}
					o, err := try(l, Command{Path: path, Args: []string{path}, Dir: "/"}, "")
					if err != nil || o.exit.Status != 0 {
						t.Errorf("%v %+v", err, o)
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestNoScope: a fork server that no manager takes into a scope leaves nothing behind.
func TestNoScope(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nobody/listens")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	children := func() []int {
		return slices.DeleteFunc(procfs.Descendants(os.Getpid(), nil, math.MaxInt), func(pid int) bool { return procfs.Parent(pid) != os.Getpid() })
	}
	before := children()
	s := &userScope{made: make(chan struct{})}
	if _, err := s.ask(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Fatal("found a scope where there is no manager")
	}
	for _, pid := range children() {
		if !slices.Contains(before, pid) {
			t.Errorf("process %d is left", pid)
		}
	}
}
