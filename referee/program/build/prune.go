package build

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/referee/sandbox/rmtree"
)

// maxCache is the most bytes of a cache's entries, but for those in use.
const maxCache = 2 << 30

// measureEvery is how often the entries of a cache are measured.
const measureEvery = time.Minute

// uses is the file in a cache whose locks say which entries are in use.
const uses = "in-use.lock"

// Use reports whether an entry of a cache exists, marks it as used now, and
// keeps it from being removed as long as the Builder lives. A nil Builder keeps
// nothing.
func (b *Builder) Use(entry string) bool {
	if b != nil && !b.hold(entry) {
		return false
	}
	now := time.Now()
	return os.Chtimes(entry, now, now) == nil
}

// hold takes a shared lock on an entry, and reports false if that is just being
// removed. Where there are no locks nothing is held.
func (b *Builder) hold(entry string) bool {
	dir := filepath.Dir(entry)
	file, ok := b.inUse.Load(dir)
	if !ok {
		opened, err := openUses(dir)
		if err != nil {
			return true
		}
		if file, ok = b.inUse.LoadOrStore(dir, opened); ok {
			opened.Close()
		}
	}
	return lockEntry(file.(*os.File), entry, true)
}

func openUses(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, uses), os.O_RDWR|os.O_CREATE, 0o644)
}

// recent is how long an entry that was used stays however many there are.
const recent = 24 * time.Hour

// Prune removes entries unused for a long time, the least recently used ones
// where all have more than maxCache bytes together, and folders left by a killed
// umpire. No entry in use is removed, nor one that was used within a day.
func Prune(dir string) { prune(dir, maxCache, recent) }

func prune(dir string, most int64, recent time.Duration) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !isOfCache(e.Name()) {
			continue
		}
		removeLeft(dir, e.Name())
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keep {
			remove(dir, info)
		}
	}
	stamp := filepath.Join(dir, "measured.lock")
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < measureEvery {
		return
	}
	_ = os.WriteFile(stamp, nil, 0o644)
	clean(Entries(dir), most, recent)
}

// isOfCache reports whether a name is one that entries have, their locks, and folders in which
// they are made. Others are a user's, as where UMPIRE_CACHE names a folder that has a build.
func isOfCache(name string) bool {
	if random, ok := strings.CutPrefix(name, Unpacking); ok {
		_, err := strconv.ParseUint(random, 10, 64)
		return err == nil
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, making), removed)
	return IsDigest(strings.TrimSuffix(name, ".lock"))
}

// Unpacking begins the name, as of os.MkdirTemp, of a folder in which an entry is unpacked.
const Unpacking = "unpacking-"

// removed begins the name, after making, of an entry that is being removed.
const removed = "removed-"

// Entry is an entry of a cache.
type Entry struct {
	Dir   string // the folder that it is in
	Info  fs.FileInfo
	Bytes int64
}

// Entries lists the entries of a cache, each a folder.
func Entries(dir string) (list []Entry) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.IsDir() && IsDigest(info.Name()) {
			list = append(list, Entry{dir, info, treeSize(filepath.Join(dir, info.Name()))})
		}
	}
	return list
}

// Clean removes the least recently used entries where all have more than most bytes
// together, but none in use, nor used within a day. An empty one counts as a byte.
func Clean(list []Entry, most int64) { clean(list, most, recent) }

func clean(list []Entry, most int64, recent time.Duration) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Entry) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	sum := int64(0)
	for _, e := range list {
		if sum += max(1, e.Bytes); sum > most && time.Since(e.Info.ModTime()) >= recent {
			remove(e.Dir, e.Info)
		}
	}
}

// remove removes a file, or an entry that is not in use. An entry is moved away
// first, so that nobody finds it in part.
func remove(dir string, info fs.FileInfo) {
	path := filepath.Join(dir, info.Name())
	if !info.IsDir() {
		_ = rmtree.Remove(path)
		return
	}
	if file, err := openUses(dir); err == nil {
		defer file.Close()
		if !lockEntry(file, path, false) {
			return
		}
	}
	gone := filepath.Join(dir, making+removed+info.Name())
	if os.Rename(path, gone) != nil {
		gone = path
	}
	_ = rmtree.Remove(gone)
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
