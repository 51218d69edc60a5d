package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode"

	"golang.org/x/sync/errgroup"
)

// Summaries reads a results file with jobs goroutines and calls each for every
// record in order. The summary is valid until each returns. The error is that
// of each, or names the line. torn reports whether the last line is cut off:
// such a line holds no record and is no error.
func Summaries(name string, in io.Reader, jobs int, each func(*Summary) error) (torn bool, err error) {
	scanner := func() func([]byte, *Summary) error {
		var s Scanner
		return s.Scan
	}
	return scanLines(name, in, jobs, scanner, func(_ position, b *Summary) error { return each(b) })
}

// position is where a line is in a results file that is not compressed.
type position struct {
	offset int64
	length int // without white space around it
	number int // from 1
}

// chunk is a piece of a results file that ends with a line, except perhaps at
// the file's end.
type chunk[T any] struct {
	text  []byte
	start int64 // offset of text
	found []T
	at    []position // of found, their offsets and numbers counted from the chunk's beginning
	used  int        // how many of found are in use
	lines int        // in text, up to the first wrong line
	err   error
	torn  bool // err is about a last line without its newline
	cut   bool // the input is cut off after text
	ready chan struct{}
}

// scanLines reads a results file with jobs goroutines, each of which calls
// newScan once and scan for every line that is not blank, and calls each for
// every line's result in order; the result is valid until each returns.
// Otherwise it is like Summaries.
func scanLines[T any](name string, in io.Reader, jobs int, newScan func() (scan func(line []byte, into *T) error), each func(position, *T) error) (torn bool, err error) {
	jobs = max(1, jobs)
	todo, order := make(chan *chunk[T]), make(chan *chunk[T], 2*jobs)
	free := make(chan *chunk[T], 2*jobs+1)
	for range 2*jobs + 1 {
		free <- &chunk[T]{}
	}
	stop := make(chan struct{})
	var group errgroup.Group
	group.Go(func() error {
		defer close(todo)
		defer close(order)
		return split(name, in, free, stop, func(c *chunk[T]) {
			order <- c
			todo <- c
		})
	})
	for range jobs {
		group.Go(func() error {
			scan := newScan()
			for c := range todo {
				c.scan(scan)
				close(c.ready)
			}
			return nil
		})
	}
	torn, err = gather(name, order, free, each)
	close(stop)
	for range order { // drain what was read ahead, after an error
	}
	if werr := group.Wait(); err == nil {
		err = werr
	}
	return torn, err
}

// split cuts the input into chunks of 64 KiB, which stay in a processor's cache
// from reading to scanning, or of a line if that is longer.
func split[T any](name string, in io.Reader, free <-chan *chunk[T], stop <-chan struct{}, hand func(*chunk[T])) error {
	const size = 64 << 10
	var rest []byte
	offset := int64(0)
	for {
		var c *chunk[T]
		select {
		case c = <-free:
		case <-stop:
			return nil
		}
		c.ready, c.start, c.cut = make(chan struct{}), offset, false
		c.text = append(c.text[:0], rest...)
		end, err := -1, error(nil)
		for err == nil && end < 0 {
			have := len(c.text)
			if have > MaxRecord {
				return fmt.Errorf("%s: line longer than %d bytes", name, MaxRecord)
			}
			if cap(c.text) < have+size {
				c.text = append(make([]byte, 0, have+size+have/2), c.text...)
			}
			var n int
			n, err = io.ReadFull(in, c.text[have:have+size])
			c.text = c.text[:have+n]
			end = bytes.LastIndexByte(c.text, '\n')
		}
		switch c.cut = errors.Is(err, errTornFrame); {
		case err == nil:
			rest = append(rest[:0], c.text[end+1:]...)
			c.text = c.text[:end+1]
			offset += int64(len(c.text))
			hand(c)
		case err == io.EOF || err == io.ErrUnexpectedEOF || c.cut:
			hand(c)
			return nil
		default:
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
}

func (c *chunk[T]) scan(scan func(line []byte, into *T) error) {
	c.used, c.lines, c.err, c.torn = 0, 0, nil, c.cut
	for at := 0; at < len(c.text); {
		line, _, whole := bytes.Cut(c.text[at:], []byte{'\n'})
		start := at + len(line) - len(bytes.TrimLeftFunc(line, unicode.IsSpace))
		at += len(line) + 1
		c.lines++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if c.used == len(c.found) {
			c.found, c.at = append(c.found, *new(T)), append(c.at, position{})
		}
		if err := scan(line, &c.found[c.used]); err != nil {
			c.err, c.torn = err, !whole
			return
		}
		c.at[c.used] = position{int64(start), len(line), c.lines}
		c.used++
	}
}

func gather[T any](name string, order <-chan *chunk[T], free chan<- *chunk[T], each func(position, *T) error) (torn bool, err error) {
	number := 0
	for c := range order {
		<-c.ready
		for i := range c.used {
			at := c.at[i]
			at.offset += c.start
			at.number += number
			if err := each(at, &c.found[i]); err != nil {
				return false, err
			}
		}
		number += c.lines
		if c.torn {
			return true, nil
		}
		if c.err != nil {
			return false, fmt.Errorf("%s:%d: not a match record: %w", name, number, c.err)
		}
		free <- c
	}
	return false, nil
}
