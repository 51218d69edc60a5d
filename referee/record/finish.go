package record

import (
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// Time is a time as Record.Started has it.
func Time(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// Finish completes a record that already has its game, case, limits, seats and
// repetition with how the match ended. err is why it has no outcome, whatever played says.
func (r *Record) Finish(played referee.Result, err error, started time.Time, wall time.Duration) {
	r.V, r.Started, r.WallUS = Version, Time(started), wall.Microseconds()
	r.setTalk(played.Talk)
	r.Events = make([]Event, len(played.Events))
	for i, s := range played.Seats {
		if err != nil {
			s.Outcome, s.Verdict, s.Detail = protocols.Outcome{}, "", ""
		}
		r.Seats[i].fill(s)
	}
	for i, e := range played.Events {
		r.Events[i] = newEvent(e, r.Limits.cpu(), referee.Verdict(r.Seats[e.Seat-1].Verdict))
	}
	for _, e := range played.Exchanges {
		r.Exchanges = append(r.Exchanges, newExchange(e))
	}
	if err != nil {
		r.Error = err.Error()
	}
	r.ID = r.Identity()
}

// Fail makes a record that of a match that umpire failed to play, and says why.
func (r *Record) Fail(why error) {
	for i, s := range r.Seats {
		r.Seats[i] = Seat{Bot: s.Bot, Digest: s.Digest, House: s.House, Kind: s.Kind}
	}
	r.Talk, r.TalkGzip, r.Events, r.Exchanges, r.Error = "", "", []Event{}, nil, why.Error()
}

func (s *Seat) fill(p referee.Seat) {
	s.Verdict, s.Detail = string(p.Verdict), text(p.Detail)
	s.Score, s.Place, s.Replies = p.Score, p.Place, p.Replies
	s.WallUS, s.ChargedUS = p.Wall.Microseconds(), p.Charged.Microseconds()
	s.SetUsage(p.Usage)
	if p.Verdict != referee.OK && p.Verdict != referee.Wrong {
		s.Early += p.Usage.Unasked // otherwise they may be what it says at the end
	}
}

// SetUsage fills in what the contestant in the seat has used and written.
func (s *Seat) SetUsage(u referee.Usage) {
	s.CPUUS, s.PeakBytes, s.Early = u.CPU.Microseconds(), u.Memory, u.Early
	s.Stderr, s.StderrAfter, s.StderrBytes = text(string(u.Stderr)), text(string(u.StderrAfter)), u.StderrBytes
}
