package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLock: one of two has the lock until its file is closed, and both can read.
func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	var files [2]*os.File
	for i := range files {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	if locked, err := Try(files[0]); !locked || err != nil {
		t.Fatalf("the first: %v, %v", locked, err)
	}
	if locked, err := Try(files[1]); locked || err != nil {
		t.Errorf("the second, while the first is open: %v, %v", locked, err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "text" {
		t.Errorf("read %q, %v", text, err)
	}
	files[0].Close()
	if err := Lock(files[1]); err != nil {
		t.Error(err)
	}
}
