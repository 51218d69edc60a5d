package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// CompressedSuffix is the end of the name of a compressed results file.
const CompressedSuffix = ".zst"

// gzipSuffix is that of one that users have compressed by gzip.
const gzipSuffix = ".gz"

// IsResultsName reports whether a path names a results file as a folder has it, compressed or
// not.
func IsResultsName(path string) bool {
	suffix, found := strings.CutPrefix(filepath.Base(path), ResultsFile)
	return found && (suffix == "" || suffix == CompressedSuffix || suffix == gzipSuffix)
}

// ResultsIn returns the path of the results file of a folder, which is
// compressed if the folder holds compressed results, and need not exist. Where
// there are both, as death in the middle of a conversion leaves them, the plain
// file counts if it holds all that the compressed one does; otherwise the error
// says that there are both.
func ResultsIn(dir string) (string, error) {
	plain := filepath.Join(dir, ResultsFile)
	compressed := plain + CompressedSuffix
	switch {
	case !exists(compressed) && !exists(plain) && exists(plain+gzipSuffix):
		return plain + gzipSuffix, nil
	case !exists(compressed):
		return plain, nil
	case !exists(plain):
		return compressed, nil
	}
	return plain, checkTwin(plain)
}

// checkTwin returns an error unless a results file begins with all that can be
// read of the compressed file beside it.
func checkTwin(plain string) error {
	compressed := plain + CompressedSuffix
	twin, err := Open(compressed)
	if err != nil {
		return err
	}
	defer twin.Close()
	f, err := os.Open(plain)
	if err != nil {
		return err
	}
	defer f.Close()
	want, got := make([]byte, 1<<20), make([]byte, 1<<20)
	for {
		n, err := io.ReadFull(twin, want)
		if _, ferr := io.ReadFull(f, got[:n]); ferr != nil || !bytes.Equal(got[:n], want[:n]) {
			return fmt.Errorf("found both %s and %s, expected one of them: move the other away", plain, compressed)
		}
		switch {
		case err == nil:
		case err == io.EOF || err == io.ErrUnexpectedEOF || errors.Is(err, errTornFrame):
			return nil
		default:
			return fmt.Errorf("read %s: %w", compressed, err)
		}
	}
}

// removeTwin removes the compressed file beside a results file that holds all of
// it. The error says that it does not.
func removeTwin(plain string) error {
	if !exists(plain + CompressedSuffix) {
		return nil
	}
	if err := checkTwin(plain); err != nil {
		return err
	}
	return removeResults(plain + CompressedSuffix)
}

// removeResults removes a results file and its tails.
func removeResults(path string) error {
	list, err := tails(path)
	for _, t := range list {
		err = errors.Join(err, os.Remove(t.path))
	}
	if err != nil {
		return err
	}
	return os.Remove(path)
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
	files := []string{path, path + CompressedSuffix, path + gzipSuffix}
	list, _ := tails(path + CompressedSuffix)
	for _, t := range list {
		files = append(files, t.path)
	}
	return slices.ContainsFunc(files, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Size() > 0
	})
}

// Open opens a results file, compressed or not, or that of a folder, and returns
// its lines. A file that has been compressed is found by its former name, too.
func Open(path string) (io.ReadCloser, error) {
	path, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	for _, suffix := range []string{CompressedSuffix, gzipSuffix} {
		if !exists(path) && exists(path+suffix) {
			path += suffix
		}
	}
	tail, length, err := openTail(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		if tail != nil {
			err = errors.Join(err, tail.Close())
		}
		return nil, err
	}
	if tail != nil {
		d := decompress(io.LimitReader(f, length))
		return opened{Reader: io.MultiReader(endsWhole{d}, tail), closers: []io.Closer{d, tail, f}}, nil
	}
	in, err := NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", path, err), f.Close())
	}
	return opened{Reader: in, closers: []io.Closer{in, f}}, nil
}

// NewReader returns the lines of a results file that is read from in, compressed
// or not.
func NewReader(in io.Reader) (io.ReadCloser, error) {
	r := bufio.NewReader(in)
	start, err := r.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case isZstd(start):
		return decompress(r), nil
	case isGzip(start):
		return gunzip(r)
	}
	return io.NopCloser(r), nil
}

// opened is a results file being read.
type opened struct {
	io.Reader
	closers []io.Closer
}

func (o opened) Close() (err error) {
	for _, c := range o.closers {
		err = errors.Join(err, c.Close())
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

// Earlier versions of umpire compressed results while they were being written,
// and kept the newest records as plain lines in a tail beside the compressed
// file. The number in the tail's name is the length of the compressed file
// before it: what follows there does not count, and neither do tails with
// smaller numbers.

// tailInfix stands between a compressed file's name and the number of its tail.
const tailInfix = ".tail-"

// tail is a file with the newest records of a compressed file.
type tail struct {
	path   string
	length int64 // of the compressed file
}

// tails lists the tails of a compressed file, the one that counts last.
func tails(path string) ([]tail, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var list []tail
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), filepath.Base(path)+tailInfix)
		length, err := strconv.ParseInt(number, 10, 64)
		if ok && err == nil && number == strconv.FormatInt(length, 10) && length >= 0 {
			list = append(list, tail{path + tailInfix + number, length})
		}
	}
	slices.SortFunc(list, func(a, b tail) int { return int(min(1, max(-1, a.length-b.length))) })
	return list, nil
}

// openTail opens the tail of a compressed file to read it; it is nil if there is
// none.
func openTail(path string) (f *os.File, length int64, err error) {
	if !strings.HasSuffix(path, CompressedSuffix) {
		return nil, 0, nil
	}
	for {
		list, err := tails(path)
		if err != nil || len(list) == 0 {
			return nil, 0, nil // what is wrong with the folder, its file will tell
		}
		last := list[len(list)-1]
		f, err := os.Open(last.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its records have just been moved
		}
		return f, last.length, err
	}
}

// ResultsFile is the name of the results file in a folder of results.
const ResultsFile = "results.jsonl"
