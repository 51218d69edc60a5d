package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// CompressedSuffix is the end of the name of a compressed results file.
const CompressedSuffix = ".zst"

// ResultsIn returns the path of the results file of a folder, which is
// compressed if the folder holds compressed results, and need not exist. The
// error says that there are both.
func ResultsIn(dir string) (string, error) {
	plain := filepath.Join(dir, ResultsFile)
	compressed := plain + CompressedSuffix
	if !exists(compressed) {
		return plain, nil
	}
	if exists(plain) {
		return "", fmt.Errorf("%s: found both %s and %s, expected one of them: move the other away", dir, ResultsFile, ResultsFile+CompressedSuffix)
	}
	return compressed, nil
}

// Resolve returns the results file of a folder; any other path is unchanged.
func Resolve(path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return path, nil
	}
	return ResultsIn(path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Played reports whether a folder holds results.
func Played(dir string) bool {
	path := filepath.Join(dir, ResultsFile)
	files := []string{path, path + CompressedSuffix}
	if list, err := tails(path + CompressedSuffix); err == nil {
		for _, t := range list {
			files = append(files, t.path)
		}
	}
	return slices.ContainsFunc(files, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Size() > 0
	})
}

// Open opens a results file, compressed or not, or that of a folder, and returns
// its lines. The records that a running umpire has written and not yet
// compressed are included.
func Open(path string) (io.ReadCloser, error) {
	path, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	tail, length, err := openTail(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.Join(err, closeAll(tail))
	}
	if tail != nil {
		d, err := decompress(io.LimitReader(f, length))
		if err != nil {
			return nil, errors.Join(err, closeAll(tail, f))
		}
		return opened{Reader: io.MultiReader(endsWhole{d}, tail), closers: []io.Closer{d, tail, f}}, nil
	}
	in, err := NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", path, err), closeAll(f))
	}
	all := opened{Reader: in, closers: []io.Closer{in, f}}
	if _, compressed := in.(*decompressing); !compressed {
		all.plain = f
	}
	return all, nil
}

// ReadAt reads the part of a results file, or that of a folder, that begins at an
// offset in its lines as they are before compression. It must be all there.
func ReadAt(path string, buf []byte, offset int64) error {
	in, err := Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	if o, ok := in.(opened); ok && o.plain != nil {
		_, err = io.ReadFull(io.NewSectionReader(o.plain, offset, int64(len(buf))), buf)
		return err
	}
	if _, err := io.CopyN(io.Discard, in, offset); err != nil {
		return err
	}
	_, err = io.ReadFull(in, buf)
	return err
}

// NewReader returns the lines of a results file that is read from in, compressed
// or not.
func NewReader(in io.Reader) (io.ReadCloser, error) {
	r := bufio.NewReader(in)
	start, err := r.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if isCompressed(start) {
		return decompress(r)
	}
	return io.NopCloser(r), nil
}

// opened is a results file being read.
type opened struct {
	io.Reader
	closers []io.Closer
	plain   *os.File // if it is not compressed
}

func (o opened) Close() error { return closeAll(o.closers...) }

func closeAll(list ...io.Closer) error {
	var err error
	for _, c := range list {
		if f, ok := c.(*os.File); !ok || f != nil {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// endsWhole reads compressed data that something follows, so it must not be cut
// off.
type endsWhole struct{ io.Reader }

func (r endsWhole) Read(buf []byte) (int, error) {
	n, err := r.Reader.Read(buf)
	if err == errTornFrame {
		err = damaged(err)
	}
	return n, err
}
