package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRemoveTemp leaves something that can't be removed in umpire's folder, a
// mount: the error names it. Once that is gone the folder is, too.
func TestRemoveTemp(t *testing.T) {
	dir, err := NewTempDir("")
	must(t, err)
	temp := filepath.Dir(dir)
	stuck := filepath.Join(dir, "stuck")
	must(t, os.Mkdir(stuck, 0o700))
	if err := unix.Mount("none", stuck, "tmpfs", 0, "size=4k"); err != nil {
		t.Skip(err)
	}
	err = RemoveTemp()
	if e := unix.Unmount(stuck, 0); e != nil {
		t.Fatal(e)
	}
	if err == nil || !strings.Contains(err.Error(), temp) {
		t.Errorf("%v, expected an error that names %s", err, temp)
	}
	must(t, RemoveTemp())
	// What this umpire has not made it leaves alone, whatever its name.
	must(t, os.Mkdir(temp, 0o711))
	must(t, RemoveTemp())
	must(t, os.Remove(temp))
}
