package build

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/rmtree"
)

// maxCache is the most bytes of a cache's entries, but for those in use.
const maxCache = 2 << 30

// measureEvery is how often the entries of a cache are measured.
const measureEvery = time.Minute

// Use reports whether an entry of a cache exists, marks it as used now, and
// keeps it from being removed as long as this process lives: the process holds a
// shared lock on the entry. A nil Builder keeps nothing.
func (b *Builder) Use(entry string) bool {
	now := time.Now()
	if os.Chtimes(entry, now, now) != nil {
		return false
	}
	if b == nil {
		return true
	}
	if fd, ok := b.inUse.Load(entry); ok && isAt(fd.(int), entry) {
		return true
	}
	fd, err := unix.Open(entry, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	switch err := unix.Flock(fd, unix.LOCK_SH|unix.LOCK_NB); {
	case err == unix.EWOULDBLOCK, !isAt(fd, entry): // it is just being removed
		_ = unix.Close(fd)
		return false
	}
	if old, ok := b.inUse.Swap(entry, fd); ok {
		_ = unix.Close(old.(int))
	}
	return true
}

// isAt reports whether a descriptor is that of what is at a path.
func isAt(fd int, path string) bool {
	var open, found unix.Stat_t
	return unix.Fstat(fd, &open) == nil && unix.Stat(path, &found) == nil && open.Ino == found.Ino && open.Dev == found.Dev
}

// Prune removes entries unused for a long time, the least recently used ones
// where all have more than maxCache bytes together, and folders left by a killed
// umpire. No entry in use is removed.
func Prune(dir string) { prune(dir, maxCache) }

func prune(dir string, most int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var left []fs.FileInfo
	for _, e := range entries {
		removeLeft(dir, e.Name())
		info, err := e.Info()
		switch {
		case err != nil:
		case time.Since(info.ModTime()) > keep:
			remove(dir, info)
		case info.IsDir() && !strings.HasPrefix(info.Name(), making):
			left = append(left, info)
		}
	}
	stamp := filepath.Join(dir, "measured.lock")
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < measureEvery {
		return
	}
	_ = os.WriteFile(stamp, nil, 0o644)
	slices.SortFunc(left, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	sum := int64(0)
	for _, info := range left {
		if sum += treeSize(filepath.Join(dir, info.Name())); sum > most {
			remove(dir, info)
		}
	}
}

// remove removes an entry, or a file, and reports whether it could: an entry in
// use stays. It is moved away first, so that nobody finds it in part.
func remove(dir string, info fs.FileInfo) bool {
	path := filepath.Join(dir, info.Name())
	if !info.IsDir() {
		return rmtree.Remove(path) == nil
	}
	entry, err := os.Open(path)
	if err != nil {
		return rmtree.Remove(path) == nil
	}
	defer entry.Close()
	if unix.Flock(int(entry.Fd()), unix.LOCK_EX|unix.LOCK_NB) == unix.EWOULDBLOCK {
		return false
	}
	gone := filepath.Join(dir, making+"removed-"+info.Name())
	if os.Rename(path, gone) != nil {
		gone = path
	}
	return rmtree.Remove(gone) == nil
}

// treeSize adds up the files of a folder.
func treeSize(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
