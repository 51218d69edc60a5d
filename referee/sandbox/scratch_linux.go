package sandbox

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/rmtree"
)

// scratches are folders that programs at basic may write in, one each. They lie
// in this umpire's own folder, which the fork server removes when umpire ends.
// A program that has left its folder empty leaves it to the next of the same
// user: making one takes as long as half of a start.
type scratches struct {
	mu   sync.Mutex
	free map[int][]string // by user
}

// NewTempDir makes a folder in that of all that this umpire keeps for a while, which
// nobody else can list; its name is as of os.MkdirTemp. What lies there is gone when
// umpire is, kill -9 included. The first one removes what umpires have left that were
// killed together with their fork server.
func NewTempDir(pattern string) (string, error) {
	top, err := thisMachine().temp.make()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(top, pattern)
	if err != nil {
		return "", &ownError{err}
	}
	return dir, nil
}

// RemoveTemp removes the folder of all that, if one was made, once no program is
// running any more. The error says what can't be removed.
func RemoveTemp() error { return thisMachine().temp.remove() }

// acquire returns an empty folder that belongs to a user; 0 is umpire's.
func (s *scratches) acquire(uid int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if list := s.free[uid]; len(list) > 0 {
		s.free[uid] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	dir, err := NewTempDir("")
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

// release takes a folder back when nobody uses it any more. It may go to another if
// nothing has been done to it.
func (s *scratches) release(uid int, dir string, reusable bool) {
	if !reusable || !isPristine(dir) {
		_ = rmtree.Remove(dir) // or the fork server does, with all others
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free[uid] = append(s.free[uid], dir)
}

// neverUsed are the times of access and change that a program finds its folder
// with: they are not to tell what an earlier one has done there.
var neverUsed = []unix.Timespec{{}, {}}

// isPristine reports whether a folder is as it was made.
func isPristine(dir string) bool {
	var st unix.Stat_t
	if unix.Lstat(dir, &st) != nil || st.Mode != unix.S_IFDIR|0o700 || st.Mtim != neverUsed[1] {
		return false
	}
	return isEmpty(dir) && unix.UtimesNano(dir, neverUsed) == nil
}

// isEmpty reports whether a folder can be read and has nothing in it.
func isEmpty(path string) bool {
	dir, err := os.Open(path)
	if err != nil {
		return false
	}
	defer dir.Close()
	_, err = dir.Readdirnames(1)
	return err == io.EOF
}
