package contestant

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"unicode/utf8"

	"umpire/referee"
	"umpire/referee/paths"
)

// stderr holds a contestant's standard error: from before it was stopped, and
// from while it was being stopped.
type stderr struct {
	before, after ends
	stopped       bool
	line          []byte // the beginning of a line, whose paths are not yet known
	names         paths.Names
	whole         *wholeFile // nil if nothing is to be kept whole
}

func (s *stderr) total() int64 { return s.before.total + s.after.total + int64(len(s.line)) }

// cut returns the length of all that was written if something of it was left
// out; otherwise 0.
func (s *stderr) cut() int64 {
	if s.before.cut() || s.after.cut() {
		return s.total()
	}
	return 0
}

// maxLine is how much of a line is waited for before it is kept.
const maxLine = 64 << 10

// write keeps what a contestant wrote, with its paths as they are shown.
func (s *stderr) write(b []byte) {
	s.line = append(s.line, b...)
	n := bytes.LastIndexByte(s.line, '\n') + 1
	if len(s.line)-n > maxLine {
		n = len(s.line)
	}
	s.add(n)
}

// stop says that what follows is written while the contestant is being stopped.
func (s *stderr) stop() {
	s.add(len(s.line))
	s.stopped = true
}

// add keeps the first n bytes of what is waiting.
func (s *stderr) add(n int) {
	if n == 0 {
		return
	}
	b := []byte(s.names.In(string(s.line[:n])))
	s.line = append(s.line[:0], s.line[n:]...)
	part := &s.before
	if s.stopped {
		part = &s.after
	}
	begun := s.cut() > 0
	if !begun && part.total+int64(len(b)) > referee.StderrKept {
		begun = true
		s.whole.write(s.before.bytes())
		s.whole.write(s.after.bytes())
	}
	if begun {
		s.whole.write(b)
	}
	part.write(b)
}

func (s *stderr) close() {
	s.add(len(s.line))
	s.whole.close()
}

// ends keeps the beginning and the end of a stream, and counts all of it.
type ends struct {
	head, tail []byte
	total      int64
}

// half is how much is kept of either end.
const half = referee.StderrKept / 2

func (e *ends) write(b []byte) {
	e.total += int64(len(b))
	n := min(len(b), half-len(e.head))
	e.head = append(e.head, b[:n]...)
	e.tail = append(e.tail, b[n:]...)
	if len(e.tail) > 2*half {
		e.tail = append(e.tail[:0], e.tail[len(e.tail)-half:]...)
	}
}

// cut reports whether something was left out.
func (e *ends) cut() bool { return e.total > referee.StderrKept }

// bytes returns all that was written or, if that is too much, its beginning and
// its end, both cut at a line if they have one, with a line between them that
// says how much is missing.
func (e *ends) bytes() []byte {
	if !e.cut() {
		return append(bytes.Clone(e.head), e.tail...)
	}
	head, tail := e.head, e.tail[len(e.tail)-half:]
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	} else {
		head = head[:len(head)-halfRune(head)]
	}
	if i := bytes.IndexByte(tail[:len(tail)-1], '\n'); i >= 0 {
		tail = tail[i+1:]
	} else {
		for n := 0; n < utf8.UTFMax-1 && !utf8.RuneStart(tail[0]); n++ {
			tail = tail[1:]
		}
	}
	var out bytes.Buffer
	out.Write(head)
	if !bytes.HasSuffix(head, []byte("\n")) {
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "… %d bytes left out …\n", e.total-int64(len(head)+len(tail)))
	out.Write(tail)
	return out.Bytes()
}

// halfRune returns how many bytes at the end of a text are the beginning of a
// character that is not whole.
func halfRune(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n:]; utf8.RuneStart(b[0]) {
			if utf8.FullRune(b) {
				return 0
			}
			return n
		}
	}
	return 0
}

// StderrFolder keeps the whole standard error of contestants of which Usage
// keeps only a part, in a file each. It may be shared by concurrent matches.
type StderrFolder struct {
	Dir  string       // made when needed
	used atomic.Int64 // bytes
}

// maxWhole is the most bytes that a StderrFolder holds.
const maxWhole = 1 << 30

// Path returns the path of the file for a seat of the match of that name.
func (f *StderrFolder) Path(match string, seat int) string {
	return filepath.Join(f.Dir, fmt.Sprintf("%s-%d.txt", match, seat))
}

// KeepStderr keeps the contestant's standard error in a folder if it becomes
// longer than what Usage keeps. It is called before the contestant is first
// asked.
func (c *Contestant) KeepStderr(in *StderrFolder, match string) {
	c.stderr.whole = &wholeFile{folder: in, path: in.Path(match, c.seat)}
}

// ShowPaths has paths in the contestant's standard error kept as they are shown. It
// is called before the contestant is first asked.
func (c *Contestant) ShowPaths(names paths.Names) { c.stderr.names = names }

// wholeFile is a file that appears under its name once it is whole. If it can't
// be written, or there is no room, there is no file; nor is there for nil.
type wholeFile struct {
	folder *StderrFolder
	path   string
	temp   *os.File
	failed bool
}

func (w *wholeFile) write(b []byte) {
	if w == nil || w.failed || len(b) == 0 {
		return
	}
	var err error
	if w.temp == nil {
		if err = os.MkdirAll(w.folder.Dir, 0o755); err == nil {
			w.temp, err = os.CreateTemp(w.folder.Dir, ".stderr-*")
		}
	}
	if err == nil && w.folder.used.Add(int64(len(b))) > maxWhole {
		err = os.ErrInvalid
	}
	if err == nil {
		_, err = w.temp.Write(b)
	}
	w.failed = err != nil
}

func (w *wholeFile) close() {
	if w == nil || w.temp == nil {
		return
	}
	name := w.temp.Name()
	failed := w.temp.Chmod(0o644) != nil || w.temp.Close() != nil || w.failed
	if failed || os.Rename(name, w.path) != nil {
		_ = os.Remove(name)
	}
	w.temp = nil
}

// readStderr reads what is available on standard error, but not much beyond its
// limit, so that a flood is noticed but not followed. It reports whether that may have
// filled the pipe, so that the contestant waited for room.
func (c *Contestant) readStderr() (full bool) {
	const least = 4 << 10 // of what pipes hold
	var buf [16 << 10]byte
	for c.err >= 0 && c.stderr.total() <= referee.MaxStderr {
		n, err := read(c.err, buf[:])
		if err != nil && again(err) {
			return full
		}
		if err != nil || n == 0 {
			closeFD(&c.err)
			return full
		}
		full = full || n >= least
		c.stderr.write(buf[:n])
	}
	return full
}
