package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
)

// tempFolder is the folder of all that this umpire keeps for a while.
type tempFolder struct {
	mu   sync.Mutex
	name string // "" as long as it is not known
	made bool   // by this umpire: it may be removed
}

// path names the folder, which need not be there.
func (t *tempFolder) path() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.named()
}

func (t *tempFolder) named() (string, error) {
	if t.name == "" {
		owner := strings.TrimSuffix(cgroup.Prefix(os.Getpid()), ".")
		if owner == "" {
			return "", &ownError{cgroup.ErrNameless}
		}
		t.name = filepath.Join(os.TempDir(), owner)
	}
	return t.name, nil
}

// make makes the folder, and removes those of umpires that are no more.
func (t *tempFolder) make() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	dir, err := t.named()
	if err != nil || t.made {
		return dir, err
	}
	removeStaleTemp()
	if err := os.Mkdir(dir, 0o711); err != nil && !ownDir(dir) {
		return "", &ownError{err}
	}
	t.made = true
	return dir, nil
}

// remove removes the folder if it was made.
func (t *tempFolder) remove() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.made {
		return nil
	}
	err := launch.RemoveTemp(t.name)
	t.made = err != nil
	return err
}

// ownDir reports whether a path is a folder that nobody else has put there.
func ownDir(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR && int(st.Uid) == os.Geteuid()
}

// removeStaleTemp removes the folders of umpires that are no more.
func removeStaleTemp() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), "umpire."+procfs.PIDNamespace()+".*.*"))
	for _, dir := range dirs {
		if ownDir(dir) && cgroup.IsStale(filepath.Base(dir)) {
			_ = launch.RemoveTemp(dir)
		}
	}
}
