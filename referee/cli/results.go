package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee/program/build"
	"umpire/referee/record"
)

func compressFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "compress", Usage: "compress the results: results.jsonl.zst, which every command reads"}}
}

// checkCompress refuses --compress where no results are written.
func checkCompress(c *cli.Context) error {
	if c.Bool("compress") && c.String("o") == "" {
		return usagef("--compress: found no -o DIR, in which the results would be compressed")
	}
	return nil
}

// resultsIn returns the results file of a run folder; any other name is
// unchanged, and so is that of a folder with two results files, which can't be
// opened.
func resultsIn(name string) string {
	if path, err := record.Resolve(name); err == nil {
		return path
	}
	return name
}

// openRecords opens a results file, compressed or not; "-" is standard input.
// Reading ends with the cause of an interrupt.
func (a *app) openRecords(name string) (io.ReadCloser, error) {
	if name == "-" {
		in, err := record.NewReader(a.input(a.in))
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return in, nil
	}
	in, err := record.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return readCloser{a.input(in), in}, nil
	}
	return readCloser{untilStopped{a, in}, in}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// untilStopped reads a file whose reads do not block, until an interrupt.
type untilStopped struct {
	app *app
	io.Reader
}

func (u untilStopped) Read(buf []byte) (int, error) {
	if u.app.stopped() {
		return 0, context.Canceled
	}
	return u.Reader.Read(buf)
}

// linesWithID yields the lines of results files like lines, by an index if that
// is possible. It may leave out whole records whose id does not begin with id.
func (a *app) linesWithID(files []string, id string) iter.Seq2[record.Line, error] {
	cache, err := build.CacheDir()
	if id == "" || err != nil {
		return a.lines(files)
	}
	finder := record.Finder{Folder: filepath.Join(cache, "index"), Now: time.Now(), Jobs: runtime.GOMAXPROCS(0)}
	return func(yield func(record.Line, error) bool) {
		for _, name := range files {
			lines, ok := finder.Lines(resultsIn(name), id)
			if !ok {
				lines = a.lines([]string{name})
			}
			for line, err := range lines {
				if !yield(line, usage(err)) || err != nil {
					return
				}
			}
		}
	}
}

// linesOfID returns the lines that hold the records with an id, of which a
// unique beginning is enough; without an id, all lines.
func (a *app) linesOfID(files []string, id string) iter.Seq2[record.Line, error] {
	if id == "" {
		return a.lines(files)
	}
	return func(yield func(record.Line, error) bool) {
		found, err := a.findID(files, id)
		if err != nil {
			yield(record.Line{}, err)
			return
		}
		for _, line := range found {
			if !yield(line, nil) {
				return
			}
		}
	}
}

func (a *app) findID(files []string, id string) ([]record.Line, error) {
	found := make(map[string][]record.Line)
	for line, err := range a.linesWithID(files, id) {
		if err != nil {
			return nil, err
		}
		if r, err := line.Record(); err == nil && strings.HasPrefix(r.ID, id) {
			line.Bytes = bytes.Clone(line.Bytes)
			found[r.ID] = append(found[r.ID], line)
		}
	}
	if exact := found[id]; exact != nil {
		return exact, nil
	}
	ids := slices.Sorted(maps.Keys(found))
	switch len(ids) {
	case 0:
		return nil, usagef("%s: found no record with id %q", strings.Join(files, ", "), id)
	case 1:
		return found[ids[0]], nil
	}
	return nil, usagef("--id: %d records in %s begin with %q, such as %s and %s: give more of it", len(ids), strings.Join(files, ", "), id, ids[0], ids[1])
}
