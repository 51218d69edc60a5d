package session

import (
	"sync/atomic"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// untilFailed plays the matches of a submission to a problem package up to the first, in
// their order, on which it fails: the format judges no further. Records of others, which
// were played at the same time, are left out.
func (t Test) untilFailed(s *Session, play func() ([]record.Record, error), fixtures []arena.Fixture) ([]record.Record, error) {
	waiting := make([]*record.Record, len(fixtures))
	next, failed := 0, -1
	var enough atomic.Bool
	done := s.Done
	s.runner.Enough = enough.Load
	s.Done = func(n int, r record.Record) {
		if r.Error != "" || r.FirstFailure() != "" {
			enough.Store(true)
		}
		waiting[n] = &r
		for failed < 0 && next < len(waiting) && waiting[next] != nil {
			now := *waiting[next]
			if now.FirstFailure() != "" {
				failed = next
			}
			if done != nil {
				done(next, now)
			}
			next++
		}
	}
	records, err := play()
	if failed >= 0 {
		for n := failed + 1; n < len(records); n++ {
			records[n] = record.Record{}
		}
	}
	return records, err
}
