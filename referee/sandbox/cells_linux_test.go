package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox/launch"
	"umpire/referee/testlevel"
)

// boxes are the levels at which contestants follow each other in namespaces.
func boxes(t *testing.T) []referee.Level {
	t.Helper()
	if !thisMachine().keepsCells() {
		t.Skip("there are no cells here")
	}
	return levels()[2:]
}

// inCell runs a program, meanwhile f, and returns how it went, and its pid
// namespace. That is kept until the test is over, or the next might get its number.
func inCell(t *testing.T, l Launcher, c Command, f func(Process)) (o outcome, namespace string) {
	t.Helper()
	p, e := begin(t, l, c)
	namespace = namespaceOf(t, p)
	f(p)
	e.in.Close()
	out, _ := io.ReadAll(e.out)
	o.out, o.exit = string(out), p.Wait()
	return o, namespace
}

// namespaceOf is the pid namespace of a program that runs, kept until the test is over.
func namespaceOf(t *testing.T, p Process) string {
	t.Helper()
	var file *os.File
	var err error
	poll(t, time.Minute, func() bool { // refused until the kernel is through with exec
		file, err = os.Open(procfs.Dir(p.Pid()) + "/ns/pid")
		return !errors.Is(err, os.ErrPermission)
	})
	must(t, err)
	t.Cleanup(func() { file.Close() })
	namespace, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", file.Fd()))
	must(t, err)
	return namespace
}

func nothing(Process) {}

// TestCellHandedOn checks that a cell goes from one contestant to the next, who does
// not see by its process number how many there were, and is never two's at once.
func TestCellHandedOn(t *testing.T) {
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		c := command(t, "sh", "-c", "echo $$; (:); (:); read x")
		_, first := inCell(t, l, c, nothing)
		for range 3 {
			o, next := inCell(t, l, c, nothing)
			if next != first {
				t.Errorf("contestants one after the other are in %s and %s", first, next)
			}
			if o.out != "2\n" {
				t.Errorf("one's process number is %q", o.out)
			}
		}
		p, e := begin(t, l, command(t, "cat"))
		defer p.Wait()
		defer e.close()
		if _, other := inCell(t, l, command(t, "cat"), nothing); other == first {
			t.Errorf("contestants at the same time are in %s", other)
		}
	})
}

// TestCellThrownAway puts into a contestant's namespaces what no contestant can,
// or might, leave there, and expects that the next has others.
func TestCellThrownAway(t *testing.T) {
	if os.Getuid() != 0 || thisMachine().privileges.userNamespaced() {
		t.Skip("only root may enter namespaces")
	}
	const key = 4711
	for name, leave := range map[string]struct {
		namespace string
		flag      int
		object    func() (int, error)
	}{
		"socket": {"net", unix.CLONE_NEWNET, func() (int, error) { return unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0) }},
		"shared memory": {"ipc", unix.CLONE_NEWIPC, func() (int, error) {
			_, err := unix.SysvShmGet(key, 4096, unix.IPC_CREAT)
			return -1, err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
				left := -1
				_, dirty := inCell(t, l, command(t, "cat"), func(p Process) {
					done := make(chan error)
					go func() {
						runtime.LockOSThread() // and never unlocked: the thread ends
						fd, err := unix.Open(procfs.Dir(p.Pid())+"/ns/"+leave.namespace, unix.O_RDONLY|unix.O_CLOEXEC, 0)
						if err == nil {
							err = unix.Setns(fd, leave.flag)
							unix.Close(fd)
						}
						if err == nil {
							left, err = leave.object()
						}
						done <- err
					}()
					must(t, <-done)
				})
				defer unix.Close(left)
				if _, next := inCell(t, l, command(t, "cat"), nothing); next == dirty {
					t.Errorf("the next contestant is in %s, where something was left", next)
				}
			})
		})
	}
}

// TestNoneHandedOn checks that a supervisor goes from one contestant to the next at
// none and basic, is never two's at once, charges nobody for another, and is not kept by one
// whose launch script it could not take, or that can't be executed.
func TestNoneHandedOn(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	atEachLevel(t, levels()[:2], func(t *testing.T, l Launcher) {
		supervisorOf := func(c Command, f func(Process)) (o outcome, pid int) {
			o, _ = inCell(t, l, c, func(p Process) {
				pid = p.(*supervised).supervisor.PID
				f(p)
			})
			return o, pid
		}
		const memory = 64 << 20
		// It has what it starts as a copy of, the supervisor's, which differs.
		alone, _ := supervisorOf(command(t, "cat"), nothing)
		hungry := command(t, "sh", "-c", "(head -c 67108864 /dev/zero | tail -c 67108864 | wc -c); read x; sleep 1000 & sleep 1000 &")
		o, first := supervisorOf(hungry, nothing)
		if o.exit.Memory < memory || o.exit.CPU < 10*time.Millisecond {
			t.Fatalf("the first has used too little: %+v", o)
		}
		small, second := supervisorOf(command(t, "cat"), func(p Process) {
			if cpu, _ := p.Children(); cpu != 0 {
				t.Errorf("the children of the second have used %v", cpu)
			}
			if _, other := supervisorOf(command(t, "cat"), nothing); other == first {
				t.Error("contestants at the same time have the same supervisor")
			}
		})
		if small.exit.Memory > alone.exit.Memory+memory/8 || small.exit.CPU > o.exit.CPU/2 {
			t.Errorf("after %+v the second has used %+v, and alone %+v", o.exit, small.exit, alone.exit)
		}
		if second != first {
			t.Errorf("contestants one after the other have the supervisors %d and %d", first, second)
		}
		large := command(t, "sh", "-c", "echo ${#x}; read y")
		large.Env = append(large.Env, "x="+strings.Repeat("x", launch.MaxCellScript))
		if o, own := supervisorOf(large, nothing); o.exit.Err != nil || o.out == "" || own == first {
			t.Errorf("with a large environment it ended as %+v, supervisor %d", o, own)
		}
		if p, err := l.Start(Command{Path: "/dev/null", Args: []string{"null"}, Dir: "/", Stdin: 0, Stdout: 1, Stderr: 2}); err == nil {
			p.Wait()
			t.Error("/dev/null was executed")
		}
		startAgain(t, l)
	})
}

// TestCellSupervisorKilled kills the supervisor of a cell that nobody is in, and
// expects that the next contestant does not suffer.
func TestCellSupervisorKilled(t *testing.T) {
	atEachLevel(t, append(boxes(t), levels()[:2]...), func(t *testing.T, l Launcher) {
		var supervisor, report int
		inCell(t, l, command(t, "cat"), func(p Process) { supervisor, report = p.(*supervised).supervisor.PID, p.Exited() })
		pidfd, err := unix.PidfdOpen(supervisor, 0)
		must(t, err)
		defer unix.Close(pidfd)
		must(t, unix.PidfdSendSignal(pidfd, unix.SIGKILL, nil, 0))
		launch.Handle{FD: pidfd}.AwaitEnd()
		// The fork server may not have come yet to close its end of the cell's socket, which
		// stays open while the cell is kept.
		poll(t, 10*time.Second, func() bool { return launch.IsReadable(report) })
		startAgain(t, l)
	})
}

// TestCellCounters has a contestant use time and memory, in itself and in
// children, and expects that the next in its cell is charged for nothing of it.
func TestCellCounters(t *testing.T) {
	const memory = 32 << 20
	hungry := command(t, "sh", "-c", "(head -c 33554432 /dev/zero | tail -c 33554432 | wc -c); read x")
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		before, _ := inCell(t, l, command(t, "cat"), nothing)
		o, first := inCell(t, l, hungry, nothing)
		if o.exit.Memory < memory || o.exit.CPU < 10*time.Millisecond {
			t.Fatalf("the first has used too little: %+v", o)
		}
		most := before.exit.Memory + memory/8
		small, second := inCell(t, l, command(t, "cat"), func(p Process) {
			if cpu, _ := p.Children(); cpu != 0 {
				t.Errorf("the children of the second have used %v", cpu)
			}
			if peak, _ := p.Memory(); peak > most {
				t.Errorf("the second has %d bytes", peak)
			}
		})
		if small.exit.Memory > most || small.exit.CPU > o.exit.CPU/2 {
			t.Errorf("after %+v the second has used %+v, and alone %+v", o.exit, small.exit, before.exit)
		}
		again, third := inCell(t, l, hungry, nothing)
		if first != second || second != third {
			t.Fatalf("they are in %s, %s and %s", first, second, third)
		}
		if again.exit.Memory < memory || again.exit.CPU < 10*time.Millisecond {
			t.Errorf("what the third has used is not seen: %+v", again)
		}
		t.Log(before.exit, o.exit, small.exit, again.exit)
	})
}

// TestCellOfItsOwn starts commands that no cell can take, and expects that they
// run all the same, and leave the cells alone.
func TestCellOfItsOwn(t *testing.T) {
	long := strings.Repeat("x", launch.MaxCellScript)
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		_, cell := inCell(t, l, command(t, "cat"), nothing)
		large := command(t, "sh", "-c", "echo ${#x}; read y")
		large.Env = append(large.Env, "x="+long)
		writes := command(t, "sh", "-c", "echo 0; read y")
		writes.Write = []string{publicDir(t)}
		below := command(t, "sh", "-c", "echo 0; read y")
		below.Dir = "/var/below"
		deep := command(t, "sh", "-c", "echo 0; read y")
		deep.Dir = publicDir(t) + strings.Repeat("/"+strings.Repeat("x", 99), 30)
		must(t, os.MkdirAll(deep.Dir, 0o755))
		deep.Read = append(deep.Read, deep.Dir)
		for _, c := range []Command{large, writes, below, deep} {
			if o, other := inCell(t, l, c, nothing); o.exit.Err != nil || o.out == "" || other == cell {
				t.Errorf("it ended as %+v, in %s", o, other)
			}
		}
		if _, next := inCell(t, l, command(t, "cat"), nothing); next != cell {
			t.Errorf("the next is in %s, not %s", next, cell)
		}
	})
}

// TestNewMountSeen mounts something where a cell has had a look before, and expects
// that the next contestant is given that.
func TestNewMountSeen(t *testing.T) {
	if os.Getuid() != 0 || thisMachine().privileges.userNamespaced() {
		t.Skip("only root may mount")
	}
	if os.Getenv(insideEnv) == "" {
		insideOne(t, asRoot, "^TestNewMountSeen$", "", nil)
		return
	}
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		dir := publicDir(t)
		file := filepath.Join(dir, "file")
		c := command(t, "cat", file)
		c.Read = append(c.Read, dir)
		must(t, os.WriteFile(file, []byte("below"), 0o644))
		if o := run(t, l, c, ""); o.out != "below" {
			t.Fatalf("%+v", o)
		}
		must(t, unix.Mount("tmpfs", dir, "tmpfs", 0, ""))
		defer func() {
			if err := unix.Unmount(dir, 0); err != nil {
				t.Error(err)
			}
		}()
		must(t, os.WriteFile(file, []byte("mounted"), 0o644))
		if o := run(t, l, c, ""); o.out != "mounted" {
			t.Errorf("it has read %q: %+v", o.out, o)
		}
	})
}

// TestSocketsLeft has contestants leave sockets that no process has open, on their
// way in each other's messages, and the next ones look for them.
func TestSocketsLeft(t *testing.T) {
	path := buildAttack(t, "leftovers")
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		for range testlevel.Times(3, 10, 10) {
			o := run(t, l, command(t, path, ownPriority(t), "sockets"), "")
			if o.exit.Status != 0 || o.out != "" {
				t.Fatalf("%+v", o)
			}
		}
	})
}

func TestTops(t *testing.T) {
	for _, test := range []struct {
		given []string
		dir   string
		want  string
		ok    bool
	}{
		{nil, "/", "", true},
		{[]string{"/home/eve/bot", "/home/eve/book"}, "/opt/run/", "/home\x00/opt\x00", true},
		{[]string{"/tmp/bot"}, "/tmp", "", true}, // each program has its own
		{nil, "/usr/bin", "", true},
		{nil, "/home", "/home\x00", true},
		{[]string{"/bot"}, "/", "", false},
		{[]string{"/etc/bot"}, "/", "", false},
		{[]string{"/dev/shm/bot"}, "/", "", false},
		{nil, "/proc/self", "", false},
	} {
		var given []systemPath
		for _, path := range test.given {
			given = append(given, systemPath{path: path})
		}
		if got, ok := thisMachine().tops(given, test.dir); got != test.want || ok != test.ok {
			t.Errorf("%q in %s: %q, %v", test.given, test.dir, got, ok)
		}
	}
}

// TestCellLeavesFullTmp checks that a cell has left a program's mounts when that is
// gone, if its /tmp was full: the next start would wait until the kernel has freed it.
func TestCellLeavesFullTmp(t *testing.T) {
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		p, e := begin(t, l, command(t, "sh", "-c", "head -c 2000000 /dev/zero >/tmp/f; read x; true"))
		supervisor := procfs.Dir(p.(*supervised).supervisor.PID) + "/ns/mnt"
		during, err := os.Readlink(supervisor)
		e.in.Close()
		exit := p.Wait()
		if err != nil {
			t.Skip(err) // to an ordinary user it is closed
		}
		after, err := os.Readlink(supervisor)
		if exit.Status != 0 || err != nil || after == during {
			t.Errorf("%+v, its mounts are in %s, and afterwards in %s, %v", exit, during, after, err)
		}
	})
}
