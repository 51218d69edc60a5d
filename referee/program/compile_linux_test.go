package program_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// compiling is a builder whose compilers a launcher runs.
func compiling(t *testing.T, l sandbox.Launcher) *build.Builder {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no table of the user's
	languages, err := build.LoadLanguages(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, c build.Command) ([]byte, error) { return program.Compile(ctx, l, c) }
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

// hello holds a program in each language, by the ending of its file's name.
var hello = map[string]string{
	"c":    "#include <stdio.h>\nint main(void) { puts(\"hello\"); }",
	"cpp":  "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }",
	"go":   "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n",
	"rs":   "fn main() { println!(\"hello\"); }",
	"pas":  "program a; begin writeln('hello') end.",
	"hs":   "main = putStrLn \"hello\"",
	"ml":   "print_endline \"hello\"",
	"cs":   "class A { static void Main() { System.Console.WriteLine(\"hello\"); } }",
	"java": "public class Bot { public static void main(String[] a) { System.out.println(\"hello\"); } }",
}

// TestCompilersIsolated compiles a program in each language.
func TestCompilersIsolated(t *testing.T) {
	dimensions := []testlevel.Dimension{slices.Sorted(maps.Keys(hello)), sandboxtest.Levels()}
	testlevel.Combine(t, dimensions, func(t *testing.T, values []string) {
		ending, level := values[0], values[1]
		b := compiling(t, sandboxtest.Launcher(t, level))
		p, err := b.File(t.Context(), saved(t, "a."+ending, hello[ending]))
		if err != nil && strings.Contains(err.Error(), "not installed") {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		args := p.Heap(256 << 20)
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil || string(out) != "hello\n" {
			t.Errorf("%q: %q, %v", args, out, err)
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
		"include": {"a.c", `#include "` + secret + `"` + "\nint main(void) {}", "secret.h: "},
		"shadow":  {"a.c", "#include \"/etc/shadow\"\nint main(void) {}", "/etc/shadow: "},
		"asm":     {"a.c", `__asm__(".incbin \"` + secret + `\"");` + "\nint main(void) {}", "secret.h"},
		"bomb": {"a.c", "#define A(x) x x x x x x x x x x x x x x x x\n#define B(x) A(A(A(x)))\n" +
			"int main(void) { B(B(B(1;))) }", "memory"},
		"rust":             {"a.rs", `fn main() { println!("{}", include_str!("` + secret + `")); }`, "secret.h"},
		"rust environment": {"a.rs", `fn main() { println!("{}", env!("SECRET")); }`, "not defined"},
	}
	dimensions := []testlevel.Dimension{slices.Sorted(maps.Keys(hostile)), sandboxtest.Levels()}
	testlevel.Combine(t, dimensions, func(t *testing.T, values []string) {
		h, b := hostile[values[0]], compiling(t, sandboxtest.Launcher(t, values[1]))
		_, err := b.File(t.Context(), saved(t, h.name, h.text))
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
