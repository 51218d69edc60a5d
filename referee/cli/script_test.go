package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cli"
	"umpire/referee/pattern"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// TestMain makes the test binary umpire itself, so that scripts run it as users
// do and built-in bots are found in it.
func TestMain(m *testing.M) {
	sandbox.Main()
	testscript.Main(patient{m}, map[string]func(){
		"umpire":      func() { os.Exit(cli.Main(os.Args[1:], standardCases(), repository())) },
		"nats-server": natsServerMain,
	})
}

// natsServerMain makes the test binary the NATS server that umpire is built with.
func natsServerMain() {
	none := func() {}
	options, err := server.ConfigureOptions(flag.NewFlagSet("nats-server", flag.ExitOnError), os.Args[1:], none, none, none)
	var s *server.Server
	if err == nil {
		s, err = server.NewServer(options)
	}
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	s.ConfigureLogger()
	s.Start()
	s.WaitForShutdown()
}

// patient runs tests that mostly wait for processes.
type patient struct{ *testing.M }

func (m patient) Run() int {
	testlevel.Patient(6)
	state, err := os.MkdirTemp("", "umpire-test-state-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(state)
	os.Setenv("XDG_STATE_HOME", state) // the log of tests is the user's
	cases, err := filepath.Abs("../../testdata/cases")
	if err != nil {
		panic(err)
	}
	os.Setenv("UMPIRE_TEST_CASES", cases) // umpire's own files, wherever it is started
	letOthersRead()
	sandboxtest.FastPython()
	return m.M.Run()
}

// standardCases are the case sets that main embeds.
func standardCases() fs.FS { return os.DirFS(os.Getenv("UMPIRE_TEST_CASES")) }

// repository is what the binary embeds of the repository.
func repository() fs.FS { return os.DirFS(filepath.Join(os.Getenv("UMPIRE_TEST_CASES"), "../..")) }

// TestScripts runs all scripts without isolation, as their many starts of umpire
// would each begin with a trial of the level. Those about a level name it. In
// short it runs those in which umpire does several things at the same time.
func TestScripts(t *testing.T) {
	t.Parallel()
	if testlevel.Current() == testlevel.Short {
		runScripts(t, referee.LevelNone, scripts(t, concurrent...))
		t.Run("rest", func(t *testing.T) { testlevel.Needs(t, testlevel.Default) })
		return
	}
	runScripts(t, referee.LevelNone, scripts(t, "*"))
}

// concurrent are scripts that play matches: one, and many at a time, which score does as tournament.
var concurrent = []string{"match", "pondering", "tournament_resume"}

// atEveryLevel are the scripts that go through what a user does with bots. The first
// few are those by default: bots that fail, play, are no bots, and are made of sources.
// The last few, which are mostly of usage and of what follows a run, are for a release.
var atEveryLevel = testlevel.Dimension{
	"failures", "match", "refused", "sources",
	"compile", "tournament", "terminal", "reproduce", "room",
	"score", "test", "tournament_resume", "verify",
}

// TestLevels runs what users do with bots at the levels the machine has. TestScripts does
// it without isolation. By default a few scripts are run, at one level each, by turns.
// Thoroughly, most are at the strongest level, and every third at one of the others, too.
func TestLevels(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // TestScripts runs them in short
	t.Parallel()
	levels := sandboxtest.Levels()
	names := atEveryLevel[:[]int{0, 4, 9, len(atEveryLevel)}[testlevel.Current()]]
	tried := 0
	for _, row := range testlevel.Rows(len(names), len(levels)) {
		name, level := names[row[0]], levels[row[1]]
		if n := row[1]; testlevel.Current() == testlevel.Thorough && n > 0 && (row[0]%3 != 0 || n != 1+row[0]/3%(len(levels)-1)) {
			continue
		}
		tried++
		t.Run(name+"/"+level, func(t *testing.T) {
			t.Parallel()
			runScripts(t, referee.Level(level), scripts(t, name))
		})
	}
	testlevel.Rest(t, tried, len(atEveryLevel)*len(levels))
}

// scripts are the files of scripts by their names, which may be patterns.
func scripts(t *testing.T, names ...string) (files []string) {
	for _, name := range names {
		found, err := filepath.Glob("testdata/script/" + name + ".txtar")
		if err != nil || len(found) == 0 {
			t.Fatalf("found no script %s: %v", name, err)
		}
		files = append(files, found...)
	}
	return slices.Compact(files)
}

func runScripts(t *testing.T, level referee.Level, files []string) {
	examples, err := filepath.Abs("../../bots/examples")
	must(t, err)
	games, err := filepath.Abs("../external/testdata")
	must(t, err)
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(env *testscript.Env) error {
			env.Setenv("UMPIRE_TEST_CASES", os.Getenv("UMPIRE_TEST_CASES"))
			env.Setenv("EXAMPLES", examples)
			env.Setenv("GAMES", games)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GOCACHE", goCache()) // as of a user, who compiles Go's own packages once
			env.Setenv("UMPIRE_ISOLATION", string(level))
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "several-cpus":
				return len(arena.CPUs()) > 1, nil
			case "thorough":
				return testlevel.Current() >= testlevel.Thorough, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "unpack": unpack},
		RequireExplicitExec: false,
		RequireUniqueNames:  true,
	})
}

// goCache is the user's cache of Go's packages, if there is Go.
var goCache = sync.OnceValue(func() string {
	out, _ := exec.Command("go", "env", "GOCACHE").Output()
	return strings.TrimSpace(string(out))
})

// exits is the script command `exits CODE COMMAND...`: the command ends with
// that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

var packed = pattern.New(`<script type="application/gzip" id="[a-z]+">([^<]*)</script>`)

// unformed returns the texts that the forms and columns of numbers of a page stand for.
func unformed(ts *testscript.TestScript, page []byte) []byte {
	var in struct {
		Texts struct {
			Forms []struct{ T, N []string }
			Order []int
		}
	}
	ts.Check(json.Unmarshal(page, &in))
	columns := make([][][]string, len(in.Texts.Forms)) // long: they are split once
	for n, f := range in.Texts.Forms {
		for _, column := range f.N {
			columns[n] = append(columns[n], strings.Split(column, ","))
		}
	}
	rows, now := make(map[int]int), make(map[[2]int]string)
	var texts []string
	for _, n := range in.Texts.Order {
		f := in.Texts.Forms[n]
		text := f.T[0]
		for i, cells := range columns[n] {
			if rows[n] < len(cells) && cells[rows[n]] != "" {
				now[[2]int{n, i}] = cells[rows[n]]
			}
			text += now[[2]int{n, i}] + f.T[i+1]
		}
		rows[n]++
		texts = append(texts, text)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	ts.Check(e.Encode(texts))
	return out.Bytes()
}

// unpack is the script command `unpack FILE PATTERN`: what the scripts of the pages unpack
// is written to a file.
func unpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack FILE PATTERN")
	}
	pages, err := filepath.Glob(ts.MkAbs(args[1]))
	if err != nil || pages == nil {
		ts.Fatalf("found no %s", args[1])
	}
	var all []byte
	for _, page := range pages {
		found := packed().FindStringSubmatch(ts.ReadFile(page))
		if found == nil {
			ts.Fatalf("%s has nothing packed", page)
		}
		in, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(found[1])))
		ts.Check(err)
		text, err := io.ReadAll(in)
		ts.Check(err)
		all = append(append(all, text...), unformed(ts, text)...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), all, 0o666))
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
