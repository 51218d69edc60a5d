package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/rmtree"
)

// newTempName names the folder of all that this umpire keeps for a while.
func newTempName() string {
	return filepath.Join(os.TempDir(), strings.TrimSuffix(cgroup.Prefix(os.Getpid()), "."))
}

// makeTempDir makes the folder of such a name, and removes those of umpires that are no more.
func makeTempDir(dir string) (string, error) {
	removeStaleTemp()
	if err := os.Mkdir(dir, 0o711); err != nil && !ownDir(dir) {
		return "", err
	}
	return dir, nil
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
		pid, err := strconv.Atoi(strings.Split(filepath.Base(dir), ".")[2])
		if err == nil && ownDir(dir) && filepath.Base(dir)+"." != cgroup.Prefix(pid) {
			_ = rmtree.Remove(dir)
		}
	}
}
