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
	f, err := os.CreateTemp(folder, "spool-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Spool{f, &Writer{file: f}}, nil
}

// Write appends a record.
func (s *Spool) Write(r Record) error { return s.writer.Write(r) }

// Save makes a file hold exactly the records. A concurrent reader sees either
// the old records or the new.
func (s *Spool) Save(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.NewSectionReader(s.file, 0, s.writer.size))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Close frees the disk space.
func (s *Spool) Close() error { return s.writer.Close() }
