package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// TestAttackersAmongHonest plays tournaments with one attacker of each kind. At
// every level all matches are played, no honest bot fails, and the standings of
// the honest bots among themselves are those of a tournament without attackers.
// At none, attackers read and write what they like, and take minutes to be ended: it
// is tried for a release alone. By default only the strongest level is. Attackers are
// frozen in their opponents' turns, but at box; for a release both are tried everywhere,
// and every two bots meet.
func TestAttackersAmongHonest(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // the attackers take most of the time
	for _, tool := range []string{"gcc", "unshare", "setpriv"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	if testlevel.Current() == testlevel.Default {
		newAttacked(t, os.Getuid(), sandboxtest.StrongestLevel(t)).tournaments(referee.PonderFreeze)
		return
	}
	m := newLimitsTest(t)
	places := m.places(t)
	list := onePerLevel(places)
	if testlevel.Current() < testlevel.Release {
		list = slices.DeleteFunc(slices.Clone(list), func(place string) bool { return strings.HasSuffix(place, "-none") })
	}
	tried := 0
	for _, place := range list {
		m, level := m.at(place)
		for _, pondering := range []referee.Pondering{referee.PonderFreeze, referee.PonderAllow} {
			if (pondering == referee.PonderAllow) != (level == string(referee.LevelBox)) && testlevel.Current() < testlevel.Release {
				continue
			}
			tried++
			t.Run(place+"/"+string(pondering), func(t *testing.T) {
				newAttacked(t, m.uid, referee.Level(level)).tournaments(pondering)
			})
		}
	}
	testlevel.Rest(t, tried, 2*len(places))
}

// attackers are the bots, by name: the sources of which they are made, and their
// arguments.
var attackers = []struct{ name, source, args string }{
	{"voider", "signal_supervisor", ""},
	{"burner", "player", " 0 0 4"}, // plays, with four children that compute
	{"hog", "memory_one", ""},
	{"forker", "fork_bomb", ""},
	{"reader", "secrets", ""},
	{"writer", "write_outside", ""},
}

// attacked is a folder with what attackers are after.
type attacked struct {
	*testing.T
	dir   string
	uid   int
	level referee.Level
}

const secret = "the answers"

func newAttacked(t *testing.T, uid int, level referee.Level) attacked {
	testlevel.Needs(t, testlevel.Default)
	dir, err := os.MkdirTemp("", "umpire-attacked-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	a := attacked{T: t, dir: dir, uid: uid, level: level}
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "umpire"), program, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "secret"), []byte(secret), 0o666)
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "outside"), 0o777)
	}
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, "cases", "ioiwari"), os.DirFS("../../testdata/cases/ioiwari"))
	}
	must(t, err)
	// Whatever the mask of new files.
	for _, name := range []string{".", "secret", "outside"} {
		must(t, os.Chmod(filepath.Join(dir, name), 0o777))
	}
	return a
}

func (a attacked) tournaments(pondering referee.Pondering) {
	honest := []string{"@optimal", "@greedy", "@random"}
	bots := slices.Clone(honest)
	for _, attacker := range attackers {
		bots = append(bots, attacker.name+"="+a.compile(attacker.source)+attacker.args)
	}
	flags := []string{"--cases-per-pair", "1", "--time", "20s", "--memory", "64M", "--no-times", "--pondering", string(pondering)}
	if testlevel.Current() < testlevel.Release { // one honest bot against all others
		flags = append(flags, "--format", "gauntlet")
	}
	switch out, code := a.try(append(append([]string{"tournament", "ioiwari", "-o", "without"}, honest...), flags...)...); code {
	case 0:
	case 2:
		a.Skip("this machine can't do it")
	default:
		a.Fatalf("the tournament without attackers: exit code %d\n%s", code, out)
	}
	table, code := a.try(append(append([]string{"tournament", "ioiwari", "-o", "with"}, bots...), flags...)...)
	a.Logf("%s", table)
	a.look(honest)
	if code != 0 {
		a.Errorf("the tournament with attackers: exit code %d", code)
	}

	want := a.umpire("standings", "without", "--json", "--no-times")
	got := a.umpire("standings", "among.jsonl", "--json", "--no-times")
	if got != want {
		a.Errorf("with attackers: %s\nwithout: %s", got, want)
	}
}

// compile makes an attacker, and returns its path.
func (a attacked) compile(name string) string {
	a.Helper()
	source := filepath.Join("..", "sandbox", "testdata", "attacks", name+".c")
	if name == "player" {
		source = "testdata/fair/player.c"
	}
	path := filepath.Join(a.dir, name)
	// The paths are compiled in: a file that a command names is given to the bot.
	paths := filepath.Join(a.dir, "paths.c")
	code := fmt.Sprintf("#include <stdlib.h>\n__attribute__((constructor)) static void paths(void)"+
		" { setenv(\"SECRET\", %q, 1); setenv(\"OUTSIDE\", %q, 1); }\n", a.dir+"/secret", a.dir+"/outside")
	write(a.T, paths, code)
	if out, err := exec.Command("gcc", "-O0", "-o", path, source, paths).CombinedOutput(); err != nil {
		a.Fatalf("%v: %s", err, out)
	}
	return path
}

// umpire runs umpire and returns what it prints.
func (a attacked) umpire(args ...string) string {
	a.Helper()
	out, code := a.try(args...)
	if code != 0 {
		a.Fatalf("umpire %q: exit code %d\n%s", args, code, out)
	}
	return string(out)
}

// try runs umpire in a pid and mount namespace of its own, so that a defence that
// fails harms nothing. It is not process 1 there, which nobody could kill.
func (a attacked) try(args ...string) (out []byte, code int) {
	a.Helper()
	command := []string{"--pid", "--mount", "--mount-proc", "--fork", "--kill-child"}
	id := strconv.Itoa(a.uid)
	switch {
	case os.Getuid() != 0: // root there, and below itself again
		command = append(command, "--user", "--map-root-user", "unshare", "--user", "--map-user="+id, "--map-group="+strconv.Itoa(os.Getgid()))
	case a.uid != 0:
		command = append(command, "setpriv", "--reuid="+id, "--regid="+id, "--clear-groups")
	}
	command = append(command, "sh", "-c", `trap : INT; "$@"; exit $?`, "sh", filepath.Join(a.dir, "umpire"))
	if args[0] != "standings" {
		args = append(args, "--isolation", string(a.level), "--quiet")
	}
	cmd := exec.Command("unshare", append(command, args...)...)
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "UMPIRE_TEST_CASES="+a.dir+"/cases", "HOME="+a.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		a.Fatal(err)
	}
	if stderr.Len() > 0 {
		a.Logf("umpire %q: %s", args, stderr.String())
	}
	return out, cmd.ProcessState.ExitCode()
}

// look reads the records, checks that no honest bot has failed and no match was
// lost, and keeps the records of matches between honest bots.
func (a attacked) look(honest []string) {
	a.Helper()
	all, err := os.ReadFile(filepath.Join(a.dir, "with", "results.jsonl"))
	must(a, err)
	var among bytes.Buffer
	hogs := 0
	for line := range bytes.Lines(all) {
		var r record.Record
		must(a, json.Unmarshal(line, &r))
		if r.Error != "" {
			a.Errorf("a match was not played: %s", r.Error)
		}
		if r.Isolation != string(a.level) {
			a.Errorf("a match was played at %s, expected %s", r.Isolation, a.level)
		}
		here := 0
		for _, s := range r.Seats {
			if slices.Contains(honest, s.Bot) {
				here++
				if s.Verdict != "ok" {
					a.Errorf("%s: %s (%s) in %s", s.Bot, s.Verdict, s.Detail, line)
				}
			} else if s.Bot == "hog" && s.Verdict == "memory" {
				hogs++
			}
		}
		if here == len(r.Seats) {
			among.Write(line)
		}
	}
	if hogs == 0 {
		a.Error("the memory bomb was not stopped")
	}
	write(a.T, filepath.Join(a.dir, "among.jsonl"), among.String())
	if a.level != referee.LevelNone {
		a.untouched(all)
	}
}

// untouched checks that nothing has been read, written or removed.
func (a attacked) untouched(records []byte) {
	a.Helper()
	if bytes.Contains(records, []byte("GOT")) {
		a.Errorf("an attacker got away with something: %s", records)
	}
	if text, err := os.ReadFile(filepath.Join(a.dir, "secret")); err != nil || string(text) != secret {
		a.Errorf("the secret is %q, %v", text, err)
	}
	if made, err := os.ReadDir(filepath.Join(a.dir, "outside")); err != nil || len(made) > 0 {
		a.Errorf("made outside: %v, %v", made, err)
	}
}

// TestSupervisorKilled plays a bot that kills what watches it as soon as it runs,
// which it can at none: that is its loss, also where umpire has not even heard
// that it runs.
func TestSupervisorKilled(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	a := newAttacked(t, os.Getuid(), referee.LevelNone)
	bot := "voider=" + a.compile("kill_parent")
	for range 10 {
		var r record.Record
		out := a.umpire("match", "ioiwari", bot, "@greedy", "--case", "4 4 4 2 2 2 2", "--time", "1m", "--json")
		must(t, json.Unmarshal([]byte(out), &r))
		if s := r.Seats; r.Error != "" || s[0].Verdict != "crash" || s[1].Verdict != "ok" {
			t.Errorf("%s%+v, expected crash", r.Error, s)
		}
	}
}
