package session

import (
	"path/filepath"
	"time"

	"umpire/referee/program/build"
)

// PagesFolder is the folder of the cache with the pages that were opened.
const PagesFolder = "pages"

// cacheParts are the folders of the cache whose entries can be removed, and what they
// hold.
var cacheParts = []struct{ folder, about string }{
	{"build", "compiled bots"}, {workerFolder, "bots sent to this worker"}, {testsFolder, "the last tests of bots"}, {PagesFolder, "pages that were opened"},
}

// Cache holds the sizes of the user's cache folder, where umpire keeps things for later.
type Cache struct {
	Folder  string      `json:"folder"`
	Bytes   int64       `json:"bytes"`
	Removed int64       `json:"removed_bytes"`
	Parts   []CachePart `json:"parts"`
}

// CachePart is a folder of the cache.
type CachePart struct {
	Folder  string     `json:"folder"`
	About   string     `json:"about"`
	Entries int        `json:"entries"`
	Bytes   int64      `json:"bytes"`
	Oldest  *time.Time `json:"oldest_use"` // null if there are no entries
	Newest  *time.Time `json:"newest_use"`
}

// MeasureCache says what the cache holds.
func MeasureCache() (c Cache, err error) {
	if c.Folder, err = build.CacheDir(); err != nil {
		return c, err
	}
	for _, p := range cacheParts {
		part := CachePart{Folder: p.folder, About: p.about}
		for _, e := range build.Entries(filepath.Join(c.Folder, p.folder)) {
			at := e.Info.ModTime()
			part.Entries++
			part.Bytes += e.Bytes
			if part.Oldest == nil || at.Before(*part.Oldest) {
				part.Oldest = &at
			}
			if part.Newest == nil || at.After(*part.Newest) {
				part.Newest = &at
			}
		}
		c.Bytes += part.Bytes
		c.Parts = append(c.Parts, part)
	}
	return c, nil
}

// Clean removes what may go, the least recently used first, until most bytes are left, and
// returns what the cache holds then.
func (c Cache) Clean(most int64) (Cache, error) {
	var all []build.Entry
	for _, p := range c.Parts {
		all = append(all, build.Entries(filepath.Join(c.Folder, p.Folder))...)
	}
	build.Clean(all, most)
	now, err := MeasureCache()
	now.Removed = c.Bytes - now.Bytes
	return now, err
}
