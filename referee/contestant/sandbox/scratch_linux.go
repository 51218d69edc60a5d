package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// scratches are folders that programs at basic may write in, one each. They
// lie in one folder, which the warden removes when umpire ends. A program
// that has left its folder empty leaves it to the next of the same user:
// making one takes as long as half of a start.
type scratches struct {
	mu   sync.Mutex
	top  string
	free map[int][]string // by user
}

// scratchTop names the folder of all scratch folders of this umpire.
func scratchTop() string {
	return filepath.Join(os.TempDir(), strings.TrimSuffix(groupPrefix(os.Getpid()), "."))
}

// take returns an empty folder that belongs to a user; 0 is umpire's.
func (s *scratches) take(uid int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if list := s.free[uid]; len(list) > 0 {
		s.free[uid] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	if s.top == "" {
		top := scratchTop()
		removeStaleScratch()
		if err := os.Mkdir(top, 0o711); err != nil && !ownDir(top) {
			return "", fmt.Errorf("create scratch folder: %w", err)
		}
		s.top = top
		s.free = make(map[int][]string)
	}
	dir, err := os.MkdirTemp(s.top, "")
	if err != nil {
		return "", fmt.Errorf("create scratch folder: %w", err)
	}
	if uid > 0 {
		if err := os.Chown(dir, uid, uid); err != nil {
			return "", fmt.Errorf("give scratch folder away: %w", err)
		}
	}
	_ = unix.UtimesNano(dir, neverUsed)
	return dir, nil
}

// give takes a folder back when nobody uses it any more. It may go to another if
// nothing has been done to it.
func (s *scratches) give(uid int, dir string, reusable bool) {
	if !reusable || !untouched(dir) {
		removeAll(dir)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free[uid] = append(s.free[uid], dir)
}

// neverUsed are the times of access and change that a program finds its folder
// with: they are not to tell what an earlier one has done there.
var neverUsed = []unix.Timespec{{}, {}}

// untouched says whether a folder is as it was made.
func untouched(dir string) bool {
	var st unix.Stat_t
	if unix.Lstat(dir, &st) != nil || st.Mode != unix.S_IFDIR|0o700 || st.Mtim != neverUsed[1] {
		return false
	}
	file, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer file.Close()
	names, _ := file.Readdirnames(1)
	return len(names) == 0 && unix.UtimesNano(dir, neverUsed) == nil
}

// ownDir says whether a path is a folder that nobody else has put there.
func ownDir(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR && int(st.Uid) == os.Geteuid()
}

// removeAll removes a folder even where the program has locked it up.
func removeAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

// removeStaleScratch removes what umpires have left whose warden was killed
// with them.
func removeStaleScratch() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), "umpire."+pidNamespace()+".*.*"))
	for _, dir := range dirs {
		pid, err := strconv.Atoi(strings.Split(filepath.Base(dir), ".")[2])
		if err == nil && ownDir(dir) && filepath.Base(dir)+"." != groupPrefix(pid) {
			removeAll(dir)
		}
	}
}
