package program_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// only chooses a launcher.
func only(l sandbox.Launcher) func() (sandbox.Launcher, error) {
	return func() (sandbox.Launcher, error) { return l, nil }
}

// compiling is a builder whose compilers a launcher runs.
func compiling(t *testing.T, l sandbox.Launcher) *build.Builder {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no table of the user's
	languages, err := build.LoadLanguages(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, c build.Command) ([]byte, error) {
		if l.Level() == referee.LevelNone {
			c.Args = listedCalls(t, c.Args[0], c.Args)
		}
		return program.Resolver{Launcher: only(l)}.Compile(ctx, c)
	}
	return &build.Builder{Languages: languages, Cache: t.TempDir(), Run: run}
}

// saved is a source file of its own.
func saved(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// listedCalls returns arguments of this test program, to execute a program that is
// killed by a call that the sandbox does not list.
func listedCalls(t *testing.T, path string, args []string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if path, err = exec.LookPath(path); err != nil {
		t.Fatal(err)
	}
	return append([]string{self, program.ListedCalls, path}, args...)
}

// TestLanguages compiles the hello program of every language that is installed, and
// runs it as a match does. Where nothing isolates them, neither the compiler nor the
// program may make a call that the sandbox does not list.
func TestLanguages(t *testing.T) {
	table, err := build.LoadLanguages(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var names testlevel.Dimension
	for _, row := range table {
		names = append(names, row.Name)
	}
	testlevel.Combine(t, []testlevel.Dimension{names, append(sandboxtest.Levels(), string(referee.LevelNone))}, func(t *testing.T, values []string) {
		row, l := table[slices.Index(names, values[0])], sandboxtest.Launcher(t, values[1])
		b := compiling(t, l)
		b.Languages = build.Languages{row}
		if err := b.Installed(t.Context())[0].Err; err != nil {
			t.Skip(err)
		}
		hello := program.Entrant{Kind: program.KindPath, What: saved(t, "hello"+row.Suffixes[0], row.Hello)}
		bot, err := program.Resolver{Builder: b}.Resolve(t.Context(), hello)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := output(t, l, bot); err != nil || out != "hello\n" {
			t.Errorf("%q, %v", out, err)
		}
	})
}

// output runs a bot as a contestant of a match, with an ordinary memory limit, and
// returns all that it prints.
func output(t *testing.T, l sandbox.Launcher, bot program.Bot) (string, error) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command := bot.Command(l.Level(), sandbox.Limits{Memory: 256 << 20}, nil)
	if l.Level() == referee.LevelNone {
		command.Args = listedCalls(t, command.Path, command.Args)
		command.Path = command.Args[0]
	}
	it, err := contestant.Start(l, command, 1)
	if err != nil {
		return "", err
	}
	defer it.Stop()
	it.CloseInput()
	reply, err := it.Receive(t.Context(), referee.Ask{UntilEOF: true, Limit: time.Minute})
	return reply.Text, err
}

// TestEditedBot edits what a bot was made of, after which the same plays, and then what
// plays, which is an error. Workers get what plays, too, or nothing.
func TestEditedBot(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	const prints = "#!/bin/sh\ncat \"${1:-$0}\"\n"
	cases := []struct{ label, edited, says string }{
		{"./bot", "bot", prints},
		{"bash run.sh", "run.sh", prints},
		{"./bot data", "data", "before\n"},
		{"cat beside/data", "beside/data", "before\n"},
		{"folder", "folder/run", prints},
	}
	var labels testlevel.Dimension
	for _, c := range cases {
		labels = append(labels, strings.ReplaceAll(c.label, "/", ":"))
	}
	testlevel.Combine(t, []testlevel.Dimension{labels, sandboxtest.Levels()}, func(t *testing.T, values []string) {
		c, l := cases[slices.Index(labels, values[0])], sandboxtest.Launcher(t, values[1])
		dir := t.TempDir()
		for name, text := range map[string]string{
			"bot": prints, "data": "before\n", "run.sh": prints, "beside/data": "before\n", "folder/run": prints,
		} {
			put(t, filepath.Join(dir, name), text)
		}
		r := program.Resolver{Builder: compiling(t, l), Launcher: only(l)}
		bot, err := r.Resolve(t.Context(), program.ParseEntrant(dir, c.label))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, c.edited), "after!\n")
		if p, err := bot.Pack(t.Context()); err == nil && string(p.Files[0].Data) != prints || (err == nil) != (c.label == "./bot") {
			t.Errorf("packs %+v, %v", p, err)
		}
		err = bot.Check(t.Context())
		if l.Level() == referee.LevelBasic && c.says == "before\n" { // it plays in place
			if err == nil {
				t.Errorf("another %s is not noticed", c.edited)
			}
			return
		}
		if out, failed := output(t, l, bot); err != nil || failed != nil || out != c.says {
			t.Errorf("with another %s: %v; %q, %v", c.edited, err, out, failed)
		}
		played := bot.Path
		for _, path := range bot.Copies {
			played = path
		}
		if bot.Program != nil {
			played = bot.Program.Args[0]
		}
		if c.label == "bash run.sh" {
			played = bot.Args[1]
		}
		put(t, played, "after!\n")
		if bot.Check(t.Context()) == nil {
			t.Errorf("another copy at %s is not noticed", played)
		}
	})
}

// TestCompilersAreFenced compiles what reaches for files or the environment,
// or never ends.
func TestCompilersAreFenced(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	secret := saved(t, "secret.h", "the_answers")
	t.Setenv("SECRET", "the_answers")
	hostile := map[string]struct{ name, text, says string }{
		"include":          {"a.c", `#include "` + secret + `"` + "\nint main(void) {}", "secret.h: "},
		"shadow":           {"a.c", "#include \"/etc/shadow\"\nint main(void) {}", "/etc/shadow: "},
		"asm":              {"a.c", `__asm__(".incbin \"` + secret + `\"");` + "\nint main(void) {}", "secret.h"},
		"bomb":             {"a.c", "__asm__(\".rept 130000000\\n.quad 1\\n.endr\");\nint main(void) {}", "memory"}, // 3 GB of text
		"rust":             {"a.rs", `fn main() { println!("{}", include_str!("` + secret + `")); }`, "secret.h"},
		"perl":             {"a.pl", "BEGIN { open F, '" + secret + "' or die 'no luck'; die <F> }", "no luck"},
		"rust environment": {"a.rs", `fn main() { println!("{}", env!("SECRET")); }`, "not defined"},
	}
	dimensions := []testlevel.Dimension{slices.Sorted(maps.Keys(hostile)), sandboxtest.Levels()}
	testlevel.Combine(t, dimensions, func(t *testing.T, values []string) {
		h, b := hostile[values[0]], compiling(t, sandboxtest.Launcher(t, values[1]))
		_, err := b.Source(t.Context(), saved(t, h.name, h.text), build.Extra{})
		if err != nil && strings.Contains(err.Error(), "not installed") {
			t.Skip(err)
		}
		var refused *build.Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), h.says) || strings.Contains(err.Error(), "the_answers") {
			t.Errorf("got %.500v", err)
		}
		if left, _ := filepath.Glob(b.Cache + "/*/bot"); len(left) > 0 {
			t.Errorf("made %v", left)
		}
		t.Logf("%.200v", err)
	})
}
