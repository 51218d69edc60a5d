package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"umpire/referee/cli"
	"umpire/referee/contestant/sandbox"
)

// TestMain makes the test binary umpire itself, so that scripts run it as users
// do and built-in bots are found in it.
func TestMain(m *testing.M) {
	sandbox.Main()
	testscript.Main(m, map[string]func(){
		"umpire": func() { os.Exit(cli.Main(os.Args[1:], standardCases())) },
	})
}

// standardCases are the case sets that main embeds.
func standardCases() fs.FS {
	dir := os.Getenv("UMPIRE_TEST_CASES")
	if dir == "" {
		dir = "../../testdata/cases"
	}
	return os.DirFS(dir)
}

func TestScripts(t *testing.T) {
	cases, err := filepath.Abs("../../testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs("../../bots/examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			// Scripts run umpire as a process, whose own files are elsewhere.
			env.Setenv("UMPIRE_TEST_CASES", cases)
			env.Setenv("EXAMPLES", examples)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("HOME", env.WorkDir)
			// The trial run of the stronger levels takes longer than most scripts;
			// those about isolation name a level.
			env.Setenv("UMPIRE_ISOLATION", "none")
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		RequireExplicitExec: false,
		RequireUniqueNames:  true,
	})
}

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
