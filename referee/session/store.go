package session

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"umpire/referee/program/build"
	"umpire/referee/record"
)

// stderrFolder is the folder, beside the results, of standard error that is too
// long for a record.
const stderrFolder = "stderr"

// Results says where records are kept.
type Results struct {
	Dir      string // folder; "": they are not kept
	Compress bool
}

// Open opens the folder's results for more records.
func (r Results) Open(ctx context.Context) (*record.Writer, error) {
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return nil, err
	}
	return record.AppendIn(ctx, r.Dir, r.Compress)
}

// excluded returns the names of the workers whose records do not count.
func (r Results) excluded() ([]string, error) {
	if r.Dir == "" {
		return nil, nil
	}
	return linesIn(filepath.Join(r.Dir, fleetFolder, excludedFile))
}

// Store keeps records as their matches end. It is safe for concurrent use.
type Store struct {
	Writer *record.Writer // of the results file; nil if there is none
	Dir    string         // folder of the results file
	// Archive is told of records that can't be lost any more; nil: nobody is.
	Archive func(r record.Record, line []byte) error
	// Withdrawn is called when records have been taken out of the file; nil: nothing is.
	Withdrawn func() error
	// Kept is called with each record that is kept; nil: nothing is.
	Kept func(r record.Record)
	// Relaxed leaves it to the system when the results file gets to the disk: nobody
	// waits for a match's end.
	Relaxed bool

	mu    sync.Mutex
	spool *record.Spool // nil: there is none
	warn  func(format string, args ...any)
}

// openSpool begins to keep the records in the user's cache folder as well, if there
// is one.
func (s *Store) openSpool(tell Tell) {
	s.warn = tell.Warn
	dir, err := build.CacheDir()
	if err != nil {
		return
	}
	if s.spool, err = record.NewSpool(dir); err != nil {
		s.warn("umpire: keep the records: %v\n", err)
	}
}

// closeSpool forgets what was kept in the cache folder.
func (s *Store) closeSpool() {
	if s.spool != nil {
		_ = s.spool.Close()
	}
}

// Keep keeps a record. The line is that of the results file; nil without one.
func (s *Store) Keep(r record.Record) (line []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spool != nil {
		if err := s.spool.Write(r); err != nil {
			s.warn("umpire: keep the records: %v\n", err)
			_ = s.spool.Close()
			s.spool = nil
		}
	}
	if s.Writer != nil {
		line, err = s.Writer.WriteLine(r)
	}
	if err == nil && s.Kept != nil {
		s.Kept(r)
	}
	if err != nil || s.Archive == nil {
		return line, err
	}
	told := line
	if s.Writer == nil {
		told, err = json.Marshal(r)
	} else if !s.Relaxed {
		err = s.Writer.Sync()
	}
	if err == nil {
		err = s.Archive(r, told)
	}
	return line, err
}

// KeepCut keeps the record of a match that was cut off, where there is a results
// file.
func (s *Store) KeepCut(r record.Record) error {
	if s.Writer == nil {
		return nil
	}
	_, err := s.Keep(r)
	return err
}

// Withdraw takes the records of some workers out of the results file.
func (s *Store) Withdraw(ctx context.Context, workers []string) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Writer == nil {
		return nil
	}
	changed, err := renewDigest(s.Dir, false)
	if err != nil {
		return err
	}
	var n int
	if s.Writer, n, err = s.Writer.Withdraw(ctx, s.Dir, workers); err != nil || n == 0 {
		return err
	}
	if !changed {
		_, err = renewDigest(s.Dir, true)
	}
	if err != nil || s.Withdrawn == nil {
		return err
	}
	return s.Withdrawn()
}

// renewDigest renews the digest of the results in the description of a run, unless lines have
// changed.
func (s *Store) renewDigest() error {
	changed, err := renewDigest(s.Dir, false)
	if changed && s.warn != nil {
		s.warn("umpire: %s: lines have changed since their digest was taken; it is not renewed, so that `umpire verify` still says so\n", ResultsIn(s.Dir))
	}
	return err
}

// Close closes the results file, which is to be continued.
func (s *Store) Close() error {
	if s.Writer == nil {
		return nil
	}
	return errors.Join(s.renewDigest(), s.Writer.Close())
}

// Finish closes the results file when all matches have been played: see
// record.Writer.Finish. It is an error if the file was removed meanwhile.
func (s *Store) Finish(ctx context.Context) error {
	if s.Writer == nil {
		return nil
	}
	if err := s.Writer.CheckPlace(); err != nil {
		return errors.Join(err, s.Writer.Close())
	}
	return errors.Join(s.Writer.Sync(), s.renewDigest(), s.Writer.Finish(ctx))
}

// RunsFolder holds the run folders that are named for the user.
const RunsFolder = "runs"
