package arena

import (
	"errors"
	"fmt"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
)

// Who was killed by the kernel for want of memory proves nothing: it may be another that
// took the memory. A match that was void for that is played alone, and its contestants
// are weighed; one that held more than its limit has lost when it is played once more.

// isWeighed reports whether the match is to be played alone, and to be weighed.
func (m Match) isWeighed() bool {
	n := len(m.Voids)
	return n > 0 && m.Voids[n-1].Cause == referee.CauseMemory && m.Limits.Memory > 0 && m.Table == nil
}

func (m Match) weigh(seats []referee.Contestant, scale *contestant.Scale) {
	for _, s := range seats {
		if c, ok := s.(*contestant.Contestant); ok {
			c.Weigh(scale)
		}
	}
}

// blame names, in the error of a match that was void for want of memory, the seat that
// held most, if that was more than its limit.
func (m Match) blame(seats []referee.Contestant, err error) {
	void, ok := errors.AsType[*referee.VoidError](err)
	if !ok || void.Cause != referee.CauseMemory {
		return
	}
	most := m.Limits.Memory
	for i, s := range seats {
		if c, ok := s.(*contestant.Contestant); ok && c.Held() > most {
			most = c.Held()
			void.Seat, void.Kind = i+1, protocols.KindMemory
			void.Err = fmt.Errorf("seat %d held %s of memory of the %s that it may, measured when it was ended",
				i+1, referee.Size(most&^(1<<20-1)), referee.Size(m.Limits.Memory))
		}
	}
}

// convicted returns the failure of a seat that was found to hold too much memory.
func (m Match) convicted(seat int) *protocols.Failure {
	for _, v := range m.Voids {
		if v.Seat == seat && v.Cause == referee.CauseMemory && v.Kind == protocols.KindMemory {
			return &protocols.Failure{Kind: v.Kind, Detail: v.Err.Error()}
		}
	}
	return nil
}
