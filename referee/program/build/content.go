package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Bounds on files that a program is given in place, which are hashed and never
// held in memory.
const (
	maxContent      = 1 << 30 // bytes of one file or folder
	maxContentFiles = 20000
)

// Content is the files that a program consists of. Check reports whether they
// are still as hashed. It is safe for concurrent use; nil is empty.
type Content struct {
	mu    sync.Mutex
	parts []*part
}

// part is a file or folder of a Content.
type part struct {
	path   string
	source bool   // entries that readFolder skips are excluded
	unread bool   // only the stamps are known
	sum    string // hash of names and bytes
	stamps map[string]stamp
	at     time.Time // when the stamps were taken
}

// stamp changes when a file does: a cheap check that it has not changed.
type stamp struct {
	dev, ino, mode uint64 // as the system has them; 0 where it has none
	kind           fs.FileMode
	size           int64
	mtime, ctime   int64 // nanoseconds since 1970; ctime, where it is known, changes with all else
}

// tick is longer than the resolution of file systems' times. A file that
// changed less than a tick before it was looked at may change again unnoticed.
const tick = 50 * time.Millisecond

// Add hashes a file or folder and adds it. The sum covers the bytes and, in a
// folder, the names and links; it does not depend on the path.
func (c *Content) Add(ctx context.Context, path string) (sum string, err error) {
	return c.add(ctx, &part{path: path})
}

// AddSource is Add for a file or folder that is a source: hidden files and
// caches in it are no part of it.
func (c *Content) AddSource(ctx context.Context, path string) error {
	_, err := c.add(ctx, &part{path: path, source: true})
	return err
}

func (c *Content) add(ctx context.Context, p *part) (string, error) {
	if err := p.read(ctx); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts = append(c.parts, p)
	return p.sum, nil
}

// Sum returns a hash of all sums.
func (c *Content) Sum() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sums []string
	for _, p := range c.parts {
		sums = append(sums, p.sum)
	}
	return Digest(sums...)
}

// Join returns the union of both.
func (c *Content) Join(other *Content) *Content {
	return &Content{parts: slices.Concat(c.parts, other.parts)}
}

// AddStamp adds a file without reading it, by its size and time alone.
func (c *Content) AddStamp(path string) error {
	_, err := c.add(context.Background(), &part{path: path, unread: true}) // which waits for nothing
	return err
}

// Check returns an error if anything has changed. Files that have been touched
// are read again.
func (c *Content) Check(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.parts {
		if err := p.check(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (p *part) check(ctx context.Context) error {
	now, err := p.look()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("it is gone: %w", err)
	case err != nil:
		return err
	case maps.Equal(now, p.stamps) && (p.unread || p.settled()):
		return nil
	}
	if !p.unread {
		fresh := &part{path: p.path, source: p.source}
		if err := fresh.read(ctx); err != nil {
			return err
		}
		if fresh.sum == p.sum {
			p.stamps, p.at = fresh.stamps, fresh.at
			return nil
		}
	}
	return fmt.Errorf("it has changed since umpire read it: %s", p.changed(now))
}

// changed names the file that has changed, or its folder.
func (p *part) changed(now map[string]stamp) string {
	for _, name := range slices.Sorted(maps.Keys(p.stamps)) {
		if was, is := p.stamps[name], now[name]; was != is && name != "." {
			return filepath.Join(p.path, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, was := p.stamps[name]; !was {
			return filepath.Join(p.path, name) + " is new"
		}
	}
	return p.path
}

// settled reports whether a change after the stamps were taken would show in
// them.
func (p *part) settled() bool {
	for _, s := range p.stamps {
		if p.at.Sub(time.Unix(0, s.ctime)) < tick {
			return false
		}
	}
	return true
}

// read takes the stamps and then the sum, unless that is not wanted: the next check finds a
// change in between.
func (p *part) read(ctx context.Context) (err error) {
	p.at = time.Now()
	if p.stamps, err = p.look(); err != nil || p.unread {
		return err
	}
	p.sum, err = Await(ctx, func() (string, error) { return p.hash(ctx) })
	return err
}

// look returns the stamps of the file, or of all files in the folder.
func (p *part) look() (map[string]stamp, error) {
	info, err := os.Stat(p.path)
	if err != nil {
		return nil, err
	}
	stamps := make(map[string]stamp)
	if !info.IsDir() {
		s, err := stampOf(p.path, true)
		if p.unread {
			s.ctime = 0 // it changes with every hard link
		}
		stamps["."] = s
		return stamps, err
	}
	err = p.walk(func(name string, d fs.DirEntry) error {
		s, err := stampOf(filepath.Join(p.path, name), false)
		stamps[name] = s
		return err
	})
	return stamps, err
}

// walk visits the folder and everything in it that belongs to the program.
func (p *part) walk(visit func(name string, d fs.DirEntry) error) error {
	n := 0
	return filepath.WalkDir(p.path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.path, path)
		if err != nil {
			return err
		}
		if p.source && skipped(name, d) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if n++; n > maxContentFiles {
			return fmt.Errorf("%s holds more than %d files", p.path, maxContentFiles)
		}
		return visit(name, d)
	})
}

func (p *part) hash(ctx context.Context) (string, error) {
	info, err := os.Stat(p.path)
	if err != nil {
		return "", err
	}
	left := int64(maxContent)
	if !info.IsDir() {
		return hashFile(ctx, os.OpenFile, p.path, &left)
	}
	root, err := os.OpenRoot(p.path)
	if err != nil {
		return "", err
	}
	defer root.Close()
	var parts []string
	err = p.walk(func(name string, d fs.DirEntry) error {
		what := ""
		switch {
		case d.IsDir():
		case d.Type() == fs.ModeSymlink:
			what, err = root.Readlink(name)
		default:
			what, err = hashFile(ctx, root.OpenFile, name, &left)
		}
		parts = append(parts, name, d.Type().String(), what)
		return err
	})
	return Digest(parts...), err
}

// hashFile hashes a file of at most left bytes.
func hashFile(ctx context.Context, open opener, name string, left *int64) (string, error) {
	f, info, err := openRegular(open, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if *left -= info.Size(); *left < 0 {
		return "", &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("is longer than %d MiB, or its folder is", maxContent>>20)}
	}
	h := newHash()
	// At most as many bytes as the file had, and one more that shows whether it
	// grew.
	n, err := io.Copy(h, io.LimitReader(cancelled{ctx, f}, info.Size()+1))
	if err == nil && n > info.Size() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("is growing while it is read")}
	}
	return h.sum(), err
}
