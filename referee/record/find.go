package record

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
)

// WithID leaves out lines whose records are not wanted: those that begin as
// umpire writes them and whose id is not that of a name or its beginning. It does
// not read further than that, so most lines of a large file cost next to
// nothing, and what is wrong in them is not found. Lines in any other layout
// stay, whatever their id.
func WithID(lines iter.Seq2[Line, error], name string) iter.Seq2[Line, error] {
	if name == "" {
		return lines
	}
	id, _, _ := cutName(name)
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

// Search collects the lines of the one match that is called Name or, if there is
// none, whose name begins so. There may be several: a match that umpire failed to
// play is played again, and files may be concatenated.
type Search struct {
	Name  string
	Where string // names the files in errors

	ids   map[string]bool // that Name may mean
	lines []Line          // of the id that is meant, as far as that is known
}

// Add adds a line, of which it copies the bytes, if its record is wanted. A line
// that holds no record is wanted if it begins like a record that is.
func (s *Search) Add(line Line) {
	id, wanted := "", false
	if r, err := line.Record(); err == nil {
		id, wanted = r.ID, r.IsCalled(s.Name)
	} else if found, ok := headID(line.Bytes); ok {
		id, wanted = string(found), isCalled(s.Name, string(found), nil)
	}
	if !wanted {
		return
	}
	if s.ids == nil {
		s.ids = make(map[string]bool)
	}
	if !s.ids[id] && s.exact() == "" {
		s.lines = nil // they have another id
	}
	s.ids[id] = true
	if exact := s.exact(); exact == id || exact == "" && len(s.ids) == 1 {
		line.Bytes = bytes.Clone(line.Bytes)
		s.lines = append(s.lines, line)
	}
}

// exact returns the id that was found and that Name gives in full; "" if there is
// none.
func (s *Search) exact() string {
	if s.ids[s.Name] {
		return s.Name
	}
	if id, _, _ := cutName(s.Name); s.ids[id] {
		return id
	}
	return ""
}

// Lines returns the lines that were added, in order. The error says that there
// is no match of the name, or which there are.
func (s *Search) Lines() ([]Line, error) {
	switch {
	case len(s.ids) == 0:
		return nil, fmt.Errorf("%s: found no record with id %q", s.Where, s.Name)
	case len(s.ids) > 1 && s.exact() == "":
		some := slices.Sorted(maps.Keys(s.ids))
		return nil, fmt.Errorf("%d records in %s begin with %q, such as %s and %s: give more of it", len(some), s.Where, s.Name, some[0], some[1])
	}
	return s.lines, s.several()
}

// several returns an error that lists the matches, if there are several.
func (s *Search) several() error {
	var records []Record
	var names BotNames
	for _, line := range s.lines {
		if r, err := line.Record(); err == nil {
			records = append(records, r)
			for _, s := range r.Seats {
				names.Add(r.Game, s.Bot, s.Digest, s.House)
			}
		}
	}
	var list []string
	for _, r := range records {
		bots := make([]string, len(r.Seats))
		for i, s := range r.Seats {
			bots[i] = names.Of(r.Game, s.Bot, s.Digest, s.House)
		}
		one := fmt.Sprintf("\n  %s  %s", r.Called(), strings.Join(bots, " : "))
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	if len(list) < 2 {
		return nil
	}
	return fmt.Errorf("%d matches in %s are called %q, expected one of%s", len(list), s.Where, s.Name, strings.Join(list, ""))
}

// AddLine adds the match of a line, if there is a record in it.
func (n *Names) AddLine(line Line) {
	if err := n.scanner.scan(line.Bytes, &n.line); err == nil {
		n.Add(&n.line)
	}
}

// AddShared adds the matches of lines whose ids are in several of them. It reads the lines
// twice, the first time no further than their ids.
func (n *Names) AddShared(lines iter.Seq2[Line, error]) {
	shared := make(map[uint64]bool) // by the hash of an id
	other := false                  // there are lines that umpire has not written
	for line, err := range lines {
		if id, ok := headID(line.Bytes); ok && err == nil {
			id := maphash.Bytes(keys, id)
			_, again := shared[id]
			shared[id] = again
		} else {
			other = true
		}
	}
	for line, err := range lines {
		id, _ := headID(line.Bytes)
		if err == nil && (other || shared[maphash.Bytes(keys, id)]) {
			n.AddLine(line)
		}
	}
}
