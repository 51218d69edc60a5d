package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// MaxRecord is the most bytes a line of a results file may have.
const MaxRecord = 256 << 20

// Read yields the records of a results file, line by line. An error names the
// line and ends the sequence; blank lines are skipped. A last line that is torn, as
// a power cut leaves it, is an error with ErrTorn.
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

// readOn adds up to n further bytes to a text in which there is no whole line yet. The
// whole lines end at end, 0 if there are none.
func readOn(in io.Reader, text []byte, n int) (longer []byte, end int, err error) {
	have := len(text)
	text = slices.Grow(text, n)
	n, err = io.ReadFull(in, text[have:have+n])
	text = text[:have+n]
	// Before that there is no newline: a long line is not to be searched again and again.
	if i := bytes.LastIndexByte(text[have:], '\n'); i >= 0 {
		end = have + i + 1
	}
	return text, end, err
}

// Lines yields the lines of a results file that are not blank. The bytes of a
// line are valid until the next line. If compressed data is cut off, the last line
// is the part of it that can be read, which may be empty.
func Lines(name string, in io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		r := bufio.NewReaderSize(in, 1<<20)
		var buf []byte
		var offset int64
		for number := 1; ; number++ {
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
			if (len(trimmed) > 0 || torn) && !yield(Line{File: name, Number: number, Bytes: trimmed, Whole: err == nil, Cut: torn, Offset: offset}, nil) {
				return
			}
			if err != nil {
				return
			}
		}
	}
}
