package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
)

// TestForkedIntoGroup checks that a program is forked into a v2 group, without
// joining it, and that it joins where that is refused.
func TestForkedIntoGroup(t *testing.T) {
	dir := groupOf2(t)
	for name, change := range map[string]func(s *start){
		"forked": func(s *start) {
			s.script.ForkInto(openIn(t, dir, unix.O_PATH))
		},
		"refused": func(s *start) {
			s.script.ForkInto(s.command.Stdin) // which is no group
			it := s.joining()
			it.Do("join", unix.SYS_WRITE, it.File(openIn(t, dir+"/cgroup.procs", unix.O_WRONLY)), it.Add([]byte{'0'}), num(1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			startChanged(t, launcherOf(t, referee.LevelBox), func(s *start) string {
				change(s)
				return dir
			})
		})
	}
	t.Run("strict", func(t *testing.T) {
		startChanged(t, launcherOf(t, referee.LevelStrict), func(s *start) string {
			if s.group.Folder() < 0 {
				t.Skip("strict takes cgroup v1 here")
			}
			s.joining().Do("join", unix.SYS_CLOSE, num(-1)) // fails
			return s.group.Joins()[0].Dir
		})
	})
}

// startChanged starts a program by a launch script that change changes, and
// checks that it is in the v2 group whose folder that returns.
func startChanged(t *testing.T, l Launcher, change func(s *start) string) {
	c := command(t, "cat")
	e, err := pipes(&c)
	must(t, err)
	t.Cleanup(e.close)
	t.Cleanup(func() { launch.CloseAll([]int{c.Stdin, c.Stdout, c.Stderr}) })
	w, err := thisMachine().forkServer()
	must(t, err)
	s := l.(*launcher).newStart(w, c)
	t.Cleanup(s.release)
	must(t, s.write())
	defer w.Release(s.script)
	dir := change(s)
	it, err := w.Launch(s.script, s.cell, s.report, s.uid)
	must(t, err)
	p := s.newProcess()
	p.program, p.supervisor = it.Program, it.Supervisor
	text, _ := os.ReadFile(procfs.Dir(p.Pid()) + "/cgroup")
	if _, group, _ := strings.Cut("\n"+string(text), "\n0::"); filepath.Base(strings.SplitN(group, "\n", 2)[0]) != filepath.Base(dir) {
		t.Errorf("it is in %q, expected %s", group, dir)
	}
	p.Kill()
	if exit := p.Wait(); exit.Err != nil {
		t.Error(exit.Err)
	}
}

// groupOf2 makes a group of cgroup v2, where there is such a hierarchy, though
// perhaps without controllers.
func groupOf2(t *testing.T) string {
	mounts, err := cgroup.Mounts()
	if err != nil {
		t.Skip(err)
	}
	m, ok := mounts[""]
	if !ok {
		t.Skip("no cgroup v2")
	}
	dir := filepath.Join(m.Own, cgroup.Prefix(os.Getpid())+"into")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		poll(t, 10*time.Second, func() bool { return unix.Rmdir(dir) == nil })
	})
	return dir
}

func openIn(t *testing.T, path string, flags int) int {
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0)
	must(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

// TestOwnGroupHidden checks that a program does not see the name of its control
// group, which tells umpire's process number and how many programs came before.
func TestOwnGroupHidden(t *testing.T) {
	o := run(t, launcherOf(t, referee.LevelStrict), command(t, "cat", "/proc/self/cgroup"), "")
	lines := strings.Fields(o.out)
	if len(lines) == 0 {
		t.Fatalf("%+v", o)
	}
	for _, line := range lines {
		if !strings.HasSuffix(line, ":/") {
			t.Errorf("it sees %q", line)
		}
	}
}
