package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"
)

// Summaries reads a results file with jobs goroutines and calls each for every
// record in order. The summary is valid until each returns. The error is that
// of each, or names the line. torn reports whether the last line is cut off:
// such a line holds no record and is no error.
func Summaries(name string, in io.Reader, jobs int, each func(*Summary) error) (torn bool, err error) {
	jobs = max(1, jobs)
	todo, order := make(chan *chunk), make(chan *chunk, 2*jobs)
	free := make(chan *chunk, 2*jobs+1)
	for range 2*jobs + 1 {
		free <- &chunk{}
	}
	stop := make(chan struct{})
	var group errgroup.Group
	group.Go(func() error {
		defer close(todo)
		defer close(order)
		return split(name, in, free, stop, func(c *chunk) {
			order <- c
			todo <- c
		})
	})
	for range jobs {
		group.Go(func() error {
			var scan Scanner
			for c := range todo {
				c.scan(&scan)
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

// chunk is a piece of a results file that ends with a line, except perhaps at
// the file's end.
type chunk struct {
	text  []byte
	at    int64 // of text, from the start of the input
	found []Summary
	used  int // how many of found are in use
	lines int // in text, up to the first wrong line
	err   error
	torn  bool // err is about a last line that is torn
	cut   bool // the input is cut off after text
	ready chan struct{}
}

// split cuts the input into chunks of 64 KiB, which stay in a processor's cache
// from reading to scanning, or of a line if that is longer.
func split(name string, in io.Reader, free <-chan *chunk, stop <-chan struct{}, hand func(*chunk)) error {
	const size = 64 << 10
	var rest []byte
	var at int64
	for {
		var c *chunk
		select {
		case c = <-free:
		case <-stop:
			return nil
		}
		c.ready, c.cut, c.at = make(chan struct{}), false, at
		c.text = append(c.text[:0], rest...)
		end, err := 0, error(nil)
		for err == nil && end == 0 {
			if len(c.text) > MaxRecord {
				return fmt.Errorf("%s: line longer than %d bytes", name, MaxRecord)
			}
			c.text, end, err = readOn(in, c.text, size)
		}
		switch c.cut = errors.Is(err, errTornFrame); {
		case err == nil:
			rest = append(rest[:0], c.text[end:]...)
			c.text = c.text[:end]
			at += int64(end)
			hand(c)
		case err == io.EOF || err == io.ErrUnexpectedEOF || c.cut:
			hand(c)
			return nil
		default:
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
}

func (c *chunk) scan(s *Scanner) {
	c.used, c.lines, c.err, c.torn = 0, 0, nil, c.cut
	for rest := c.text; len(rest) > 0; {
		var line []byte
		var whole bool
		begin := c.at + int64(len(c.text)-len(rest))
		line, rest, whole = bytes.Cut(rest, []byte{'\n'})
		c.lines++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if c.used == len(c.found) {
			c.found = append(c.found, Summary{})
		}
		if err := s.Scan(line, &c.found[c.used]); err != nil {
			c.err, c.torn = err, (Line{Bytes: line, Whole: whole}).torn()
			return
		}
		c.found[c.used].Offset, c.found[c.used].Line = begin, c.lines
		c.used++
	}
}

func gather(name string, order <-chan *chunk, free chan<- *chunk, each func(*Summary) error) (torn bool, err error) {
	number := 0
	for c := range order {
		<-c.ready
		for i := range c.used {
			c.found[i].Line += number
			if err := each(&c.found[i]); err != nil {
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
