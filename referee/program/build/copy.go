package build

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Copy copies an executable, or what a command line names, to the cache, so that it may
// be edited while the copy is played. The copy is "" for what is too large for a source,
// or holds links, and where the cache can't be used. Sum is that of the original by
// Content.Add, and of the copy unless the original was written meanwhile.
func (b *Builder) Copy(ctx context.Context, path string) (copied, sum string, err error) {
	p := &part{path: path}
	if err := p.read(ctx); err != nil || !p.canBeCopied() {
		return "", p.sum, Unfit(ctx, err)
	}
	inEntry := filepath.Join(sourceFolder, filepath.Base(path))
	whole := func(entry string) bool {
		found := &part{path: filepath.Join(entry, inEntry)}
		return b.Use(entry) && found.read(ctx) == nil && found.sum == p.sum
	}
	entry, err := b.entry(ctx, Digest("copy", inEntry, p.sum), whole, func(dir string) error {
		to := filepath.Join(dir, inEntry)
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			err = p.copyTo(to)
		}
		if err == nil {
			err = settle(dir)
		}
		return err
	})
	if err != nil { // what can't be kept plays in place
		return "", p.sum, ctx.Err()
	}
	return filepath.Join(entry, inEntry), p.sum, nil
}

// canBeCopied reports whether it has only files and folders, and few and small enough.
func (p *part) canBeCopied() bool {
	var size int64
	for _, s := range p.stamps {
		if s.kind != 0 && s.kind != fs.ModeDir {
			return false
		}
		size += s.size
	}
	return size <= maxSource && len(p.stamps) <= maxFiles
}

// copyTo copies the file or folder. No process is forked meanwhile: a file that a child
// holds open for writing could not be executed.
func (p *part) copyTo(to string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if len(p.stamps) == 1 && p.stamps["."].kind == 0 {
		return copyFile(os.OpenFile, p.path, to)
	}
	root, err := os.OpenRoot(p.path)
	if err != nil {
		return err
	}
	defer root.Close()
	return p.walk(func(name string, d fs.DirEntry) error {
		at := filepath.Join(to, name)
		if d.IsDir() {
			return os.Mkdir(at, 0o755)
		}
		return copyFile(root.OpenFile, name, at)
	})
}

func copyFile(open opener, name, to string) error {
	from, info, err := openRegular(open, name)
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600|info.Mode()&0o111)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.LimitReader(from, maxSource))
	return errors.Join(err, f.Close())
}
