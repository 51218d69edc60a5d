package session

import (
	"os"
	"path/filepath"
	"time"

	"umpire/referee/record"
)

// NewestRun returns the run folder, in the working directory or its RunsFolder, whose
// results were written last; "" if there is none. With resumable, only tournaments
// count, also those without results so far.
func NewestRun(resumable bool) (dir string, at time.Time) {
	for _, pattern := range []string{"*", filepath.Join(RunsFolder, "*")} {
		folders, _ := filepath.Glob(pattern)
		for _, folder := range folders {
			written, begun := writtenAt(ResultsIn(folder)), writtenAt(ConfigIn(folder))
			switch {
			case !record.Played(folder) && !resumable, begun.IsZero() && resumable:
				continue
			case written.IsZero():
				written = begun
			}
			if written.After(at) {
				dir, at = folder, written
			}
		}
	}
	return dir, at
}

// NewestRecords is NewestRun, or the records of the last test if they are newer.
func NewestRecords() string {
	dir, at := NewestRun(false)
	if records, _, err := LastOfAll(); err == nil && writtenAt(records).After(at) {
		return LinkToLast(records)
	}
	return dir
}

// writtenAt returns when a file was last written; the zero time if it is not there.
func writtenAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}
	}
	return info.ModTime()
}
