package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"umpire/referee"
	"umpire/referee/testlevel"
)

// attack is a program of testdata/attacks and what is expected of it, which its
// first comments say:
//
//	// expects: none=skip basic=output+any box=ok strict=ok
//	// expects(sent undumpable): none=skip basic=ok box=ok strict=ok
//	// memory: 64 MiB
//	// looks: cpu
//
// An expectation holds for each of the arguments in parentheses, or without one. For
// each level it has the verdict of a match that the attack plays, and after a + what
// it gets away with, as it says itself. "skip" is never run, as the level does not
// protect the machine from it; "any" is no promise. What differs where contestants
// are umpire's own user stands under basic-of-user.
type attack struct {
	name   string
	args   []string
	limits Limits
	cpu    bool // its children use 0.4 s, which the test looks for
	traces bool // the test looks for traces while it runs

	ponders bool // its match has --pondering allow, and its opponent's turn comes first

	expects map[string]expectation // by level
}

// expectation is what is expected of an attack at a level.
type expectation struct{ verdict, effects string }

const (
	skipped  = "skip"
	anything = "any"
)

var (
	expectsLine = regexp.MustCompile(`(?m)^(?://|#) expects(?:\((.*)\))?: (.*)$`)
	memoryLine  = regexp.MustCompile(`(?m)^(?://|#) memory: (\d+) MiB$`)
	looksLine   = regexp.MustCompile(`(?m)^(?://|#) looks: (cpu|channels)$`)
	toolLine    = regexp.MustCompile(`(?m)^// no attack$`)
)

// attacks reads the corpus.
func attacks(t *testing.T) (list []attack) {
	t.Helper()
	sources, err := filepath.Glob("testdata/attacks/*")
	must(t, err)
	for _, path := range sources {
		if filepath.Ext(path) == ".h" {
			continue
		}
		text, err := os.ReadFile(path)
		must(t, err)
		found, err := parseAttack(strings.TrimSuffix(filepath.Base(path), ".c"), string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, found...)
	}
	return list
}

// parseAttack reads an attack's expectations: one attack for each argument.
func parseAttack(name, text string) (list []attack, err error) {
	a := attack{name: name}
	if m := memoryLine.FindStringSubmatch(text); m != nil {
		var mib int64
		_, _ = fmt.Sscan(m[1], &mib)
		a.limits.Memory = mib << 20
	}
	if m := looksLine.FindStringSubmatch(text); m != nil {
		a.cpu, a.traces = m[1] == "cpu", m[1] == "channels"
	}
	lines := expectsLine.FindAllStringSubmatch(text, -1)
	if (len(lines) > 0) == toolLine.MatchString(text) {
		return nil, fmt.Errorf("found %d lines that begin with \"expects\", expected some, or else the line \"no attack\"", len(lines))
	}
	for _, line := range lines {
		if a.expects, err = parseExpectations(line[2]); err != nil {
			return nil, err
		}
		if line[1] == "" {
			list = append(list, a)
		}
		for _, arg := range strings.Fields(line[1]) {
			a.args = []string{arg}
			list = append(list, a)
		}
		a.args = nil
	}
	return list, nil
}

func parseExpectations(text string) (map[string]expectation, error) {
	verdicts := []string{"ok", "crash", "idle", "memory", "output", "security", "time", skipped, anything}
	found := map[string]expectation{}
	for _, field := range strings.Fields(text) {
		level, value, _ := strings.Cut(field, "=")
		verdict, effects, _ := strings.Cut(value, "+")
		if !slices.Contains(verdicts, verdict) {
			return nil, fmt.Errorf("found %q, expected LEVEL= and one of %v", field, verdicts)
		}
		if verdict == anything {
			effects = anything
		}
		found[level] = expectation{verdict, effects}
	}
	for _, level := range referee.Levels() {
		if _, ok := found[string(level)]; !ok {
			return nil, fmt.Errorf("nothing is expected at %s", level)
		}
	}
	return found, nil
}

func TestParseAttack(t *testing.T) {
	list, err := parseAttack("x", "// expects: none=skip basic=output+any box=ok+a strict=ok basic-of-user=time\n// expects(a b): none=any basic=ok box=ok strict=ok\n// memory: 64 MiB\n")
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for level, want := range map[string]expectation{
		"none": {skipped, ""}, "basic": {"output", anything}, "basic-of-user": {"time", ""}, "box": {"ok", "a"}, "strict": {"ok", ""},
	} {
		if got := list[0].expects[level]; got != want {
			t.Errorf("at %s %+v is expected, not %+v", level, got, want)
		}
	}
	if got := list[2]; got.title() != "x/b" || got.expects["none"] != (expectation{anything, anything}) || got.limits.Memory != 64<<20 {
		t.Errorf("%+v", got)
	}
	for _, wrong := range []string{
		"", "// expects: none=ok basic=ok box=ok\n", "// expects: none=ok basic=ok box=ok strict=fine\n",
		"// no attack\n// expects: none=ok basic=ok box=ok strict=ok\n",
	} {
		if list, err := parseAttack("x", wrong); err == nil {
			t.Errorf("%q: %+v", wrong, list)
		}
	}
}

func (a attack) title() string {
	title := strings.Join(append([]string{a.name}, a.args...), "/")
	if a.ponders {
		title += "/allow"
	}
	return title
}

// expected is what is expected at a level of this umpire.
func (a attack) expected(level referee.Level) expectation {
	if e, ok := a.expects[string(level)+"-of-user"]; ok && !thisMachine().privileges.ownUIDs {
		return e
	}
	return a.expects[string(level)]
}

// isKilled reports whether the test has to end it.
func (e expectation) isKilled() bool { return e.verdict == "time" || e.verdict == "idle" }

// awaitsLook reports whether it goes on until a look finds what it has used: what
// is held between two looks alone is not found.
func (e expectation) awaitsLook() bool { return e.verdict == "memory" || e.verdict == "output" }

// ending is how it ends where the test watches it instead of a match.
func (e expectation) ending() string {
	if e.isKilled() {
		return "killed"
	}
	return e.verdict
}

// ending says how an attack has ended, in the words of verdicts.
func ending(exit Exit, killed bool) string {
	switch {
	case exit.Err != nil:
		return "void"
	case exit.Status.CoreDump():
		return "core"
	case exit.OutOfMemory:
		return "memory"
	case exit.OutOfDisk:
		return "output"
	case exit.OutOfProcesses:
		return "security"
	case killed:
		return "killed"
	case exit.Status.Signaled() && exit.Status.Signal() == syscall.SIGSYS:
		return "security"
	case exit.Status != 0:
		return "crash"
	}
	return "ok"
}

// chooseAttacks returns the attacks that are run at a level as this process's kind
// of user: those that -run names; if it names none, each attack is run at each
// level, as each kind of user, and with and without pondering, but only runs for a
// release combine all.
func chooseAttacks(t *testing.T, level referee.Level, list []attack) (chosen []attack) {
	chose := func(a attack, ponders int) {
		a.ponders = ponders == 1
		chosen = append(chosen, a)
	}
	if filterOf(t).depth() > 2 {
		for _, a := range list {
			chose(a, 0)
			chose(a, 1)
		}
		return chosen
	}
	kinds := strings.Split(os.Getenv(usersEnv), " ")
	kind := slices.Index(kinds, os.Getenv(insideEnv))
	for _, row := range attackRows(len(kinds), list) {
		if row[0] == kind && referee.Levels()[row[1]] == level {
			chose(list[row[2]], row[3])
		}
	}
	return chosen
}

// attackRows chooses users, levels, attacks and whether these ponder. By default each
// attack is tried at one level, by turns at each, and by turns as each kind of user and
// both ways; strict is tried as root, if that is possible. Thoroughly each is tried at each
// level, and as each kind, and ponders at every other level.
func attackRows(users int, list []attack) (rows [][]int) {
	switch testlevel.Current() {
	case testlevel.Release:
		return testlevel.Covering(4, users, len(referee.Levels()), len(list), 2)
	case testlevel.Default:
		for n, a := range list {
			level, turn := a.levelPromised(n), n/len(referee.Levels())
			user := turn / 2 % users
			if referee.Levels()[level] == referee.LevelStrict {
				user = 0
			}
			rows = append(rows, []int{user, level, n, turn % 2})
		}
	default:
		rows = testlevel.Covering(2, users, len(referee.Levels()), len(list))
		for i, row := range rows {
			rows[i] = append(row, (row[1]+row[2])%2)
		}
	}
	return rows
}

// levelPromised is one, the nth by turns, of the levels at which the attack is run and
// something is promised.
func (a attack) levelPromised(n int) int {
	var levels []int
	for level, name := range referee.Levels() {
		if v := a.expected(name).verdict; v != skipped && v != anything {
			levels = append(levels, level)
		}
	}
	return levels[n%len(levels)]
}

func titles(list []attack) (all []string) {
	for _, a := range list {
		all = append(all, a.title())
	}
	return all
}
