package record

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

// AppendIn opens the results file of a folder to add records, like Append. With
// compress, the file is compressed, also if it was not so far; a compressed file
// stays compressed.
func AppendIn(ctx context.Context, dir string, compress bool) (*Writer, error) {
	path, err := ResultsIn(dir)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, CompressedSuffix) {
		return AppendCompressed(path)
	}
	if !compress {
		return Append(path)
	}
	compressed, err := CompressFile(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		compressed, err = path+CompressedSuffix, nil
	}
	if err != nil {
		return nil, err
	}
	return AppendCompressed(compressed)
}

// CompressFile replaces a results file by a compressed one, whose name has
// CompressedSuffix added.
func CompressFile(ctx context.Context, path string) (compressed string, err error) {
	if strings.HasSuffix(path, CompressedSuffix) {
		return "", fmt.Errorf("%s is compressed already", path)
	}
	compressed = path + CompressedSuffix
	return compressed, replaceFile(ctx, path, compressed, func(out io.Writer, in io.Reader) error { return Compress(out, in) })
}

// DecompressFile replaces a compressed results file, whose name ends with
// CompressedSuffix, by one that is not compressed. An end that is cut off is
// kept as far as it can be read; torn reports whether there is one.
func DecompressFile(ctx context.Context, path string) (plain string, torn bool, err error) {
	plain, ok := strings.CutSuffix(path, CompressedSuffix)
	if !ok {
		return "", false, fmt.Errorf("%s: expected a name that ends with %s", path, CompressedSuffix)
	}
	err = replaceFile(ctx, path, plain, func(out io.Writer, in io.Reader) error {
		_, err := io.Copy(out, in)
		if torn = errors.Is(err, errTornFrame); torn {
			return nil
		}
		return err
	})
	return plain, torn, err
}

// replaceFile replaces one file by another, which does not exist and which
// change makes from the first one's lines. At every moment one of them is whole.
// When ctx ends, the first one stays.
func replaceFile(ctx context.Context, from, to string, change func(out io.Writer, in io.Reader) error) error {
	locked, err := os.OpenFile(from, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer locked.Close()
	if !lock(locked) {
		return fmt.Errorf("%s: another umpire is writing to it", from)
	}
	if exists(to) {
		return fmt.Errorf("%s: %s exists already", from, to)
	}
	info, err := locked.Stat()
	if err != nil {
		return err
	}
	in, err := Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	err = writeWhole(to, info.Mode().Perm(), func(out *os.File) error { return errors.Join(change(out, untilDone{ctx, in}), out.Sync()) })
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	old, err := tails(from)
	for _, t := range old {
		err = errors.Join(err, os.Remove(t.path))
	}
	return errors.Join(err, os.Remove(from))
}

// untilDone reads until ctx ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (u untilDone) Read(buf []byte) (int, error) {
	if err := context.Cause(u.ctx); err != nil {
		return 0, err
	}
	return u.Reader.Read(buf)
}

// writeWhole makes a file that appears when it is whole.
func writeWhole(path string, mode fs.FileMode, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
