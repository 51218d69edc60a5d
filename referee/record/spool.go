package record

import (
	"io"
	"os"
	"slices"
)

// Spool holds records on disk while umpire runs, in an unnamed file of which
// nothing is left however umpire ends.
type Spool struct {
	file   *os.File
	writer *Writer
	kept   []spooled
}

// spooled is a record in the file.
type spooled struct {
	name        string // in full
	rank        int    // where there is not room for all: 0 if a seat failed, or else 1
	begin, size int64  // of its line
}

// NewSpool makes a spool on the disk that folder is on. The folder is created
// if necessary.
func NewSpool(folder string) (*Spool, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	f, err := unnamedFile(folder)
	if err != nil {
		return nil, err
	}
	return &Spool{file: f, writer: &Writer{file: f}}, nil
}

// Write appends a record.
func (s *Spool) Write(r Record) error {
	begin := s.writer.size
	err := s.writer.Write(r)
	if err == nil {
		one := spooled{r.FullName(), 1, begin, s.writer.size - begin}
		if r.Error != "" || r.FirstFailure() != "" {
			one.rank = 0
		}
		s.kept = append(s.kept, one)
	}
	return err
}

// Copy writes the records of these full names, in their order, or all of them if there are
// no names. If they have more than limit bytes, it writes as many as fit, first those in
// which a seat that the house had not taken failed.
func (s *Spool) Copy(w io.Writer, limit int64, names []string) error {
	for _, r := range s.choose(limit, names) {
		if _, err := io.Copy(w, io.NewSectionReader(s.file, r.begin, r.size)); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the records that Copy writes.
func (s *Spool) choose(limit int64, names []string) []spooled {
	list, size := slices.Clone(s.kept), int64(0)
	if names != nil {
		place := make(map[string]int)
		for i, name := range names {
			place[name] = i + 1
		}
		list = slices.DeleteFunc(list, func(r spooled) bool { return place[r.name] == 0 })
		slices.SortStableFunc(list, func(a, b spooled) int { return place[a.name] - place[b.name] })
	}
	for _, r := range list {
		size += r.size
	}
	if size <= limit {
		return list
	}
	slices.SortStableFunc(list, func(a, b spooled) int { return a.rank - b.rank })
	return slices.DeleteFunc(list, func(r spooled) bool {
		fits := r.size <= limit
		if fits {
			limit -= r.size
		}
		return !fits
	})
}

// Close frees the disk space.
func (s *Spool) Close() error { return s.writer.Close() }
