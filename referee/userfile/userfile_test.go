package userfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestLock: who changes a file at the same time as others loses nothing of theirs, and
// whoever reads it meanwhile finds it whole.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lines")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			unlock, err := Lock(file)
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			text, err := os.ReadFile(file)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
			if err := Replace(file, append(text, strconv.Itoa(i)+"\n"...), 0o600); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\n") != 20 {
		t.Errorf("found %q: %v", text, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("found %v beside the file: %v", list, err)
	}
}

// TestReplace: a file that can't be replaced stays, and nothing is left beside it.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Replace(taken, []byte("x"), 0o600); err == nil {
		t.Error("replaced a folder")
	}
	if err := Swap(taken, func(temp string) error { return os.WriteFile(temp, nil, 0o600) }); err == nil {
		t.Error("swapped a folder")
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("found %v: %v", list, err)
	}
}

// TestReplaceDevice: what is no file stays what it is.
func TestReplaceDevice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Skip(err)
	}
	if err := Replace(name, []byte("x"), 0o600); err == nil {
		t.Error("a device was replaced")
	}
	if to, err := os.Readlink(name); err != nil || to != os.DevNull {
		t.Errorf("found a link to %q, error %v", to, err)
	}
}
