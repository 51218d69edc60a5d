package record

import (
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

// A compressed results file that is being written has a tail beside it: a plain
// file with the newest records. When the tail has grown to a frame, the frame is
// added to the compressed file. The number in the tail's name is the length of
// the compressed file before the tail, so the creation of a new, empty tail with
// a greater number is the one moment at which the records change their place:
// until then the compressed file beyond the old tail's number does not count,
// and from then on the old tail does not. A file without a tail is whole.

// tailInfix stands between a compressed file's name and the number of its tail.
const tailInfix = ".tail-"

// archive is the compressed file of a Writer.
type archive struct {
	path   string
	file   *os.File
	length int64  // of the file, up to the end of its last frame
	tail   string // path of the tail
	limit  int64  // size of a tail that is compressed
}

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
			list = append(list, tail{tailName(path, length), length})
		}
	}
	slices.SortFunc(list, func(a, b tail) int { return int(min(1, max(-1, a.length-b.length))) })
	return list, nil
}

func tailName(path string, length int64) string {
	return path + tailInfix + strconv.FormatInt(length, 10)
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
			continue // the writer has just replaced it
		}
		return f, last.length, err
	}
}

// AppendCompressed opens a compressed results file to add records, like Append.
// Each record is in a file as soon as it has been written, and in its compressed
// place by the time the Writer is closed.
func AppendCompressed(path string) (*Writer, error) {
	f, err := openAlone(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{archive: &archive{path: path, file: f, limit: frameBytes}}
	if err := w.openLastTail(); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

// openLastTail opens the tail, and makes it if there is none.
func (w *Writer) openLastTail() error {
	list, err := tails(w.archive.path)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		end, err := w.archive.salvage()
		if err != nil {
			return err
		}
		list = []tail{{tailName(w.archive.path, end), end}}
	}
	last := list[len(list)-1]
	if err := w.archive.cut(last.length); err != nil {
		return err
	}
	for _, old := range list[:len(list)-1] {
		if err := os.Remove(old.path); err != nil {
			return err
		}
	}
	return w.openTail(last.length)
}

// cut cuts the compressed file to a length.
func (a *archive) cut(length int64) error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < length {
		return damaged(fmt.Errorf("found %d bytes, expected %d", info.Size(), length))
	}
	a.length = length
	return a.file.Truncate(length)
}

// openTail opens the tail after so many bytes of the compressed file.
func (w *Writer) openTail(length int64) error {
	path := tailName(w.archive.path, length)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	size, err := endLine(f)
	if err != nil {
		f.Close()
		return err
	}
	w.file, w.size, w.archive.tail = f, size, path
	return nil
}

// salvage finds where records can be added to a compressed file without a tail,
// the end of which may be cut off, even within a line. The whole lines of a
// frame that can't stay are moved to a tail. It returns the end of the frames
// that stay.
func (a *archive) salvage() (end int64, err error) {
	list, end, torn, err := frames(a.file)
	if err != nil {
		return 0, err
	}
	for start := end; ; {
		if !torn {
			if len(list) == 0 {
				return 0, nil
			}
			start = list[len(list)-1].at
		}
		some, whole, err := a.lines(start)
		switch {
		case err != nil:
			return 0, err
		case whole && !torn:
			return end, nil
		case some:
			return start, a.moveToTail(start)
		}
		if !torn {
			list = list[:len(list)-1]
		}
		end, torn = start, false
	}
}

// lines decompresses the file from an offset on, and reports whether there are
// whole lines, and whether nothing follows them.
func (a *archive) lines(start int64) (some, whole bool, err error) {
	err = a.contents(start, func(text []byte) error {
		some = some || bytes.IndexByte(text, '\n') >= 0
		if len(text) > 0 {
			whole = text[len(text)-1] == '\n'
		}
		return nil
	})
	return some, whole, err
}

// contents decompresses the file from an offset on.
func (a *archive) contents(start int64, each func(text []byte) error) error {
	d, err := decompress(io.NewSectionReader(a.file, start, 1<<62-start))
	if err != nil {
		return err
	}
	defer d.Close()
	buf := make([]byte, 1<<20)
	for {
		n, err := d.Read(buf)
		if werr := each(buf[:n]); werr != nil {
			return werr
		}
		if err == io.EOF || errors.Is(err, errTornFrame) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// moveToTail makes a tail of what the file has from an offset on.
func (a *archive) moveToTail(start int64) error {
	return writeWhole(tailName(a.path, start), 0o644, func(out *os.File) error {
		err := a.contents(start, func(text []byte) error {
			_, err := out.Write(text)
			return err
		})
		return errors.Join(err, out.Sync())
	})
}

// compress adds the tail's records to the compressed file, and begins a new
// tail. After an error the records are still in the tail.
func (w *Writer) compress() error {
	if err := w.addFrame(); err != nil {
		return fmt.Errorf("compress %s: %w", w.archive.path, err)
	}
	old, oldPath := w.file, w.archive.tail
	if err := w.openTail(w.archive.length); err != nil {
		return err
	}
	return errors.Join(old.Close(), os.Remove(oldPath))
}

// addFrame adds the tail's records to the compressed file.
func (w *Writer) addFrame() error {
	a := w.archive
	if _, err := a.file.Seek(a.length, io.SeekStart); err != nil {
		return err
	}
	text, err := os.Open(a.tail)
	if err != nil {
		return err
	}
	defer text.Close()
	out := &counter{Writer: a.file}
	if err = compressFrames(out, text, 2*frameBytes); err == nil {
		err = a.file.Sync()
	}
	if err != nil {
		return errors.Join(err, a.file.Truncate(a.length))
	}
	a.length += out.n
	return nil
}

// counter counts what is written.
type counter struct {
	io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}

// closeArchive compresses the rest and removes the tail.
func (w *Writer) closeArchive() error {
	a := w.archive
	defer a.file.Close()
	err := error(nil)
	if w.size > 0 {
		err = w.addFrame()
	}
	err = errors.Join(err, w.file.Close())
	if err != nil {
		return fmt.Errorf("compress %s: %w", a.path, err)
	}
	return os.Remove(a.tail)
}
