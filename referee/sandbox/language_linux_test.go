package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/referee"
	"umpire/referee/sandbox/rmtree"
	"umpire/referee/testlevel"
)

// languages are echo programs: how they are compiled, if they are, and run.
// SRC stands for the folder of the sources, OUT for that of the results.
var languages = []struct {
	name, source string
	compile, run []string
}{
	{"C", "echo.c", []string{"gcc", "-O2", "-o", "OUT/c", "SRC/echo.c"}, []string{"OUT/c"}},
	{"C++", "echo.cpp", []string{"g++", "-O2", "-o", "OUT/cpp", "SRC/echo.cpp"}, []string{"OUT/cpp"}},
	{"Go", "echo.go", []string{"go", "build", "-o", "OUT/go", "SRC/echo.go"}, []string{"OUT/go"}},
	{"Rust", "echo.rs", []string{"rustc", "-O", "-o", "OUT/rs", "SRC/echo.rs"}, []string{"OUT/rs"}},
	{"Java", "Echo.java", []string{"javac", "-d", "OUT", "SRC/Echo.java"}, []string{"java", "-cp", "OUT", "Echo"}},
	{"C#", "echo.cs", []string{"mcs", "-out:OUT/cs.exe", "SRC/echo.cs"}, []string{"mono", "OUT/cs.exe"}},
	{"Python", "echo.py", nil, []string{"python3", "SRC/echo.py"}},
	{"Node", "echo.js", nil, []string{"node", "SRC/echo.js"}},
}

// TestLanguages compiles a program of each language and runs it at the same level
// of isolation, with the default memory limit.
func TestLanguages(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // the compilers take most of the time
	src := publicDir(t)
	for _, lang := range languages {
		copyFile(t, "testdata/echo/"+lang.source, src+"/"+lang.source)
	}
	var names, list testlevel.Dimension
	for _, lang := range languages {
		names = append(names, lang.name)
	}
	for _, level := range slices.Backward(levels()) {
		list = append(list, string(level))
	}
	testlevel.Combine(t, []testlevel.Dimension{names, list}, func(t *testing.T, values []string) {
		lang := languages[slices.Index(names, values[0])]
		l, err := New(referee.Level(values[1]))
		if err != nil {
			t.Fatal(err)
		}
		holdCells(t, l)
		out := publicDir(t)
		place := func(args []string) []string {
			list := make([]string, len(args))
			for i, a := range args {
				list[i] = replaceDirs(a, src, out)
			}
			return list
		}
		if lang.compile != nil {
			compileAt(t, l, place(lang.compile), src, out)
			if made := place(lang.run)[0]; filepath.Dir(made) == out { // as the builder does: at basic a compiler may not
				if err := os.Chmod(made, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		c := command(t, place(lang.run)...)
		c.Read = append(c.Read, src, out)
		c.Limits.Memory = 256 << 20
		o := run(t, l, c, "one\ntwo\n")
		if o.out != "one\ntwo\n" || o.err != "" || o.exit.Status != 0 || o.exit.OutOfMemory {
			t.Errorf("%+v", o)
		}
		t.Logf("%.1f MiB, %v", float64(o.exit.Memory)/(1<<20), o.exit.CPU)
	})
}

func compileAt(t *testing.T, l Launcher, args []string, src, out string) {
	t.Helper()
	c := command(t, args...)
	c.Dir = out
	c.Read = append(c.Read, src)
	c.Write = []string{out}
	if args[0] == "go" {
		cache := goCache(t, args[len(args)-1])
		c.Read = append(c.Read, cache)
		c.Env = append(c.Env, "GOCACHE="+cache)
	}
	c.Env = append(c.Env, "GOPATH="+out+"/.go", "CGO_ENABLED=0", "HOME="+out, "GOTELEMETRY=off")
	for _, dir := range Toolchain(c.Path) { // wherever the home folder is
		switch filepath.Base(dir) {
		case ".rustup":
			c.Env = append(c.Env, "RUSTUP_HOME="+dir)
		case ".cargo":
			c.Env = append(c.Env, "CARGO_HOME="+dir)
		}
	}
	c.Limits = Limits{Memory: 1 << 30, Disk: 1 << 30, FileSize: 1 << 30, Files: 4096, Processes: 512}
	if o := run(t, l, c, ""); o.exit.Status != 0 {
		t.Fatalf("%v: %+v", args, o)
	}
}

// goCache returns the caller's build cache, in which all is that a source needs.
func goCache(t *testing.T, source string) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(string(out))
	cmd := exec.Command("go", "build", "-o", os.DevNull, source)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GOCACHE=" + cache, "CGO_ENABLED=0", "GOTELEMETRY=off"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return cache
}

// publicDir is a temporary folder that other users may look into.
func publicDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rmtree.Remove(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
