package recheck

import (
	"slices"

	"umpire/referee"
	"umpire/referee/record"
)

// maxAhead is how many matches with failures may be chosen before their turn.
const maxAhead = 10

// Sample chooses a share of the matches at random, and first those in which a bot failed.
type Sample struct {
	share  float64
	owed   float64 // matches that are still to be chosen of those so far
	step   float64 // of owed, at which the next is chosen
	chance func() float64
}

// NewSample returns a Sample of a share from 0 to 1; chance returns a number from 0 to 1.
func NewSample(share float64, chance func() float64) Sample {
	return Sample{share: share, step: 2 * chance(), chance: chance}
}

// Takes reports whether the next match is chosen.
func (s *Sample) Takes(r *record.Record) bool {
	s.owed += s.share
	failed := slices.ContainsFunc(r.Seats, func(seat record.Seat) bool { return seat.Verdict != string(referee.OK) })
	switch {
	case s.share >= 1:
	case s.share > 0 && failed && s.owed > -maxAhead:
		s.owed--
	case s.share > 0 && s.owed >= s.step:
		s.owed -= s.step
		s.step = 2 * s.chance()
	default:
		return false
	}
	return true
}
