package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
)

func compressFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "compress", Usage: "compress the results when the run ends: results.jsonl.zst, which every command reads; until then they take ten times the room"}}
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
	search := record.Search{ID: id, Where: strings.Join(files, ", ")}
	for line, err := range record.WithID(a.lines(files), id) {
		if err != nil {
			return nil, err
		}
		search.Add(line)
	}
	return linesFound(search)
}

// linesFound returns what a search has found. The error is the user's.
func linesFound(s record.Search) ([]record.Line, error) {
	lines, err := s.Lines()
	if err != nil {
		return nil, usagef("--id: %w", err)
	}
	return lines, nil
}
