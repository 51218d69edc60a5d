package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"syscall"

	jsonv2 "github.com/go-json-experiment/json"

	"umpire/referee/filelock"
)

// ResultsFile is the name of the results file in a folder of results.
const ResultsFile = "results.jsonl"

// MaxRecord is the most bytes a line of a results file may have.
const MaxRecord = 256 << 20

// Read yields the records of a results file, line by line. An error names the
// line and ends the sequence; blank lines are skipped. A last line without its
// newline, as a power cut leaves it, is yielded if the record in it is
// complete, and is an error with ErrTorn otherwise.
func Read(name string, in io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for line, err := range Lines(name, in) {
			var r Record
			if err == nil {
				r, err = line.Record()
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// Line is one line of a results file.
type Line struct {
	File   string
	Number int // from 1
	Bytes  []byte
	Whole  bool  // it ends with a newline
	Offset int64 // of the line's first byte from the start of what is read

	Names *Names // of the matches at hand; nil: each is called by its id
}

// ErrTorn is wrapped by the error of a line that has no newline: the end of a
// file that was being written when everything stopped.
var ErrTorn = errors.New("the line is cut off")

func (l Line) error(err error) error {
	if !l.Whole {
		err = fmt.Errorf("%w (%w)", ErrTorn, err)
	}
	return fmt.Errorf("%s:%d: not a match record: %w", l.File, l.Number, err)
}

// Lines yields the lines of a results file that are not blank. The bytes of a
// line are valid until the next line. Where compressed data is cut off, the last
// line is what is left of it, perhaps nothing.
func Lines(name string, in io.Reader) iter.Seq2[Line, error] { return linesFrom(name, in, 1) }

// linesFrom is Lines for the part of a file that begins with the line of a
// number.
func linesFrom(name string, in io.Reader, first int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		r := bufio.NewReaderSize(in, 1<<20)
		var buf []byte
		var offset int64
		for number := first; ; number++ {
			offset += int64(len(buf))
			buf = buf[:0]
			var err error
			for {
				var part []byte
				part, err = r.ReadSlice('\n')
				buf = append(buf, part...)
				if err != bufio.ErrBufferFull || len(buf) > MaxRecord {
					break
				}
			}
			torn := errors.Is(err, errTornFrame)
			if err != nil && err != io.EOF && !torn {
				if err == bufio.ErrBufferFull {
					err = fmt.Errorf("line longer than %d bytes", MaxRecord)
				}
				yield(Line{}, fmt.Errorf("%s:%d: %w", name, number, err))
				return
			}
			trimmed := bytes.TrimSpace(buf)
			if torn && (Line{Bytes: trimmed}).inForm() { // what is cut off follows it
				if !yield(Line{File: name, Number: number, Bytes: trimmed, Offset: offset}, nil) {
					return
				}
				trimmed, number = nil, number+1
			}
			if (len(trimmed) > 0 || torn) && !yield(Line{File: name, Number: number, Bytes: trimmed, Whole: err == nil, Offset: offset}, nil) {
				return
			}
			if err != nil {
				return
			}
		}
	}
}

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

// Create makes a new results file; it fails if the file exists.
func Create(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &Writer{file: f}, nil
}

// openAlone opens a file to which no other process may write meanwhile.
func openAlone(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|flag, 0o644)
	if err != nil {
		return nil, err
	}
	if locked, err := filelock.Try(f); !locked && err == nil || !isAt(f, path) {
		f.Close()
		return nil, fmt.Errorf("%s: another umpire is writing to it", path)
	}
	return f, nil
}

// isAt reports whether a path still leads to an open file: it does not if another
// process has replaced the file before it was locked.
func isAt(f *os.File, path string) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(here, there)
}

// Append opens a results file to add records. A last line that lacks its newline
// gets it if the record in it is complete, as Read takes it; else it is cut off,
// so that its match counts as not played. It fails if another process has opened
// the file with Append or Create.
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
		if _, err := (Line{Bytes: bytes.TrimSpace(line)}).Record(); err == nil {
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

// Close closes the file.
func (w *Writer) Close() error { return w.file.Close() }

// Record reads the line.
func (l Line) Record() (r Record, err error) {
	if err = l.Decode(&r); err == nil {
		l.name(&r)
	}
	return r, err
}

// name gives a record the name by which it is called among others.
func (l Line) name(r *Record) {
	if l.Names != nil {
		r.Name = l.Names.Of(r)
	}
}

// Decode reads the line into a value that has some or all of a record's fields.
// It refuses a line that is not in the form of a record, even in members for
// which into has no field.
func (l Line) Decode(into any) error {
	_, err := l.decode(into)
	return err
}

// DecodeCounted is Decode for readers that count records, into a value that r is
// part of. It also refuses a record that umpire has written if a seat's verdict,
// score, place or number of replies is missing.
func (l Line) DecodeCounted(into any, r *Record) error {
	missing, err := l.decode(into)
	if err == nil {
		if err = incomplete(r.V, r.Umpire, r.Error != "", missing); err != nil {
			err = l.error(err)
		}
	}
	return err
}

// decode is Decode; missing is that of check.
func (l Line) decode(into any) (missing string, err error) {
	missing, err = check(l.Bytes)
	if err == nil {
		err = jsonv2.Unmarshal(l.Bytes, into)
	}
	if err != nil {
		return "", l.error(err)
	}
	return missing, nil
}

// inForm reports whether the line is in the form of a record.
func (l Line) inForm() bool {
	_, err := check(l.Bytes)
	return err == nil
}
