package cli_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"umpire/referee/testlevel"
)

// smallDisk mounts a small file system of a size for this thread and what it starts,
// since others look at the machine's mounts.
func smallDisk(t *testing.T, size string) (dir string) {
	t.Helper()
	t.Parallel()
	dir = t.TempDir()
	runtime.LockOSThread() // for good: it ends with the test
	err := syscall.Unshare(syscall.CLONE_FS | syscall.CLONE_NEWNS)
	if err == nil {
		err = syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	}
	if err == nil {
		err = syscall.Mount("umpire", dir, "tmpfs", 0, "size="+size)
	}
	if err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fill takes all room that a disk has left; empty gives it back.
func fill(t *testing.T, disk string) (empty func()) {
	t.Helper()
	path := filepath.Join(disk, "filler")
	file, err := os.Create(path)
	must(t, err)
	defer file.Close()
	for block := make([]byte, 1<<20); err == nil; {
		_, err = file.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return func() {
		must(t, os.Remove(path))
	}
}

// stopsFor expects a process to end with an error that matches an expression.
func (p *umpireProcess) stopsFor(expression string) {
	p.t.Helper()
	said := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(p.stderr)
		said <- string(text)
	}()
	go func() { _, _ = io.Copy(io.Discard, p.out) }()
	text := <-said
	if code := p.ends("the tournament on a full disk"); code == 0 || !regexp.MustCompile(expression).MatchString(text) {
		p.t.Errorf("exit code %d and %q, expected an error with %q", code, text, expression)
	}
}

const fullDiskMatches = 60

// resumed checks a run that was resumed after its disk was full.
func resumed(t *testing.T, p *umpireProcess, run string) {
	t.Helper()
	p.quietly()
	(&follower{t: t, dir: run}).wait(fullDiskMatches)
	p.exits("the resumed tournament", 0)
	if got := inFolder(t, run); len(got) != fullDiskMatches {
		t.Errorf("found %d matches, expected %d", len(got), fullDiskMatches)
	}
}

// TestFullDiskOfRun: a coordinator whose run folder is full says so and ends;
// with more room, the run is resumed. Either the results or what the embedded
// server stores finds no room first.
func TestFullDiskOfRun(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	disk := smallDisk(t, "20m")
	path, run := link(t, os.Args[0], filepath.Join(t.TempDir(), "umpire")), filepath.Join(disk, "run")
	p := startUmpire(t, path, "tournament", "ioiwari", "@greedy", "@random", "--time", "0", "--cases-per-pair", "30", "--quiet",
		"-o", run, "--listen", "127.0.0.1:0")
	(&follower{t: t, dir: run}).wait(1)
	empty := fill(t, disk)
	p.stopsFor("no space left on device|run/fleet: its disk may be full.*resume the run")
	empty()
	resumed(t, startUmpire(t, path, "tournament", "--resume", "-o", run, "--quiet", "--listen", "127.0.0.1:0"), run)
}

// TestFullDiskOfPlayers: where the disk of umpire serve is full, whoever removes or adds a player
// is told so, and can do it when there is room; until then the players are as they were.
func TestFullDiskOfPlayers(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	disk := smallDisk(t, "2m")
	_, url := serveUmpire(t, link(t, os.Args[0], filepath.Join(t.TempDir(), "umpire")), filepath.Join(disk, "data"))
	var alice struct{ Key string }
	post(t, url, "players", map[string]string{"name": "alice"}, &alice)
	post(t, url, "players", map[string]string{"name": "zoe"}, new(struct{})) // without her nothing would be left to be written
	change := func(method, path, body string, want int, words string) {
		t.Helper()
		if status, text := request(t, method, url+"/api/v1/"+path, body, "Authorization", "Bearer token"); status != want || !strings.Contains(text, words) {
			t.Errorf("%s %s: found status %d, %s", method, path, status, text)
		}
	}
	empty := fill(t, disk)
	full := `"code":"disk","message":"the server's disk is full, so nothing was changed: try again when there is room on it"`
	change(http.MethodDelete, "players/alice", "", http.StatusInsufficientStorage, full)
	change(http.MethodPost, "players", `{"name":"bob"}`, http.StatusInsufficientStorage, full)
	change(http.MethodGet, "players", "", http.StatusOK, `[{"name":"alice","online":false,"waits_for":[]},{"name":"zoe"`)
	if status, text := request(t, http.MethodPost, url+"/api/v1/join", "{}", "Authorization", "Bearer "+alice.Key); status != http.StatusOK {
		t.Errorf("the player joins: found status %d, %s", status, text)
	}
	empty()
	change(http.MethodDelete, "players/alice", "", http.StatusOK, "{}")
}

// TestFullDiskOfServer: a NATS server whose disk is full answers, and stores
// nothing; the coordinator says so and ends. With more room and the server
// started anew, the run is resumed with the same worker.
func TestFullDiskOfServer(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	disk := smallDisk(t, "20m")
	dir, path := withUmpire(t)
	nats, run := natsServer(t, dir), filepath.Join(dir, "run")
	at := freePorts(t, 1)[0]
	host, port, _ := net.SplitHostPort(at)
	start := func() *umpireProcess {
		server := startUmpire(t, nats, "-a", host, "-p", port, "-js", "-sd", filepath.Join(disk, "store")).quietly()
		accepts(t, at) // a coordinator begins at no server that is not there
		return server
	}
	server := start()
	worker := startWorker(t, path, "--join", "nats://"+at, "--jobs", "1", "--no-pause").quietly()
	p := startUmpire(t, path, "tournament", "ioiwari", "@greedy", "@random", "--time", "0", "--cases-per-pair", "30", "--quiet",
		"-o", run, "--nats", "nats://"+at, "--jobs", "0")
	(&follower{t: t, dir: run}).wait(1)
	empty := fill(t, disk)
	p.stopsFor("its disk may be full")
	_ = server.cmd.Process.Kill()
	_ = server.cmd.Wait()
	empty()
	start()
	resumed(t, startUmpire(t, path, "tournament", "--resume", "-o", run, "--quiet", "--nats", "nats://"+at, "--jobs", "0"), run)
	worker.interrupt() // the server may have other runs
	worker.exits("the worker", 0)
}

// TestFullDiskAtStart: a run that begins at a server whose disk is full says so.
func TestFullDiskAtStart(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	disk := smallDisk(t, "4m")
	dir, path := withUmpire(t)
	runs := filepath.Join(dir, "runs")
	key, err := exec.Command(path, "fleet", "keys", "add", "spring", "--run", "--runs", runs).Output()
	must(t, err)
	server := startUmpire(t, path, "fleet", "serve", "-o", filepath.Join(disk, "fleet"), "--listen", "127.0.0.1:0", "--runs", runs)
	url, _ := server.listening(0)
	server.quietly()
	fill(t, disk)
	p := startUmpire(t, "/usr/bin/env", "UMPIRE_KEY="+strings.TrimSpace(string(key)), path, "tournament", "ioiwari", "@greedy", "@random",
		"-o", filepath.Join(dir, "run"), "--nats", url)
	p.stopsFor("umpire: the NATS server answers, but does not store a run: its disk may be full [(]lead the run: .*[)]; make room and restart it\n")
	server.interrupt()
	_ = server.cmd.Wait()
}

// TestFullDiskOfCommands: what finds no room says so, with umpire's exit code. A scoring
// says how to resume it, and a folder that could not be filled can be filled later.
func TestFullDiskOfCommands(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	disk, dir := smallDisk(t, "64k"), t.TempDir()
	score := func(args ...string) (int, string) {
		return isolated(t, dir, "none", dir, nil, append([]string{"score", "ioiwari", "@greedy", "@random", "--jobs", "1", "--quiet"}, args...)...)
	}
	code, stderr := score("-o", disk+"/run")
	says := regexp.MustCompile(`umpire: write results: .*no space left on device\n` +
		`umpire: stopped; \d+ of 50 matches finished, kept in ` + disk + `/run/results.jsonl\n` +
		`umpire: to resume: umpire score (ioiwari @greedy @random --from .*)\n`)
	found := says.FindStringSubmatch(stderr)
	if code != 3 || found == nil {
		t.Fatalf("exit code %d and %q, expected 3 and %s", code, stderr, says)
	}
	empty := fill(t, disk)
	results := filepath.Join(disk, "run/results.jsonl")
	for _, args := range [][]string{
		{"new", "ioiwari", disk + "/bot", "--lang", "py"}, {"new", "--game", disk + "/game", "--lang", "py"}, {"compress", results},
	} {
		code, stderr := isolated(t, dir, "none", dir, nil, args...)
		if code != 3 || !strings.Contains(stderr, "no space left on device") {
			t.Errorf("%q: exit code %d and %q, expected 3 and that there is no room", args, code, stderr)
		}
	}
	write(t, filepath.Join(dir, "bot.py"), "print(1)\n")
	code, stderr = isolated(t, dir, "none", disk, nil, "test", "ioiwari", "bot.py")
	if said := `"bot.py": not judged: the cache can't be used: write ` + disk + "/umpire/build/"; code != 3 || !strings.Contains(stderr, said) {
		t.Errorf("with a full cache: exit code %d and %q, expected 3 and %s", code, stderr, said)
	}
	if left, _ := filepath.Glob(disk + "/*/README.md"); left != nil {
		t.Errorf("left behind %q", left)
	}
	empty()
	must(t, syscall.Mount("umpire", disk, "tmpfs", syscall.MS_REMOUNT, "size=20m"))
	for _, args := range [][]string{
		{"new", "ioiwari", disk + "/bot", "--lang", "py"}, {"new", "--game", disk + "/game", "--lang", "py"},
		append([]string{"score"}, strings.Fields(found[1])...),
	} {
		if code, stderr := isolated(t, dir, "none", dir, nil, args...); code != 0 {
			t.Errorf("%q with room: exit code %d and %q", args, code, stderr)
		}
	}
}
