// Package browser is umpire's report in a browser: one page that reads a results file and
// shows the pages of its site, with nothing installed and nothing sent. The package knows
// neither the browser nor the machine; its folder wasm has the program that the page runs.
package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report/html"
)

// Input is a results file, compressed or not.
type Input struct {
	Name string
	Size int64 // in bytes
	io.ReaderAt
}

// Keep returns an empty file to write to, and a function that returns it as a file to read.
// What is decompressed is kept in it, since a record is read again when its match is shown.
type Keep func() (out io.Writer, done func() Input)

// Progress is told how many bytes of a file have been read.
type Progress func(done, total int64)

// Results are the pages of a results file. While one goroutine is in Finish, another may
// ask for pages.
type Results struct {
	site   html.Site
	file   Input           // decompressed
	begins []int64         // where the line of each match begins
	pkg    *record.Package // that the game is from; nil: it is built in

	mu       sync.Mutex
	changed  *sync.Cond // with mu: pages or finished
	pages    map[string][]byte
	finished bool
}

// Read reads a results file for the first time, and makes the pages of its site that this
// takes: the standings and the lists of matches, all of which Replay shows. A last line that
// is cut off does not count. Config is the configuration of its run; "" if it is not known.
func Read(ctx context.Context, in Input, keep Keep, config string, games []protocols.Game, progress Progress) (*Results, error) {
	r := &Results{file: in, pages: make(map[string][]byte)}
	r.changed = sync.NewCond(&r.mu)
	r.site = html.Site{
		Games: games, Jobs: 1, MaxReplays: math.MaxInt64, Create: r.create, Script: frameScript, Later: true,
		Runs: []html.Run{{Name: in.Name, Config: config}},
	}
	if err := r.count(ctx, keep, progress); err != nil {
		return nil, err
	}
	if r.site.Matches() == 0 {
		return nil, fmt.Errorf("found no records in %s", in.Name)
	}
	var err error
	r.begins, err = r.site.Begin()
	return r, err
}

// Finish reads the file again, for the pages of bots and what else the first page tells.
func (r *Results) Finish(ctx context.Context, progress Progress) error {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.finished = true
		r.changed.Broadcast()
	}()
	return r.site.Write(record.Lines(r.file.Name, r.reader(ctx, progress)))
}

// count reads the file for the first time.
func (r *Results) count(ctx context.Context, keep Keep, progress Progress) error {
	in, compressed, err := decompressed(r.reader(ctx, progress))
	if err != nil {
		return fmt.Errorf("read %s: %w", r.file.Name, err)
	}
	defer in.Close()
	reader, done := io.Reader(in), func() Input { return r.file }
	if compressed {
		var out io.Writer
		out, done = keep()
		reader = io.TeeReader(in, out)
	}
	if _, err := record.Summaries(r.file.Name, reader, 1, r.add); err != nil {
		return err
	}
	name := r.file.Name
	r.file = done()
	r.file.Name = name
	return nil
}

// decompressed returns the lines of a file and whether they were compressed.
func decompressed(raw io.Reader) (in io.ReadCloser, compressed bool, err error) {
	var start [4]byte
	n, err := io.ReadFull(raw, start[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, false, err
	}
	in, err = record.NewReader(io.MultiReader(bytes.NewReader(start[:n]), raw))
	return in, record.IsCompressed(start[:n]), err
}

// add counts a record in the first reading.
func (r *Results) add(b *record.Summary) error {
	first := r.site.Game.Name == ""
	at := slices.IndexFunc(r.site.Games, func(g protocols.Game) bool { return g.Name == b.Game })
	switch {
	case first && b.Package != nil:
		r.site.Game, r.pkg = b.Package.Game(b.Game), b.Package
	case first && at < 0:
		return fmt.Errorf("%s: unknown game %q; a newer umpire may know it", r.file.Name, b.Game)
	case first:
		r.site.Game = r.site.Games[at]
	case !record.SameGame(b.Game, b.Package, r.site.Game.Name, r.pkg):
		return fmt.Errorf("%s: found records of %s and %s, expected one game", r.file.Name,
			record.DescribeGame(r.site.Game.Name, r.pkg), record.DescribeGame(b.Game, b.Package))
	}
	if err := r.site.Add(b); err != nil {
		return fmt.Errorf("%s: %w", r.file.Name, err)
	}
	return nil
}

// Game is the title of the results' game.
func (r *Results) Game() string { return r.site.Game.Title }

// Matches is how many matches can be shown.
func (r *Results) Matches() int { return len(r.begins) }

// Page returns a file of the site, such as index.html; nil if there is none of that name.
// It waits for one that Finish may make.
func (r *Results) Page(name string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.pages[name] == nil && !r.finished {
		r.changed.Wait()
	}
	return r.pages[name]
}

// Replay returns the page that plays back a match, by its number from 0, with what replies
// were worth if that is asked for.
func (r *Results) Replay(match int, analyse bool) ([]byte, error) {
	if match < 0 || match >= len(r.begins) {
		return nil, fmt.Errorf("found no match %d, expected 1 to %d", match+1, len(r.begins))
	}
	at := r.begins[match]
	for line, err := range record.Lines(r.file.Name, io.NewSectionReader(r.file, at, r.file.Size-at)) {
		if err != nil {
			return nil, err
		}
		return r.site.Replay(line, analyse)
	}
	return nil, errors.New("the results have changed while they were shown")
}

// create makes a file of the site.
func (r *Results) create(name string) (io.WriteCloser, error) {
	return &sitePage{name: name, in: r}, nil
}

// sitePage is a file of the site being written.
type sitePage struct {
	bytes.Buffer
	name string
	in   *Results
}

func (p *sitePage) Close() error {
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	p.in.pages[p.name] = p.Bytes()
	p.in.changed.Broadcast()
	return nil
}

// reader reads the file.
func (r *Results) reader(ctx context.Context, progress Progress) *counting {
	return &counting{ctx: ctx, in: io.NewSectionReader(r.file, 0, r.file.Size), total: r.file.Size, tell: progress}
}

// counting tells how many bytes have been read, and ends when its context does.
type counting struct {
	ctx         context.Context
	in          io.Reader
	done, total int64
	tell        Progress
}

func (c *counting) Read(buf []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.in.Read(buf)
	c.done += int64(n)
	c.tell(c.done, c.total)
	return n, err
}
