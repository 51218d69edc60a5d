package sandbox

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/testlevel"
)

// TestAttacks runs the whole corpus as root and as an ordinary user, and
// thoroughly as each kind of user.
func TestAttacks(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // the programs it runs take most of the time
	t.Parallel()
	list := attacks(t)
	if os.Getenv(insideEnv) == "" {
		wanted := func(a attack) bool { return filterOf(t).matches(3, append([]string{a.name}, a.args...)) }
		if !slices.ContainsFunc(list, wanted) {
			t.Fatalf("no attack is called as -run says; those there are: %s", strings.Join(titles(list), " "))
		}
		inside(t, []string{"none", "basic", "box", "strict"}, "ATTACKS="+buildAttacks(t, wanted, list))
		if all := 2 * len(userKinds()) * len(referee.Levels()) * len(list); filterOf(t).depth() == 1 {
			testlevel.Rest(t, len(attackRows(len(userKinds()), list)), all)
		}
		return
	}
	for _, level := range referee.Levels() {
		t.Run(string(level), func(t *testing.T) {
			if kind := os.Getenv(insideEnv); level == referee.LevelNone && (kind == asBounded || kind == asContainer) {
				t.Skip("none is the same for all root")
			}
			l, err := New(level)
			if err != nil && level == referee.LevelStrict {
				t.Skip(err)
			}
			must(t, err)
			holdCells(t, l)
			s := newScene(t, l)
			chosen := chooseAttacks(t, level, list)
			for _, a := range chosen {
				s.play(t, a)
			}
			s.checkCells(t, len(chosen))
		})
	}
}

// scene surrounds an attack: an opponent, secrets, listeners.
type scene struct {
	launcher        Launcher
	dir             string // of the attacks
	work, outside   string
	secret          string
	abstract        string
	socket          string
	port            int
	heard           chan string
	opponent        Process
	to, from        *os.File
	mounts          []byte
	processesBefore []int
	cells           map[int]int // the supervisors that attacks were under
}

const secretText = "the answers"

func newScene(t *testing.T, l Launcher) *scene {
	base := publicDir(t)
	s := &scene{
		launcher: l, dir: os.Getenv("ATTACKS"), work: base + "/work", outside: base + "/outside",
		secret: base + "/secret", abstract: "umpire-attack-" + strings.TrimPrefix(filepath.Base(base), "sandbox-test-"),
		socket: base + "/socket", heard: make(chan string, 16), cells: make(map[int]int),
	}
	for _, dir := range []string{s.work, s.outside} {
		must(t, os.Mkdir(dir, 0o777))
		must(t, os.Chmod(dir, 0o777))
	}
	must(t, os.WriteFile(s.secret, []byte(secretText), 0o666))
	s.listen(t)
	s.startOpponent(t)
	s.mounts, _ = os.ReadFile("/proc/self/mountinfo")
	s.processesBefore, _ = procfs.Processes()
	return s
}

// listen opens what attacks may try to reach, on this machine alone.
func (s *scene) listen(t *testing.T) {
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	listen := func(name, network, address string) net.Addr {
		l, err := net.Listen(network, address)
		must(t, err)
		t.Cleanup(func() { l.Close() })
		wg.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Close()
				s.heard <- name
			}
		})
		return l.Addr()
	}
	s.port = listen("tcp", "tcp", "127.0.0.1:0").(*net.TCPAddr).Port
	listen("abstract", "unix", "@"+s.abstract)
	listen("socket file", "unix", s.socket)
	must(t, os.Chmod(s.socket, 0o777))
	udp, err := net.ListenPacket("udp", "127.0.0.1:"+strconv.Itoa(s.port))
	must(t, err)
	t.Cleanup(func() { udp.Close() })
	wg.Go(func() {
		var b [16]byte
		for {
			if _, _, err := udp.ReadFrom(b[:]); err != nil {
				return
			}
			s.heard <- "udp"
		}
	})
}

func (s *scene) startOpponent(t *testing.T) {
	p, e := begin(t, s.launcher, Command{Path: "/bin/cat", Args: []string{"cat"}, Dir: "/"})
	s.opponent, s.to, s.from = p, e.in, e.out
	t.Cleanup(func() {
		e.in.Close()
		none := s.launcher.Level() == referee.LevelNone
		if none {
			p.Kill() // who traced it may have left it stopped
		}
		if exit := p.Wait(); exit.Status != 0 && !none {
			t.Errorf("the opponent ended with %#x", int(exit.Status))
		}
	})
}

// command is how an attack is started.
func (s *scene) command(t *testing.T, a attack) Command {
	path := filepath.Join(s.dir, a.name)
	if a.traces { // and locks itself, which nobody at another level is to feel
		path = s.ownCopy(t, a.name)
	}
	c := Command{Path: path, Args: append([]string{path}, a.args...), Dir: s.work, Read: []string{s.work}, Limits: a.limits}
	if filepath.Ext(a.name) == ".py" {
		c.Path, c.Args = "/usr/bin/python3", append([]string{"python3"}, c.Args...)
		c.Read = append(c.Read, path)
	}
	c.Env = []string{
		"UMPIRE=" + strconv.Itoa(os.Getpid()), "OPPONENT=" + strconv.Itoa(s.opponent.Pid()),
		"SECRET=" + s.secret, "OUTSIDE=" + s.outside, "PORT=" + strconv.Itoa(s.port), "ABSTRACT=" + s.abstract,
		"SOCKET=" + s.socket, "WORK=" + s.work,
		"NAMES=" + insideEnv,
	}
	return c
}

// ownCopy is a copy of an attack's program that only this scene uses.
func (s *scene) ownCopy(t *testing.T, name string) string {
	path := filepath.Join(filepath.Dir(s.work), name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	copyFile(t, filepath.Join(s.dir, name), path)
	must(t, os.Chmod(path, 0o755))
	return path
}

const (
	// patience is the time after which an attack's input is closed, or the attack
	// is killed (expectation.isKilled).
	patience = 300 * time.Millisecond
	// attackBound is longer than the bound that attacks have themselves.
	attackBound = 6 * time.Minute
	// cpuSeen is how much of the children's CPU time must be seen while they run.
	cpuSeen = 200 * time.Millisecond
)

func (s *scene) play(t *testing.T, a attack) {
	t.Run(a.title(), func(t *testing.T) {
		level := s.launcher.Level()
		want := a.expected(level)
		if want.verdict == skipped {
			t.Skip("the level does not protect the machine from it")
		}
		defer s.leftovers(t)
		c := s.command(t, a)
		p, e := begin(t, s.launcher, c)
		s.note(p)
		var out bytes.Buffer
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = io.Copy(&out, e.out) })
		killed, seen := s.watch(t, a, p, e)
		exit := p.Wait()
		if level == referee.LevelNone {
			s.sweep(t)
		}
		wg.Wait()

		got := effects(out.String())
		if want.effects != anything && got != want.effects {
			t.Errorf("got away with %q, expected %q", got, want.effects)
		}
		if end := ending(exit, killed); want.verdict != anything && end != want.ending() {
			t.Errorf("ended as %q (%+v), expected %q", end, exit, want.ending())
		}
		if a.cpu && level != referee.LevelNone && exit.CPU < 250*time.Millisecond {
			t.Errorf("used %v, expected 400ms", exit.CPU)
		}
		if a.cpu && level == referee.LevelStrict && seen < cpuSeen {
			t.Errorf("while it ran, %v were seen, expected 400ms", seen)
		}
		if level != referee.LevelNone {
			s.check(t)
		}
		t.Logf("%-8s %-8s %q", level, ending(exit, killed), got)
		s.judge(t, a, got)
	})
}

// watch looks at an attack until it ends, or its time is up, and returns the
// last CPU time it saw.
func (s *scene) watch(t *testing.T, a attack, p Process, e ends) (killed bool, cpu time.Duration) {
	closed := false
	for start := time.Now(); ; {
		fds := []unix.PollFd{{Fd: int32(p.Exited()), Events: unix.POLLIN}}
		if n, _ := unix.Poll(fds, 5); n > 0 {
			return killed, cpu
		}
		p.Memory()
		cpu = p.CPU()
		gone := time.Since(start)
		switch {
		case gone > patience && a.expected(s.launcher.Level()).isKilled(), gone > attackBound:
			p.Kill()
			killed = true
		case gone > patience && !closed && !s.awaits(a, cpu):
			if a.traces {
				s.channels(t, s.ownCopy(t, a.name))
			}
			e.in.Close()
			closed = true
		}
	}
}

// awaits reports whether an attack is still to be found out, or to be seen using
// CPU time, for which it waits.
func (s *scene) awaits(a attack, cpu time.Duration) bool {
	level := s.launcher.Level()
	return a.expected(level).awaitsLook() || a.cpu && level == referee.LevelStrict && cpu < cpuSeen
}

// channelFiles are the files that attack tries to make.
func (s *scene) channelFiles() []string {
	return []string{"/dev/shm/" + s.abstract, "/tmp/" + s.abstract}
}

// effects are the successes that an attack reports.
func effects(out string) string {
	var list []string
	for line := range strings.Lines(out) {
		if what, ok := strings.CutPrefix(strings.TrimSpace(line), "GOT "); ok {
			list = append(list, what)
		}
	}
	return strings.Join(list, "; ")
}

// channels looks for what the attack of that name, a file, has left to be found.
func (s *scene) channels(t *testing.T, path string) {
	if s.launcher.Level() == referee.LevelNone {
		return
	}
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	if unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil {
		t.Error("its flock is felt")
	}
	lock := unix.Flock_t{Type: unix.F_WRLCK, Len: 1}
	if err := unix.FcntlFlock(file.Fd(), unix.F_GETLK, &lock); err == nil && lock.Type != unix.F_UNLCK {
		t.Error("its fcntl lock is felt")
	}
	for _, path := range s.channelFiles() {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("it has made %s", path)
		}
	}
	if _, err := unix.SysvShmGet(s.port, 4096, 0); err == nil {
		t.Error("it has made shared memory")
	}
}

// check sees that nothing has changed around the attack.
func (s *scene) check(t *testing.T) {
	if _, err := s.to.WriteString("alive\n"); err != nil {
		t.Fatalf("the opponent is gone: %v", err)
	}
	var b [16]byte
	if n, _ := s.from.Read(b[:]); string(b[:n]) != "alive\n" {
		t.Errorf("the opponent says %q", b[:n])
	}
	if text, _ := os.ReadFile(s.secret); string(text) != secretText {
		t.Errorf("the secret is %q", text)
		_ = os.WriteFile(s.secret, []byte(secretText), 0o666) // for the next
	}
	for _, dir := range []string{s.outside, s.work} {
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%s holds %v", dir, entries)
		}
	}
	select {
	case who := <-s.heard:
		t.Errorf("%s was reached", who)
	default:
	}
	poll(t, 30*time.Second, func() bool { return len(s.strays()) == 0 })
	if now, _ := os.ReadFile("/proc/self/mountinfo"); !bytes.Equal(now, s.mounts) {
		t.Error("the mounts have changed")
	}
	s.checkOwnGroups(t)
}

// strays are processes that were not there before. The supervisors of cells, which
// stay, are children of the fork server as the opponent's is.
func (s *scene) strays() []int {
	var list []int
	forkServer := procfs.Parent(s.opponent.(*supervised).supervisor.PID)
	pids, _ := procfs.Processes()
	for _, pid := range pids {
		if forkServer != 0 && procfs.Parent(pid) == forkServer {
			continue
		}
		if !slices.Contains(s.processesBefore, pid) && !isGone(pid) {
			list = append(list, pid)
		}
	}
	return list
}

// keepsCells reports whether contestants here follow each other in cells.
func (s *scene) keepsCells() bool {
	level := s.launcher.Level()
	return level == referee.LevelBasic || thisMachine().keepsCells() && level != referee.LevelNone
}

// leftovers starts a program that looks for what the attack has left, and leaves
// something for the next to look for.
func (s *scene) leftovers(t *testing.T) {
	if !s.keepsCells() {
		return
	}
	a := attack{name: "leftovers", args: []string{ownPriority(t)}}
	if s.launcher.Level() == referee.LevelBasic {
		a.args = append(a.args, "shared")
	}
	c := s.command(t, a)
	p, e := begin(t, s.launcher, c)
	s.note(p)
	out, _ := io.ReadAll(e.out)
	if exit := p.Wait(); exit.Status != 0 || exit.Err != nil {
		t.Errorf("the next program has ended as %+v", exit)
	}
	if got := effects(string(out)); got != "" {
		t.Errorf("the next program has found %q", got)
	}
}

// ownPriority is the priority (nice value) that contestants inherit from this process.
func ownPriority(t *testing.T) string {
	t.Helper()
	n, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	must(t, err)
	return strconv.Itoa(20 - n) // as the system call encodes it
}

// note notes which cell a program is in.
func (s *scene) note(p Process) { s.cells[p.(*supervised).supervisor.PID]++ }

// checkCells sees that most attacks were in a cell that others had been in, if all
// of so many attacks were run.
func (s *scene) checkCells(t *testing.T, attacks int) {
	if filterOf(t).depth() > 2 || !s.keepsCells() {
		return
	}
	total := 0
	for _, n := range s.cells {
		total += n
	}
	if total < attacks || 2*len(s.cells) > total {
		t.Errorf("%d programs were in %d cells", total, len(s.cells))
	}
	t.Logf("%d programs were in %d cells", total, len(s.cells))
}

// sweep removes what an attack at none has left, which is no process.
func (s *scene) sweep(t *testing.T) {
	// The supervisor says that nothing is left before it ends itself. What an
	// attack leaves lives longer than this.
	poll(t, 30*time.Second, func() bool { return len(s.strays()) == 0 })
	_ = os.WriteFile(s.secret, []byte(secretText), 0o666)
	for _, dir := range []string{s.outside, s.work} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	for len(s.heard) > 0 {
		<-s.heard
	}
	for _, path := range s.channelFiles() {
		_ = os.Remove(path)
	}
	if id, err := unix.SysvShmGet(s.port, 4096, 0); err == nil {
		_, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	}
}

// checkOwnGroups sees that there is no control group but the opponent's.
func (s *scene) checkOwnGroups(t *testing.T) {
	if groups := s.launcher.(*launcher).groups; groups != nil {
		poll(t, time.Minute, func() bool { return len(ownGroups(t, groups)) == len(groups.Parents()) })
	}
}
