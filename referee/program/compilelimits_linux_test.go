package program

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// TestCompilerIsSeen: while a compiler's child computes it is seen to be ready, and what it uses
// is counted.
func TestCompilerIsSeen(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	none, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	seen := func(t *testing.T, l sandbox.Launcher) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := build.Command{Dir: filepath.Join(t.TempDir(), "work"), Args: []string{"/bin/sh", "-c", "(while :; do :; done); exit"}}
		if err := os.Mkdir(c.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		c.Look = func(cpu time.Duration, ready bool) {
			if cpu >= 10*time.Millisecond && ready {
				cancel()
			}
		}
		_, err := compile(ctx, l, c, compilerLimits)
		if !errors.As(err, new(*build.FailedError)) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Errorf("%v, %v, expected that it is ended once it was seen", err, ctx.Err())
		}
	}
	t.Run("none", func(t *testing.T) { seen(t, none) })
	sandboxtest.Each(t, seen)
}
