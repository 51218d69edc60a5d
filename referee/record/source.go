package record

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"time"
)

// source is a results file that has an index, or may get one.
type source struct {
	path       string
	file       *os.File
	compressed bool
	tail       *os.File // of a compressed file; nil if there is none
	tailAt     int64    // length of the compressed file before the tail
	identity   identity
}

// identity is by what a change of a file shows.
type identity struct {
	Size              int64
	ModTime, Changed  int64 // nanoseconds since 1970; Changed is 0 where the system does not know it
	Device, FileOnDev uint64
}

// changed returns when the file was changed.
func (i identity) changed() time.Time { return time.Unix(0, max(i.ModTime, i.Changed)) }

func openSource(path string) (*source, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(errNoIndex, err)
	}
	s := &source{path: path}
	var err error
	if s.tail, s.tailAt, err = openTail(path); err != nil {
		return nil, err
	}
	if s.file, err = os.Open(path); err == nil {
		err = s.identify()
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *source) identify() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.identity = identity{Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	s.identity.complete(s.file)
	var start [4]byte
	n, err := s.file.ReadAt(start[:], 0)
	if s.compressed = s.tail != nil || isCompressed(start[:n]); err == io.EOF {
		err = nil
	}
	return err
}

func (s *source) close() { _ = closeAll(s.file, s.tail) }

// unchanged reports whether the file is, without a doubt, as it was when the
// index was made.
func (s *source) unchanged(d directory) bool {
	if s.compressed {
		size := s.identity.Size
		if s.tail != nil {
			size = s.tailAt
		}
		if d.Covered != size {
			return false
		}
	}
	return d.Settled && d.Source == s.identity
}

// beginsAs reports whether the file begins with what the index covers.
func (s *source) beginsAs(d directory) bool {
	if s.identity.Size < d.Covered || d.Covered == 0 {
		return false
	}
	sum := summing{in: io.NewSectionReader(s.file, 0, d.Covered)}
	_, err := io.CopyBuffer(io.Discard, &sum, make([]byte, 1<<20))
	return err == nil && sum.at == d.Covered && slices.Equal(sum.sums, d.Sums)
}

// wholeEnd returns where the whole lines, or the frames of a compressed file,
// end in the file.
func (s *source) wholeEnd() (int64, error) {
	switch {
	case !s.compressed:
		return lastNewline(s.file)
	case s.tail != nil:
		return s.tailAt, nil
	}
	_, end, torn, err := frames(s.file)
	if err == nil && torn {
		err = errTornFrame
	}
	return end, err
}

// content returns the lines of a part of the file.
func (s *source) content(in io.Reader) (io.ReadCloser, error) {
	if s.compressed {
		return decompress(in)
	}
	return io.NopCloser(in), nil
}

// rest returns what follows the part of the file that an index covers.
func (s *source) rest(d directory) io.Reader {
	switch {
	case !s.compressed:
		return io.NewSectionReader(s.file, d.Covered, 1<<62-d.Covered)
	case s.tail != nil:
		return s.tail
	}
	return bytes.NewReader(nil)
}

// line reads an indexed line. The error says that it is not there.
func (s *source) line(d directory, e entry) (Line, error) {
	start, end := framePosition{e.offset, e.offset}, int64(1<<62)
	if s.compressed {
		n, found := slices.BinarySearchFunc(d.Frames, e.offset, func(f framePosition, offset int64) int { return int(min(1, max(-1, f.Plain-offset))) })
		if !found {
			n--
		}
		if n < 0 {
			return Line{}, errNoIndex
		}
		start = d.Frames[n]
		if n+1 < len(d.Frames) && d.Frames[n+1].Plain >= e.offset+int64(e.length) {
			end = d.Frames[n+1].At
		}
	}
	in, err := s.content(io.NewSectionReader(s.file, start.At, end-start.At))
	if err != nil {
		return Line{}, err
	}
	defer in.Close()
	line := Line{File: s.path, Number: e.number, Bytes: make([]byte, e.length), Whole: true}
	if _, err = io.CopyN(io.Discard, in, e.offset-start.Plain); err == nil {
		_, err = io.ReadFull(in, line.Bytes)
	}
	if err == nil && indexedID(line.Bytes) != e.id {
		err = errNoIndex
	}
	return line, err
}

// counting counts the bytes and newlines of a text, and keeps its last byte.
type counting struct {
	in       io.Reader
	size     int64
	newlines int
	last     byte
}

func (c *counting) Read(buf []byte) (int, error) {
	n, err := c.in.Read(buf)
	if n > 0 {
		c.size += int64(n)
		c.newlines += bytes.Count(buf[:n], []byte{'\n'})
		c.last = buf[n-1]
	}
	return n, err
}

// summing reads a file from an offset on, and adds up the checksums of its
// pieces.
type summing struct {
	in   io.Reader
	sums []uint32
	at   int64
}

// piece is how many bytes have a checksum of their own.
const piece = 4 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (s *summing) Read(buf []byte) (int, error) {
	room := piece - s.at%piece
	n, err := s.in.Read(buf[:min(int64(len(buf)), room)])
	if n > 0 {
		if s.at%piece == 0 {
			s.sums = append(s.sums, 0)
		}
		last := &s.sums[len(s.sums)-1]
		*last = crc32.Update(*last, castagnoli, buf[:n])
		s.at += int64(n)
	}
	return n, err
}
