package record

import (
	"errors"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"
)

// An index says where in a results file the records with an id are. It lies in a
// cache, and is made again whenever it is missing, damaged, or not of the file's
// content. It covers whole lines; what follows them in the file is read as if there
// were no index. Lines that are no records are found with every id, so that
// reading finds the same errors as ever.
//
// An index is trusted if the file's size, times and identity are those that it
// had when the index was made, and its last change was some time before. If not,
// all that the index covers is compared by checksums: if only something was
// added to the file, that is added to the index, and otherwise all is read again.

const (
	// minIndexed is the size of the smallest file that gets an index: smaller
	// ones are read as fast without.
	minIndexed = 1 << 20
	// maxFound is how many lines are read by an index at most: more are read
	// faster in order.
	maxFound = 1000
	// brokenID stands for the id of lines that are no records.
	brokenID = "\x00"
	// settled is how long a file must have been unchanged for its times to show
	// every later change.
	settled = 2 * time.Second
)

// Finder finds records by id, with indexes that it keeps in a folder.
type Finder struct {
	Folder string    // is made if necessary
	Now    time.Time // the current time
	Jobs   int       // how many goroutines make an index
	Min    int64     // size of the smallest file that gets an index; 0: where it begins to help
}

// errNoIndex says that a file can't have an index.
var errNoIndex = errors.New("no index")

// Lines yields, in the file's order, all lines of a results file that hold a
// record whose id begins with the given text, or no record; it may yield others
// as well. ok is false if there is no index; then all lines must be read.
func (x Finder) Lines(path, id string) (lines iter.Seq2[Line, error], ok bool) {
	s, err := openSource(path)
	if err != nil {
		return nil, false
	}
	defer func() {
		if !ok {
			s.close()
		}
	}()
	least := x.Min
	if least == 0 {
		least = minIndexed
	}
	if s.identity.Size < least {
		return nil, false
	}
	entries, d, err := x.find(s, id)
	if err != nil || len(entries) > maxFound {
		return nil, false
	}
	found := make([]Line, len(entries))
	for i, e := range entries {
		if found[i], err = s.line(d, e); err != nil {
			return nil, false
		}
	}
	return func(yield func(Line, error) bool) {
		defer s.close()
		for _, line := range found {
			if !yield(line, nil) {
				return
			}
		}
		for line, err := range linesFrom(path, s.rest(d), d.Lines+1) {
			if !yield(line, err) || err != nil {
				return
			}
		}
	}, true
}

// find looks an id up in the file's index, which it makes or brings up to date
// if necessary.
func (x Finder) find(s *source, id string) ([]entry, directory, error) {
	path := indexPath(x.Folder, s.path)
	old, err := openIndex(path)
	if err != nil {
		return x.make(s, path, &index{}, id)
	}
	defer old.close()
	if s.unchanged(old.dir) {
		if entries, err := old.find(id); err == nil {
			_ = os.Chtimes(path, x.Now, x.Now) // it is in use
			return entries, old.dir, nil
		}
	} else if s.beginsAs(old.dir) {
		if all, err := old.find(""); err == nil {
			return x.make(s, path, &index{old.dir, all}, id)
		}
	}
	return x.make(s, path, &index{}, id)
}

// make completes the index of a file, stores it and looks an id up in it.
func (x Finder) make(s *source, path string, i *index, id string) ([]entry, directory, error) {
	if err := i.extend(s, x.Jobs); err != nil {
		return nil, i.dir, err
	}
	i.dir.Source = s.identity
	i.dir.Settled = s.identity.changed().Before(x.Now.Add(-settled))
	_ = i.store(path, x.Now) // where nothing can be stored, it is made each time
	return i.find(id), i.dir, nil
}

// entry is where a record is.
type entry struct {
	id string
	position
}

// index is a whole index in memory.
type index struct {
	dir     directory
	entries []entry
}

// extend adds what the file has beyond what is covered.
func (i *index) extend(s *source, jobs int) error {
	end, err := s.wholeEnd()
	if err != nil || end < i.dir.Covered {
		return errors.Join(errNoIndex, err)
	}
	raw := summing{in: io.NewSectionReader(s.file, i.dir.Covered, end-i.dir.Covered), sums: slices.Clone(i.dir.Sums), at: i.dir.Covered}
	in, err := s.content(&raw)
	if err != nil {
		return err
	}
	defer in.Close()
	text := counting{in: in, last: '\n'}
	ids := func() func([]byte, *string) error {
		return func(line []byte, id *string) error {
			*id = indexedID(line)
			return nil
		}
	}
	torn, err := scanLines(s.path, &text, jobs, ids, func(at position, id *string) error {
		at.offset += i.dir.Plain
		at.number += i.dir.Lines
		i.entries = append(i.entries, entry{*id, at})
		return nil
	})
	if err == nil && (torn || text.last != '\n' || raw.at != end) {
		err = errNoIndex
	}
	if err == nil && s.compressed {
		err = i.addFrames(s, end)
	}
	i.dir.Sums, i.dir.Covered = raw.sums, end
	i.dir.Plain += text.size
	i.dir.Lines += text.newlines
	slices.SortFunc(i.entries, func(a, b entry) int {
		if c := strings.Compare(a.id, b.id); c != 0 {
			return c
		}
		return a.number - b.number
	})
	return err
}

// addFrames lists where the frames up to end begin, as far as they say how long
// their content is.
func (i *index) addFrames(s *source, end int64) error {
	at, plain := i.dir.Covered, i.dir.Plain
	for at < end {
		i.dir.Frames = append(i.dir.Frames, framePosition{at, plain})
		f, err := readFrame(s.file, at)
		if err != nil {
			return err
		}
		if f.size < 0 {
			return nil
		}
		at, plain = at+f.length, plain+f.size
	}
	return nil
}

// find returns the entries of the ids that begin with the given text and those of
// lines that are no records, in the file's order.
func (i *index) find(id string) []entry {
	var found []entry
	for _, prefix := range prefixes(id) {
		found = append(found, withPrefix(from(i.entries, prefix), prefix)...)
	}
	return inOrder(found)
}

// prefixes returns what the ids of the lines that are wanted begin with.
func prefixes(id string) []string {
	if strings.HasPrefix(brokenID, id) {
		return []string{id}
	}
	return []string{id, brokenID}
}

// from returns the part of a sorted list that begins with an id.
func from(list []entry, id string) []entry {
	first, _ := slices.BinarySearchFunc(list, id, func(e entry, id string) int { return strings.Compare(e.id, id) })
	return list[first:]
}

// withPrefix returns the entries at the beginning of a sorted list whose ids
// begin with the given text.
func withPrefix(list []entry, id string) []entry {
	n := 0
	for n < len(list) && strings.HasPrefix(list[n].id, id) {
		n++
	}
	return list[:n]
}

// inOrder sorts entries in the file's order.
func inOrder(list []entry) []entry {
	slices.SortFunc(list, func(a, b entry) int { return a.number - b.number })
	return list
}

// indexedID returns the id of a record, brokenID if the line is none.
func indexedID(line []byte) (id string) {
	c := jsonScanner{text: line}
	c.object(recordForm, func(i int) {
		if m := &recordForm.members[i]; m.name == "id" {
			id = string(c.nameText())
		} else {
			c.value(m)
		}
	})
	if c.result() != nil {
		return brokenID
	}
	return id
}
