package program

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// TestCompilerFillsDisk runs compilers that write more than they may into the
// folder they make the program in, in files that are each small enough, and one
// that keeps within its limits.
func TestCompilerFillsDisk(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	limits := compilerLimits
	limits.Disk = 8 << 20
	sandboxtest.Each(t, func(t *testing.T, l sandbox.Launcher) {
		// Where the folder is the sandbox's own, writing fails; elsewhere umpire looks.
		full := "exit status 7"
		if l.Level() == referee.LevelBasic {
			full = "wrote more than 8 MiB"
		}
		for script, says := range map[string]string{
			// The first waits to be found out, the second has ended by then.
			"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 1048576 /dev/zero >../$i || exit 7; done; exec sleep 100": full,
			"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 1048576 /dev/zero >$i || exit 7; done":                    full,
			"for i in 1 2 3 4; do head -c 1048576 /dev/zero >$i; done":                                                 "",
		} {
			dir := filepath.Join(t.TempDir(), "work")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			_, err := compile(t.Context(), l, build.Command{Dir: dir, Args: []string{"/bin/sh", "-c", script}}, limits)
			if says == "" && err != nil || says != "" && (!errors.As(err, new(*build.FailedError)) || !strings.Contains(err.Error(), says)) {
				t.Errorf("%s: %v, expected %q, as the compiler's own fault", script, err, says)
			}
		}
	})
}

// TestCompilerReplacesSource: a compiler that puts something else in its source's place
// can blame nobody else, where that can't be copied back.
func TestCompilerReplacesSource(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	sandboxtest.Each(t, func(t *testing.T, l sandbox.Launcher) {
		for _, script := range []string{"rm a.c && ln -s / a.c", "rm a.c && mkdir a.c", "rm -r lib && echo >lib"} {
			dir := filepath.Join(t.TempDir(), "work")
			if err := build.WriteFiles(dir, []build.File{{Name: "a.c"}, {Name: "lib/b.c"}}); err != nil {
				t.Fatal(err)
			}
			_, err := compile(t.Context(), l, build.Command{Dir: dir, Args: []string{"/bin/sh", "-c", script}}, compilerLimits)
			if inPlace := l.Level() == referee.LevelBasic; !errors.As(err, new(*build.FailedError)) && !(inPlace && err == nil) {
				t.Errorf("%s: %v, expected the compiler's own fault", script, err)
			}
		}
	})
}
