package record

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Spool holds records on disk while umpire runs, in an unnamed file of which
// nothing is left however umpire ends.
type Spool struct {
	file   *os.File
	writer *Writer
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
	return &Spool{f, &Writer{file: f}}, nil
}

// Write appends a record.
func (s *Spool) Write(r Record) error { return s.writer.Write(r) }

// Save makes a file hold the records or, if they have more than limit bytes, as
// many of them as fit, first those in which a seat that the house had not taken
// failed. A concurrent reader sees either the old file or the new.
func (s *Spool) Save(path string, limit int64) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	if s.writer.size <= limit {
		_, err = io.Copy(f, s.all())
	} else {
		err = s.saveSome(f, limit)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

func (s *Spool) all() io.Reader { return io.NewSectionReader(s.file, 0, s.writer.size) }

// saveSome writes records of at most limit bytes, those that failed first.
func (s *Spool) saveSome(to io.Writer, limit int64) error {
	for _, failed := range []bool{true, false} {
		for line, err := range Lines(s.file.Name(), s.all()) {
			var r Record
			if err == nil {
				r, err = line.Record()
			}
			if err != nil {
				return err
			}
			n := int64(len(line.Bytes)) + 1
			if (r.Error != "" || r.FirstFailure() != "") != failed || n > limit {
				continue
			}
			limit -= n
			if _, err := to.Write(append(line.Bytes, '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close frees the disk space.
func (s *Spool) Close() error { return s.writer.Close() }
