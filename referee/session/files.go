package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
)

// Files reads the records in results files and run folders, and those on standard
// input, which is called "-".
type Files struct {
	In      io.Reader       // standard input
	Context context.Context // reading ends with it
	Notice  func(format string, args ...any)

	kept *os.File // a copy of standard input; nil: it can be read once
}

// ResultsIn returns the results file of a run folder; any other name is unchanged,
// and so is that of a folder with two results files, which can't be opened.
func ResultsIn(name string) string {
	if path, err := record.Resolve(name); err == nil {
		return path
	}
	return name
}

// Open opens a results file, compressed or not. Reading ends with context.Canceled
// when Context does.
func (f *Files) Open(name string) (io.ReadCloser, error) {
	if name == "-" {
		from := f.interruptible(f.In)
		if f.kept != nil {
			from = io.NewSectionReader(f.kept, 0, 1<<62)
		}
		in, err := record.NewReader(from)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return in, nil
	}
	in, err := record.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	return readCloser{&interruptible{in: in, ctx: f.Context, blocks: err != nil || !info.Mode().IsRegular()}, in}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// interruptible returns a reader of the same that ends with context.Canceled when
// Context does. A read that is blocked then is abandoned.
func (f *Files) interruptible(in io.Reader) io.Reader {
	return &interruptible{in: in, ctx: f.Context, blocks: true}
}

type interruptible struct {
	in     io.Reader
	ctx    context.Context
	blocks bool // a read may wait for more
	buf    []byte
}

func (i *interruptible) Read(b []byte) (int, error) {
	switch {
	case i.ctx.Err() != nil:
		return 0, i.ctx.Err()
	case !i.blocks:
		return i.in.Read(b)
	}
	if cap(i.buf) < len(b) {
		i.buf = make([]byte, len(b))
	}
	n, err := build.Await(i.ctx, func() (int, error) { return i.in.Read(i.buf[:len(b)]) })
	return copy(b, i.buf[:n]), err
}

// KeepInput copies standard input to a file without a name, so that it can be read
// several times. Close removes the copy.
func (f *Files) KeepInput() error {
	if f.kept != nil {
		return nil
	}
	kept, err := os.CreateTemp("", "umpire-input-*")
	if err == nil {
		_, err = io.Copy(kept, f.interruptible(f.In))
		err = errors.Join(err, os.Remove(kept.Name()))
	}
	if err != nil {
		return fmt.Errorf("keep standard input: %w", err)
	}
	f.kept = kept
	return nil
}

// Close removes the copy of standard input, if there is one.
func (f *Files) Close() error {
	if f.kept == nil {
		return nil
	}
	return f.kept.Close()
}

// Lines yields the lines of results files. Errors are the user's.
func (f *Files) Lines(names []string) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		for _, name := range names {
			name = ResultsIn(name)
			in, err := f.Open(name)
			if err != nil {
				yield(record.Line{}, Mistaken(err))
				return
			}
			for line, err := range record.Lines(name, in) {
				if !yield(line, Mistaken(err)) || err != nil {
					in.Close()
					return
				}
			}
			in.Close()
		}
	}
}

// Summaries reads a results file; a cut-off last line is told and left out. Records of workers that are
// excluded from the run are told: they are withdrawn when it ends or is resumed.
func (f *Files) Summaries(name string, each func(*record.Summary) error) error {
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	excluded, _ := Results{Dir: filepath.Dir(name)}.excluded()
	matches := 0
	torn, err := record.Summaries(name, in, runtime.GOMAXPROCS(0), func(b *record.Summary) error {
		if slices.Contains(excluded, b.Worker) {
			matches++
		}
		return each(b)
	})
	if matches > 0 {
		f.Notice("umpire: %s: %s of excluded workers still count, and will be played again\n", name, report.Plural(matches, "match"))
	}
	switch {
	case torn && strings.HasSuffix(name, record.CompressedSuffix):
		f.Notice("umpire: %s: its end is cut off; the matches in it do not count\n", name)
	case torn:
		f.Notice("umpire: %s: the last line is cut off; its match does not count\n", name)
	}
	return err
}

// IsResults reports whether an argument is results rather than a bot.
func IsResults(name string) bool {
	if name == "-" || strings.HasSuffix(name, filepath.Ext(record.ResultsFile)) || strings.HasSuffix(name, record.CompressedSuffix) {
		return true
	}
	if file := ResultsIn(name); file != name {
		return program.Exists(file)
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var start [64]byte
	n, _ := io.ReadFull(f, start[:])
	return record.IsCompressed(start[:n]) || bytes.HasPrefix(bytes.TrimSpace(start[:n]), []byte("{"))
}
