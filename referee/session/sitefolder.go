package session

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"umpire/referee/pattern"
	"umpire/referee/record"
)

// SiteFolder is a folder that a report is written to. The report is made in a
// folder inside it, so that an earlier one stays whole until it is replaced.
type SiteFolder struct {
	dir   string
	isNew bool     // the folder was not there
	stage string   // "" if nothing has been made
	of    []string // results files that the report shows
	files atomic.Int64
	bytes atomic.Int64
}

// siteNames are the names that a report has in its folder.
var siteNames = pattern.New(`^(index\.html|matches(-[0-9]+)?\.html|pairs\.html|bots|replays)$`)

// OpenSite checks that a folder may be written to, and changes nothing. The
// error is the user's.
func OpenSite(dir string, force bool) (*SiteFolder, error) {
	s := &SiteFolder{dir: filepath.Clean(dir)}
	entries, err := os.ReadDir(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.isNew = true
		return s, nil
	case err != nil:
		return nil, mistakef("-o: %w", err)
	case len(entries) == 0 || force:
		return s, nil
	}
	if info, err := os.Lstat(filepath.Join(s.dir, record.SiteMarker)); err == nil && info.Mode().IsRegular() {
		return s, nil
	}
	return nil, mistakef("-o %s: the folder is not empty and holds no report of umpire; name another, or --force to write among its files", dir)
}

// Index is the page to open.
func (s *SiteFolder) Index() string { return filepath.Join(s.dir, "index.html") }

// Begin makes the folder that the report is made in.
func (s *SiteFolder) Begin() error {
	s.stage = filepath.Join(s.dir, record.SiteMarker+"-"+rand.Text())
	for _, name := range []string{"bots", "replays"} {
		if err := os.MkdirAll(filepath.Join(s.stage, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// Create makes a file of the report.
func (s *SiteFolder) Create(name string) (io.WriteCloser, error) {
	f, err := os.OpenFile(filepath.Join(s.stage, filepath.FromSlash(name)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	s.files.Add(1)
	return &counted{f, &s.bytes}, nil
}

// counted is a file whose bytes are counted.
type counted struct {
	io.WriteCloser
	bytes *atomic.Int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.WriteCloser.Write(b)
	c.bytes.Add(int64(n))
	return n, err
}

// Commit puts the report in the place of an earlier one, whose files it removes.
func (s *SiteFolder) Commit() error {
	// The marker comes first: whatever happens from here on can be put right by
	// writing the report again.
	marker := "This folder holds a report of umpire, which replaces index.html, matches*.html, pairs.html, bots and replays.\n" + s.shows()
	if err := os.WriteFile(filepath.Join(s.dir, record.SiteMarker), []byte(marker), 0o644); err != nil {
		return err
	}
	before, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range before {
		if siteNames().MatchString(e.Name()) {
			if err := os.RemoveAll(filepath.Join(s.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	made, err := os.ReadDir(s.stage)
	if err != nil {
		return err
	}
	for _, e := range made {
		if err := os.Rename(filepath.Join(s.stage, e.Name()), filepath.Join(s.dir, e.Name())); err != nil {
			return err
		}
	}
	if err := os.Remove(s.stage); err != nil {
		return fmt.Errorf("remove what was left: %w", err)
	}
	s.stage = ""
	return nil
}

// shows names the results files, each seen from the folder, on lines of their own.
func (s *SiteFolder) shows() (lines string) {
	for _, name := range s.of {
		if path, err := relative(s.dir, name); err == nil && name != "-" {
			lines += fmt.Sprintf("%s%q\n", siteShows, path)
		}
	}
	return lines
}

// siteShows begins the lines of a report's marker that name what it shows.
const siteShows = "It shows "

// relative is the name of a file as seen from a folder.
func relative(dir, name string) (string, error) {
	path, err := filepath.Rel(Absolute(dir), Absolute(name))
	return filepath.ToSlash(path), err
}

// SiteOf returns the address, as seen from a folder, of the report that shows a results
// file: one in a folder there, or in or beside the folder of the file; "" without one.
func SiteOf(results, from string) string {
	dir := filepath.Dir(results)
	for _, parent := range []string{from, dir, filepath.Join(dir, "..")} {
		entries, err := os.ReadDir(parent)
		if err != nil {
			continue
		}
		for _, e := range entries {
			site := filepath.Join(parent, e.Name())
			if path, err := relative(from, filepath.Join(site, "index.html")); err == nil && e.IsDir() && isSiteOf(site, results) {
				return (&url.URL{Path: path}).String()
			}
		}
	}
	return ""
}

// isSiteOf reports whether a folder holds a report that shows a results file.
func isSiteOf(site, results string) bool {
	wanted, err := os.Stat(results)
	if err != nil {
		return false
	}
	marker, err := os.ReadFile(filepath.Join(site, record.SiteMarker))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(marker)) {
		quoted, ok := strings.CutPrefix(strings.TrimSpace(line), siteShows)
		name, err := strconv.Unquote(quoted)
		if !ok || err != nil {
			continue
		}
		if found, err := os.Stat(filepath.Join(site, filepath.FromSlash(name))); err == nil && os.SameFile(found, wanted) {
			return true
		}
	}
	return false
}

// Size returns how many files the report has, and their bytes.
func (s *SiteFolder) Size() (files int, bytes int64) { return int(s.files.Load()), s.bytes.Load() }

// Discard removes a report that has not become whole.
func (s *SiteFolder) Discard() {
	if s.stage != "" {
		_ = os.RemoveAll(s.stage)
		if s.isNew {
			_ = os.Remove(s.dir)
		}
	}
}
