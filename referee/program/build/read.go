package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// opener is os.OpenFile, or the OpenFile method of an os.Root.
type opener func(name string, flag int, perm os.FileMode) (*os.File, error)

// openRegular opens a regular file, and refuses anything else: a pipe or a
// device could keep umpire waiting forever. The size in info is the current
// one.
func openRegular(open opener, name string) (f *os.File, info fs.FileInfo, err error) {
	if f, err = open(name, os.O_RDONLY|dontWait, 0); err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is neither a file nor a folder", name)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// cancelled reads until ctx ends.
type cancelled struct {
	ctx context.Context
	io.Reader
}

func (c cancelled) Read(b []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.Reader.Read(b)
}

// Named checks a file or folder that the user has named but may not have
// written: a link there that leads out of its folder could give its author
// files that he may not read.
func Named(path string) error {
	path = filepath.Clean(path)
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != fs.ModeSymlink {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := root.Stat(filepath.Base(path)); err != nil {
		return linkError(err, path)
	}
	return nil
}

// linkError says where a link out of a folder leads.
func linkError(err error, path string) error {
	to, rerr := os.Readlink(path)
	if rerr != nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s is a link to %s, out of its folder; name, or copy, the file itself", filepath.Base(path), strings.ToValidUTF8(to, "?"))
}

// MaxInput is the most bytes that ReadFile reads.
const MaxInput = 64 << 20

// ReadFile reads a file that the user names, which may be a pipe. A file longer
// than MaxInput is refused, and waiting for a pipe ends with ctx.
func ReadFile(ctx context.Context, path string) ([]byte, error) {
	return Await(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, MaxInput+1))
		if err == nil && len(text) > MaxInput {
			err = fmt.Errorf("%s: longer than %d MiB", path, MaxInput>>20)
		}
		return text, err
	})
}

// Await calls read, and returns without its result when ctx ends: a read that
// blocks in the kernel can't be cancelled, and umpire is about to exit.
func Await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := read()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
