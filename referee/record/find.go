package record

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// lineHead is the beginning of every line that umpire writes. The id follows it.
const lineHead = `{"v":1,"id":"`

// headID returns the id of a line that begins as umpire writes it, without
// reading the rest; ok is false for any other line.
func headID(line []byte) (id []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(lineHead))
	if !ok {
		return nil, false
	}
	id, _, ok = bytes.Cut(rest[:min(len(rest), MaxName+1)], []byte{'"'})
	return id, ok && bytes.IndexByte(id, '\\') < 0
}

// WithID leaves out lines whose records are not wanted: those that begin as
// umpire writes them and whose id does not begin with the given text. It does
// not read further than that, so most lines of a large file cost next to
// nothing, and what is wrong in them is not found. Lines in any other layout
// stay, whatever their id.
func WithID(lines iter.Seq2[Line, error], id string) iter.Seq2[Line, error] {
	if id == "" {
		return lines
	}
	return func(yield func(Line, error) bool) {
		for line, err := range lines {
			if found, ok := headID(line.Bytes); ok && !bytes.HasPrefix(found, []byte(id)) {
				continue
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// Search collects the lines of the one record whose id is ID or, if there is
// none, begins with ID. There may be several: a match that umpire failed to play
// is played again, and files may be concatenated.
type Search struct {
	ID    string
	Where string // names the files in errors

	ids   map[string]bool // that begin with ID
	lines []Line          // of the id that is meant, as far as that is known
}

// Add adds a line, of which it copies the bytes, if its record is wanted. A line
// that holds no record is wanted if it begins like a record that is.
func (s *Search) Add(line Line) {
	id := ""
	if r, err := line.Record(); err == nil {
		id = r.ID
	} else if found, ok := headID(line.Bytes); ok {
		id = string(found)
	} else {
		return
	}
	if !strings.HasPrefix(id, s.ID) {
		return
	}
	if s.ids == nil {
		s.ids = make(map[string]bool)
	}
	if !s.ids[id] && !s.ids[s.ID] {
		s.lines = nil // they have another id
	}
	s.ids[id] = true
	if id == s.ID || len(s.ids) == 1 {
		line.Bytes = bytes.Clone(line.Bytes)
		s.lines = append(s.lines, line)
	}
}

// Lines returns the lines that were added, in order. The error says that there
// is no record with the id, or that several ids begin with it.
func (s *Search) Lines() ([]Line, error) {
	switch {
	case len(s.ids) == 0:
		return nil, fmt.Errorf("%s: found no record with id %q", s.Where, s.ID)
	case len(s.ids) == 1 || s.ids[s.ID]:
		return s.lines, nil
	}
	some := slices.Sorted(maps.Keys(s.ids))
	return nil, fmt.Errorf("%d records in %s begin with %q, such as %s and %s: give more of it", len(some), s.Where, s.ID, some[0], some[1])
}
