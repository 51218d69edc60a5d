package sandbox

import (
	"io/fs"
	"path/filepath"
	"time"
)

// folders are those of the machine's file systems that a program may write
// in: what it was given, and at basic its scratch folder. No limit of the
// kernel bounds them, so umpire looks.
type folders struct {
	paths []string
	bytes int64 // limit for all together
	at    time.Time
	over  bool
}

// folderTime is how often a look is worth its time.
const folderTime = 100 * time.Millisecond

// look says whether the folders hold too much, as of the last look in time.
func (f *folders) look() bool {
	if len(f.paths) > 0 && time.Since(f.at) >= folderTime {
		f.full()
		f.at = time.Now()
	}
	return f.over
}

// full says whether the folders hold, or held, more than they may. What can't
// be looked at is being removed.
func (f *folders) full() bool {
	var bytes int64
	files := 0
	for _, path := range f.paths {
		_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := d.Info(); err == nil && d.Type().IsRegular() {
				bytes += info.Size()
			}
			if files++; bytes > f.bytes || files > MaxFiles {
				f.over = true
				return filepath.SkipAll
			}
			return nil
		})
	}
	return f.over
}
