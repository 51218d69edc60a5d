package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"umpire/referee/testlevel"
)

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fake is a language whose compiler is a shell script: it notes that it was
// called, and makes the source itself the program.
func fake(t *testing.T, script string) (b *Builder, calls func() int) {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	compiler := filepath.Join(dir, "fakec")
	text := "#!/bin/sh\necho call >>'" + log + "'\n" + script
	must(t, os.WriteFile(compiler, []byte(text), 0o755))
	l := Language{Name: "Fake", Suffixes: []string{".fake"}, Compile: "sh '" + compiler + "' {source} {out}", Run: "{out} x", Version: "echo 1"}
	must(t, l.check())
	return &Builder{Languages: Languages{l}, Cache: filepath.Join(dir, "cache")}, func() int {
		data, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.Count(string(data), "\n")
	}
}

const copies = `cp "$1" "$2" && chmod +x "$2"`

func TestBuiltOnce(t *testing.T) {
	b, calls := fake(t, copies)
	dir := folder(t, map[string]string{"a.fake": "#!/bin/sh\necho $1", "b.fake": "#!/bin/sh\necho 2"})
	var group sync.WaitGroup
	for range 16 {
		// Another builder is what another process would be: they share the
		// cache alone.
		other := &Builder{Languages: b.Languages, Cache: b.Cache}
		group.Go(func() {
			p, err := other.Source(t.Context(), filepath.Join(dir, "a.fake"), Extra{})
			if err != nil {
				t.Error(err)
				return
			}
			if out, err := exec.Command(p.Args[0], p.Args[1:]...).Output(); err != nil || string(out) != "x\n" {
				t.Errorf("ran with %q, %v", out, err)
			}
		})
	}
	group.Wait()
	if calls() != 1 {
		t.Errorf("compiled %d times, want once", calls())
	}
	a, _ := b.Source(t.Context(), filepath.Join(dir, "a.fake"), Extra{})
	other, err := b.Source(t.Context(), filepath.Join(dir, "b.fake"), Extra{})
	if err != nil || calls() != 2 || a.Digest == other.Digest {
		t.Errorf("another source: compiled %d times, %v, digests %s and %s", calls(), err, a.Digest, other.Digest)
	}
	b.Languages[0].Compile += " -O3"
	if _, err := b.Source(t.Context(), filepath.Join(dir, "a.fake"), Extra{}); err != nil || calls() != 3 {
		t.Errorf("another flag: compiled %d times, %v, want once more", calls(), err)
	}
	b.tools.Clear()
	b.Languages[0].Version = "echo 2"
	if _, err := b.Source(t.Context(), filepath.Join(dir, "a.fake"), Extra{}); err != nil || calls() != 4 {
		t.Errorf("another version: compiled %d times, %v, want once more", calls(), err)
	}
	left, err := filepath.Glob(filepath.Join(b.Cache, "making-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind %q", left)
	}
}

func TestCompilerRefuses(t *testing.T) {
	b, calls := fake(t, `echo "$1:1: what is this?" >&2; exit 4`)
	dir := folder(t, map[string]string{"a.fake": ""})
	for n := 1; n <= 2; n++ {
		_, err := b.Source(t.Context(), filepath.Join(dir, "a.fake"), Extra{})
		want := "compile " + dir + "/a.fake (Fake): exit status 4\na.fake:1: what is this?"
		if err == nil || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
		if calls() != n {
			t.Errorf("compiled %d times, want %d: a failure is not kept", calls(), n)
		}
	}
}

func TestCompilerMakesNothing(t *testing.T) {
	b, _ := fake(t, `exit 0`)
	dir := folder(t, map[string]string{"a.fake": ""})
	if _, err := b.Source(t.Context(), filepath.Join(dir, "a.fake"), Extra{}); err == nil || !strings.Contains(err.Error(), "made no program") {
		t.Errorf("got error %v", err)
	}
}

func TestCompilerAndItsChildrenAreKilled(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "alive")
	if err := exec.Command("mkfifo", fifo).Run(); err != nil {
		t.Skip(err)
	}
	// The child holds the compiler's output and the pipe open.
	b, _ := fake(t, `sleep 1000 >'`+fifo+`' & wait`)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	var ended sync.WaitGroup
	ended.Go(func() {
		if _, err := b.Source(ctx, filepath.Join(folder(t, map[string]string{"a.fake": ""}), "a.fake"), Extra{}); !errors.Is(err, stop) {
			t.Errorf("got error %v, want %v", err, stop)
		}
		// If there was no child nobody else ends the waiting for one.
		if f, err := os.OpenFile(fifo, os.O_WRONLY, 0); err == nil {
			f.Close()
		}
	})
	alive, err := os.Open(fifo) // waits for the child
	must(t, err)
	defer alive.Close()
	cancel(stop)
	if n, _ := alive.Read(make([]byte, 1)); n != 0 { // waits for its end
		t.Error("the child wrote")
	}
	ended.Wait()
}

func TestMissingTool(t *testing.T) {
	b := &Builder{Languages: Languages{{Name: "Fake", Suffixes: []string{".fake"}, Run: "no-such-tool {source}"}}}
	_, err := b.Source(t.Context(), filepath.Join(folder(t, map[string]string{"a.fake": ""}), "a.fake"), Extra{})
	if want := "Fake is not installed (no-such-tool is not in PATH)"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	b.Languages = append(b.Languages, Language{Name: "Other", Suffixes: []string{".fake"}, Run: "cat {source}"})
	p, err := b.Source(t.Context(), filepath.Join(folder(t, map[string]string{"a.fake": ""}), "a.fake"), Extra{})
	if err != nil || p.Language != "Other" {
		t.Errorf("got %+v, %v, want the second row", p, err)
	}
}

func TestPrune(t *testing.T) {
	dir := folder(t, map[string]string{
		named("old") + "/bot": "", named("new") + "/bot": "", "making-" + named("1") + "/bot": "", "making-" + named("2") + "/bot": "",
		"making-" + named("3") + "/locked/bot": "", named("3") + ".lock": "", "unpacking-17/bot": "", "making-removed-" + named("4") + "/bot": "",
		// What a user has put there is none of umpire's.
		"project/file": "", "making-of/file": "", "unpacking-it/file": "", "notes": "",
	})
	// Another umpire makes 2.
	unlock, err := lock(t.Context(), filepath.Join(dir, named("2")+".lock"))
	must(t, err)
	defer unlock()
	must(t, os.Chmod(filepath.Join(dir, "making-"+named("3"), "locked"), 0))
	then := time.Now().Add(-2 * keep)
	for _, name := range []string{named("old"), "unpacking-17", "project", "making-of", "unpacking-it", "notes"} {
		must(t, os.Chtimes(filepath.Join(dir, name), then, then))
	}
	Prune(dir)
	var left []string
	list, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), ".lock") {
			left = append(left, e.Name())
		}
	}
	if want := []string{named("new"), "making-" + named("2"), "making-of", "notes", "project", "unpacking-it"}; !slices.Equal(left, want) {
		t.Errorf("left are %q, expected %q", left, want)
	}
}

// named is the name of an entry.
func named(name string) string { return Digest(name) }

// TestPruneBytes: of entries with too many bytes the least recently used are
// removed, but none in use by a process.
func TestPruneBytes(t *testing.T) {
	thousand := strings.Repeat("x", 1000)
	for _, c := range []struct {
		most int64
		use  string
		left []string
	}{
		{3000, "", []string{"a", "b", "c"}},
		{2500, "", []string{"b", "c"}},
		{1500, "", []string{"c"}},
		{1500, "b", []string{"b", "c"}},
		{0, "a", []string{"a"}},
	} {
		dir := folder(t, map[string]string{
			named("a") + "/bot": thousand, named("b") + "/src/bot": thousand, named("c") + "/bot": thousand, named("c") + ".lock": "",
		})
		var user Builder
		if c.use != "" && !user.Use(filepath.Join(dir, named(c.use))) {
			t.Fatalf("%s can't be used", c.use)
		}
		for i, name := range []string{"a", "b", "c"} {
			then := time.Now().Add(time.Duration(i-10) * time.Minute)
			must(t, os.Chtimes(filepath.Join(dir, named(name)), then, then))
		}
		prune(dir, c.most, 0)
		var left []string
		for _, name := range []string{"a", "b", "c"} {
			if _, err := os.Stat(filepath.Join(dir, named(name))); err == nil {
				left = append(left, name)
			}
		}
		if !slices.Equal(left, c.left) {
			t.Errorf("most %d, %q in use: left are %v, expected %v", c.most, c.use, left, c.left)
		}
		if n := len(Entries(dir)); n != len(left) {
			t.Errorf("%d entries are listed, expected %d", n, len(left))
		}
		if Clean(Entries(dir), 0); len(Entries(dir)) != len(left) {
			t.Errorf("what was used a few minutes ago has been removed: %v", left)
		}
		if new(Builder).Use(filepath.Join(dir, "gone")) {
			t.Error("an entry that is not there is in use")
		}
		runtime.KeepAlive(&user)
	}
	empty := folder(t, map[string]string{named("a") + "/bot": ""})
	if prune(empty, 0, 0); len(Entries(empty)) > 0 {
		t.Error("an empty entry is left, expected none")
	}
}

// TestChecked has the check of a row without a compiler look at a source: once if
// it accepts it, each time if it does not.
func TestChecked(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	check := "sh -c 'echo call >> \"" + log + "\"; grep -q good \"$1\" || { echo bad word; exit 1; }' check {source}"
	l := Language{Name: "Word", Suffixes: []string{".word"}, Check: check, Run: "sh {source}"}
	must(t, l.check())
	from := folder(t, map[string]string{"a.word": "good", "b.word": "evil", "c": "#!/bin/sh"})
	for i, row := range []struct {
		make  func(b *Builder) (Program, error)
		fails bool
		calls int
	}{
		{func(b *Builder) (Program, error) {
			return b.Source(t.Context(), filepath.Join(from, "a.word"), Extra{})
		}, false, 1},
		{func(b *Builder) (Program, error) {
			return b.Source(t.Context(), filepath.Join(from, "b.word"), Extra{})
		}, true, 2},
		{func(b *Builder) (Program, error) {
			return b.Script(t.Context(), filepath.Join(from, "b.word"), []string{"sh", "-e"}, Extra{})
		}, true, 2},
		{func(b *Builder) (Program, error) {
			return b.Script(t.Context(), filepath.Join(from, "b.word"), []string{"sh", "b.sh"}, Extra{})
		}, false, 0},
		{func(b *Builder) (Program, error) {
			return b.Script(t.Context(), filepath.Join(from, "b.word"), []string{"dash"}, Extra{})
		}, false, 0},
	} {
		_ = os.Remove(log)
		b := &Builder{Languages: Languages{l}, Cache: filepath.Join(dir, "cache"+string(rune('a'+i)))}
		for range 2 {
			_, err := row.make(b)
			var refused *Error
			if errors.As(err, &refused) != row.fails || refused != nil && (string(refused.Output) != "bad word\n" || refused.Digest == "") {
				t.Errorf("row %d: found %v", i, err)
			}
		}
		if data, _ := os.ReadFile(log); strings.Count(string(data), "call") != row.calls {
			t.Errorf("row %d: found %d calls of the check, expected %d", i, strings.Count(string(data), "call"), row.calls)
		}
	}
}

// TestSyntax has the built-in checks look at programs that are refused, and at ones
// that look odd and run.
func TestSyntax(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	table, err := parse("languages.yaml", builtin, nil)
	must(t, err)
	for i, row := range []struct {
		name, text string
		good       bool
	}{
		{"a.py", "print(\n", false},
		{"a.py", "return 1\n", false},
		{"a.py", "\xef\xbb\xbfimport sys; sys.exit(0)\nassert (1, 'always') is 1\n", true},
		{"a.py", "# -*- coding: latin-1 -*-\nx = '\xe9'; raise SystemExit\n", true},
		{"a.js", "let a = ;\n", false},
		{"a.js", "#!/usr/bin/env node\nreturn; const fs = require('fs')\n", true},
		{"a.mjs", "import fs from 'fs'; await fs.promises.stat('/')\n", true},
		{"a.mjs", "import fs from\n", false},
		{"a.rb", "def a(\n", false},
		{"a.rb", "puts 1\n__END__\n)(\n", true},
		{"a.pl", "sub {", false},
		{"a.pl", "use strict; exit 0;\n__END__\n)(\n", true},
		{"a.php", "<?php echo (;\n", false},
		{"a.php", "<?php exit(0);\n", true},
		{"a.sh", "if true; then\n", false},
		{"a.sh", "shopt -s extglob\ncase 12 in +([0-9])) exit 0;; esac; exit 1\n", true},
		{"a.sh", "if !(false); then exit 0; fi; exit 1\n", true},
	} {
		t.Run(fmt.Sprint(i, row.name), func(t *testing.T) {
			t.Parallel()
			b := &Builder{Languages: table, Cache: t.TempDir()}
			if _, _, err := b.choose(t.Context(), row.name); err != nil {
				t.Skip(err)
			}
			p, err := b.Source(t.Context(), filepath.Join(folder(t, map[string]string{row.name: row.text}), row.name), Extra{})
			if (err == nil) != row.good {
				t.Fatalf("%s: found %v", row.text, err)
			}
			if !row.good {
				return
			}
			args := p.Heap(256 << 20)
			if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
				t.Errorf("%s: it does not run: %v, %s", row.text, err, out)
			}
		})
	}
}
