package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync/atomic"
)

// siteFolder is a folder that a report is written to. The report is made in a
// folder inside it, so that an earlier one stays whole until it is replaced.
type siteFolder struct {
	dir   string
	isNew bool   // the folder was not there
	stage string // "" if nothing has been made
	files atomic.Int64
	bytes atomic.Int64
}

// siteMarker marks a folder that holds a report.
const siteMarker = ".umpire-report"

// siteNames are the names that a report has in its folder.
var siteNames = regexp.MustCompile(`^(index\.html|matches(-[0-9]+)?\.html|bots|replays)$`)

// openSite checks that a folder may be written to, and changes nothing. The
// error is the user's.
func openSite(dir string, force bool) (*siteFolder, error) {
	s := &siteFolder{dir: filepath.Clean(dir)}
	entries, err := os.ReadDir(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.isNew = true
		return s, nil
	case err != nil:
		return nil, usagef("-o: %w", err)
	case len(entries) == 0 || force:
		return s, nil
	}
	if info, err := os.Lstat(filepath.Join(s.dir, siteMarker)); err == nil && info.Mode().IsRegular() {
		return s, nil
	}
	return nil, usagef("-o %s: the folder is not empty and holds no report of umpire; name another, or --force to write among its files", dir)
}

// index is the page to open.
func (s *siteFolder) index() string { return filepath.Join(s.dir, "index.html") }

// begin makes the folder that the report is made in.
func (s *siteFolder) begin() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	stage := filepath.Join(s.dir, siteMarker+"-"+rand.Text())
	if err := os.Mkdir(stage, 0o755); err != nil {
		return err
	}
	s.stage = stage
	for _, name := range []string{"bots", "replays"} {
		if err := os.Mkdir(filepath.Join(stage, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// create makes a file of the report.
func (s *siteFolder) create(name string) (io.WriteCloser, error) {
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

// commit puts the report in the place of an earlier one, whose files it removes.
func (s *siteFolder) commit() error {
	// The marker comes first: whatever happens from here on can be put right by
	// writing the report again.
	marker := "This folder holds a report of umpire, which replaces index.html, matches*.html, bots and replays.\n"
	if err := os.WriteFile(filepath.Join(s.dir, siteMarker), []byte(marker), 0o644); err != nil {
		return err
	}
	before, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range before {
		if siteNames.MatchString(e.Name()) {
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

// discard removes a report that has not become whole.
func (s *siteFolder) discard() {
	if s.stage != "" {
		_ = os.RemoveAll(s.stage)
		if s.isNew {
			_ = os.Remove(s.dir)
		}
	}
}
