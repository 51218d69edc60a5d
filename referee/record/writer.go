package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Writer appends records to a results file. It is for one goroutine.
type Writer struct {
	file appendable
	size int64 // size of the file, up to the end of the last whole record
	buf  bytes.Buffer
	err  error // the error that left a torn line behind

	compressed string // path of the file, which Finish compresses; "": it does not
}

// appendable is the part of *os.File that a Writer needs.
type appendable interface {
	io.WriteSeeker
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Append opens a results file, or makes one, to add records. A last line that
// lacks its newline gets it; one that is torn is cut off, so that its match counts
// as not played. It fails if another process has opened the file with Append.
func Append(path string) (*Writer, error) {
	f, err := openAlone(path, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	_ = os.Remove(partOf(path + CompressedSuffix)) // which death in a conversion has left
	err = removeTwin(path)
	end := int64(0)
	if err == nil {
		end, err = endLine(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Writer{file: f, size: end}, nil
}

// endLine ends the last line of a file, or cuts it off if it is torn, and goes to
// the file's new end.
func endLine(f *os.File) (end int64, err error) {
	last, err := lastNewline(f)
	if err == nil {
		end, err = f.Seek(0, io.SeekEnd)
	}
	if err != nil || end == last {
		return end, err
	}
	if size := end - last; size <= MaxRecord {
		line := make([]byte, size)
		if _, err := f.ReadAt(line, last); err != nil {
			return 0, err
		}
		if _, err := (Line{Bytes: bytes.TrimSpace(line)}).Record(); !errors.Is(err, ErrTorn) {
			if _, err := f.Write([]byte{'\n'}); err != nil {
				return 0, fmt.Errorf("end the last line: %w", err)
			}
			return end + 1, nil
		}
	}
	if err = f.Truncate(last); err == nil {
		_, err = f.Seek(last, io.SeekStart)
	}
	if err != nil {
		return 0, fmt.Errorf("cut off the torn end: %w", err)
	}
	return last, nil
}

// lastNewline returns the offset just after the last newline of a file.
func lastNewline(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	var buf [64 << 10]byte
	for end > 0 {
		n := min(end, int64(len(buf)))
		if _, err := f.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}

// Write appends one record in one write.
func (w *Writer) Write(r Record) error {
	_, err := w.WriteLine(r)
	return err
}

// WriteLine appends one record in one write, and returns the line, which is
// valid until the next write. After an error, such as a full disk, the file
// still holds all earlier records whole, and more may be written. The system
// keeps what was written if umpire dies; only Sync waits for the disk, since a
// match lost in a power cut is played again.
func (w *Writer) WriteLine(r Record) ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	w.buf.Reset()
	enc := json.NewEncoder(&w.buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	if _, err := w.file.Write(w.buf.Bytes()); err != nil {
		return nil, errors.Join(err, w.undo())
	}
	w.size += int64(w.buf.Len())
	return w.buf.Bytes(), nil
}

// undo cuts off the remains of a failed write.
func (w *Writer) undo() error {
	err := w.file.Truncate(w.size)
	if err == nil {
		_, err = w.file.Seek(w.size, io.SeekStart)
	}
	if err != nil {
		w.err = fmt.Errorf("cut off the torn end: %w", err)
	}
	return w.err
}

// IsNew reports whether the file holds no records.
func (w *Writer) IsNew() bool { return w.size == 0 }

// Sync waits until all of the file is on the disk.
func (w *Writer) Sync() error {
	err := w.file.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil // not a file on a disk
	}
	return err
}

// CheckPlace returns an error if the file is no longer where it was opened.
func (w *Writer) CheckPlace() error {
	if f, ok := w.file.(*os.File); ok && !isAt(f, f.Name()) {
		return fmt.Errorf("%s was removed or moved while matches were played, and their records with it", f.Name())
	}
	return nil
}

// Close closes the file.
func (w *Writer) Close() error { return w.file.Close() }
