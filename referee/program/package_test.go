package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"umpire/referee/program/build"
)

// packed writes a program to a path, and packs it.
func packed(t *testing.T, path string) (Bot, *Package) {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	bot, err := Resolver{Builder: new(build.Builder)}.Resolve(t.Context(), ParseEntrant("", path))
	if err != nil {
		t.Fatal(err)
	}
	p, err := bot.Pack(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return bot, p
}

// TestPackEdited edits a bot that plays in place, which can't be packed then.
func TestPackEdited(t *testing.T) {
	bot, _ := packed(t, filepath.Join(t.TempDir(), "bot"))
	if err := os.WriteFile(bot.Path, []byte("#!/bin/sh\necho 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p, err := bot.Pack(t.Context()); err == nil || !strings.Contains(err.Error(), "it has changed since umpire read it") {
		t.Errorf("packs %+v, %v", p, err)
	}
}

// TestUnpackPrunes: programs that were unpacked long ago and not used since are
// removed when another one is unpacked; those that were used stay.
func TestUnpackPrunes(t *testing.T) {
	cache := t.TempDir()
	_, p := packed(t, filepath.Join(t.TempDir(), "bot"))
	unpack := func(digest string) {
		t.Helper()
		if _, err := p.unpack(nil, filepath.Join(cache, build.Digest(digest))); err != nil {
			t.Fatal(err)
		}
	}
	unpack("unused")
	unpack("used")
	for _, name := range []string{"unused", "used"} {
		old := time.Now().AddDate(-1, 0, 0)
		if err := os.Chtimes(filepath.Join(cache, build.Digest(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	unpack("used")
	unpack("new")
	for name, want := range map[string]bool{"unused": false, "used": true, "new": true} {
		if found := Exists(filepath.Join(cache, build.Digest(name))); found != want {
			t.Errorf("%s: found %v, expected %v", name, found, want)
		}
	}
}

// TestUnpackRenamed: a program that has been unpacked already is also there by
// another name, with the same digest.
func TestUnpackRenamed(t *testing.T) {
	cache, sources := t.TempDir(), t.TempDir()
	digests := make(map[string]bool)
	for _, name := range []string{"first", "second"} {
		bot, p := packed(t, filepath.Join(sources, name))
		unpacked, err := Resolver{Builder: new(build.Builder)}.Unpack(t.Context(), filepath.Join(cache, bot.Digest), p)
		if err != nil {
			t.Fatal(err)
		}
		digests[bot.Digest], digests[unpacked.Digest] = true, true
	}
	if len(digests) != 1 {
		t.Errorf("found the digests %v, expected one", digests)
	}
}
