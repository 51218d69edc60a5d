//go:build linux

package rmtree_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/rmtree"
)

// nest makes folders one in another, each with a file beside the next.
func nest(t *testing.T, top, name string, depth int, mode uint32) {
	t.Helper()
	at, err := unix.Open(top, unix.O_DIRECTORY|unix.O_RDONLY, 0)
	for range depth {
		if err == nil {
			err = errors.Join(unix.Mkdirat(at, name, 0o700), unix.Mknodat(at, "file", unix.S_IFREG|0o600, 0))
		}
		if err != nil {
			t.Fatal(err)
		}
		var next int
		next, err = unix.Openat(at, name, unix.O_DIRECTORY|unix.O_RDONLY, 0)
		_ = unix.Fchmod(at, mode)
		unix.Close(at)
		at = next
	}
	unix.Close(at)
}

func TestRemove(t *testing.T) {
	for name, fill := range map[string]func(t *testing.T, dir string){
		"empty":        func(*testing.T, string) {},
		"deep":         func(t *testing.T, dir string) { nest(t, dir, "d", 2000, 0o700) },
		"beyond paths": func(t *testing.T, dir string) { nest(t, dir, strings.Repeat("n", 255), 200, 0o700) },
		"locked":       func(t *testing.T, dir string) { nest(t, dir, "d", 20, 0) },
		"unreadable":   func(t *testing.T, dir string) { nest(t, dir, "d", 20, 0o300) },
		"names taken": func(t *testing.T, dir string) {
			for _, path := range []string{"umpire-1/a/b", "a/umpire-2/c", "a/b/c"} {
				if err := os.MkdirAll(filepath.Join(dir, path), 0o700); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			dir := filepath.Join(base, "dir")
			kept := filepath.Join(base, "kept")
			if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(kept, nil, 0o600), os.Symlink("../kept", dir+"/link")); err != nil {
				t.Fatal(err)
			}
			fill(t, dir)
			if err := rmtree.Remove(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("it is still there: %v", err)
			}
			if _, err := os.Lstat(kept); err != nil {
				t.Errorf("what a link leads to is gone: %v", err)
			}
			if err := rmtree.Remove(dir); err != nil {
				t.Errorf("a second time: %v", err)
			}
		})
	}
}
