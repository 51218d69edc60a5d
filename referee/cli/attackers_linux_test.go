package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee"
	"umpire/referee/sandbox"
)

// TestAttackersAmongHonest plays a tournament with attackers of the corpus: they
// spoil nothing, and the standings of the honest bots among themselves are
// those of a tournament without them. Umpire runs in a pid and mount namespace
// of its own, so that a defence that fails harms nothing.
func TestAttackersAmongHonest(t *testing.T) {
	if testing.Short() {
		t.Skip("the attackers are what takes the time")
	}
	for _, tool := range []string{"gcc", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	launcher, _, err := sandbox.Choose(referee.LevelAuto)
	if err != nil || launcher.Level() == referee.LevelNone {
		t.Skip("attackers are not run without isolation")
	}
	a := newAttacked(t)
	honest := []string{"@random", "@greedy", "@optimal"}
	flags := []string{
		"--cases-per-pair", "2", "--time", "20s", "--memory", "150M", "--no-times", "--quiet",
		"--isolation", string(launcher.Level()),
	}
	a.umpire(append(append([]string{"tournament", "ioiwari", "-o", "without"}, honest...), flags...)...)
	bots := honest
	for _, name := range []string{"kill_parent", "fork_bomb", "memory_one", "secrets", "write_outside"} {
		bots = append(bots, a.attacker(name))
	}
	table := a.umpire(append(append([]string{"tournament", "ioiwari", "-o", "with"}, bots...), flags...)...)
	t.Logf("%s", table)
	a.untouched()

	a.among(honest, "with/results.jsonl", "among.jsonl")
	want := a.umpire("standings", "without", "--no-times", "--json")
	got := a.umpire("standings", "among.jsonl", "--no-times", "--json")
	if got != want {
		t.Errorf("with attackers: %s\nwithout: %s", got, want)
	}
}

// attacked is a folder with what attackers are after.
type attacked struct {
	*testing.T
	dir, path string
}

const secret = "the answers"

func newAttacked(t *testing.T) attacked {
	a := attacked{T: t, dir: t.TempDir()}
	a.path = link(t, os.Args[0], filepath.Join(a.dir, "umpire"))
	if err := os.WriteFile(filepath.Join(a.dir, "secret"), []byte(secret), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(a.dir, "outside"), 0o777); err != nil {
		t.Fatal(err)
	}
	// Whatever the mask of new files.
	for _, name := range []string{"secret", "outside"} {
		if err := os.Chmod(filepath.Join(a.dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// attacker compiles an attack, and says how it is named as a bot.
func (a attacked) attacker(name string) string {
	a.Helper()
	source := filepath.Join("..", "contestant", "sandbox", "testdata", "attacks", name+".c")
	path := filepath.Join(a.dir, name)
	// The paths are compiled in: a file that a command names is given to the bot.
	paths := filepath.Join(a.dir, "paths.c")
	code := fmt.Sprintf("#include <stdlib.h>\n__attribute__((constructor)) static void paths(void)"+
		" { setenv(\"SECRET\", %q, 1); setenv(\"OUTSIDE\", %q, 1); }\n", a.dir+"/secret", a.dir+"/outside")
	if err := os.WriteFile(paths, []byte(code), 0o600); err != nil {
		a.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O0", "-o", path, source, paths).CombinedOutput(); err != nil {
		a.Fatalf("%v: %s", err, out)
	}
	return name + "=" + path
}

// umpire runs umpire and returns what it prints.
func (a attacked) umpire(args ...string) string {
	a.Helper()
	outer := []string{"--pid", "--mount", "--mount-proc", "--fork", "--kill-child"}
	if os.Getuid() != 0 {
		outer = append(outer, "--user", "--map-root-user")
	}
	cmd := exec.Command("unshare", append(append(outer, a.path), args...)...)
	cmd.Dir = a.dir
	cases, err := filepath.Abs("../../testdata/cases")
	if err != nil {
		a.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "UMPIRE_TEST_CASES="+cases)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		a.Fatalf("umpire %q: %v\n%s%s", args, err, out, stderr.String())
	}
	return string(out)
}

// untouched checks that nothing has been read, written or removed.
func (a attacked) untouched() {
	a.Helper()
	if text, err := os.ReadFile(filepath.Join(a.dir, "secret")); err != nil || string(text) != secret {
		a.Errorf("the secret is %q, %v", text, err)
	}
	if made, err := os.ReadDir(filepath.Join(a.dir, "outside")); err != nil || len(made) > 0 {
		a.Errorf("made outside: %v, %v", made, err)
	}
	records, err := os.ReadFile(filepath.Join(a.dir, "with", "results.jsonl"))
	if err != nil || strings.Contains(string(records), "GOT") {
		a.Errorf("an attacker got away with something: %s, %v", records, err)
	}
	if !strings.Contains(string(records), `"verdict":"memory"`) {
		a.Error("the memory bomb was not stopped")
	}
}

// among copies the records of matches in which only some bots took part.
func (a attacked) among(bots []string, from, to string) {
	a.Helper()
	records, err := os.ReadFile(filepath.Join(a.dir, from))
	if err != nil {
		a.Fatal(err)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(records)) {
		seats := 0
		for _, bot := range bots {
			seats += strings.Count(line, `"bot":"`+bot+`"`)
		}
		if seats == strings.Count(line, `"bot":`) {
			kept.WriteString(line)
		}
	}
	if err := os.WriteFile(filepath.Join(a.dir, to), []byte(kept.String()), 0o644); err != nil {
		a.Fatal(err)
	}
}
