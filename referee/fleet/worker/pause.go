package worker

import (
	"math/rand/v2"
	"time"

	"umpire/referee/record"
)

// When contestants wait for CPUs.
const (
	waitsTime = 2 * time.Second  // of replies, over which it is judged
	waitsMost = 0.25             // of that time, which they may have waited
	pauseMin  = 5 * time.Second  // for the first pause
	pauseMax  = 60 * time.Second // each is twice as long as the one before
)

// strain finds out whether contestants wait for CPUs, since something else uses
// them: then what is measured here is not what the bots would take elsewhere,
// and the worker pauses. The zero value is ready. The line's lock guards it.
type strain struct {
	took, waited time.Duration // of replies since the last judgement
	share        float64       // of the time that they waited, at the last judgement
	pause        time.Duration // the last one; 0 if the last judgement was good
	until        time.Time     // end of the pause
}

// add adds the replies of a match. It returns how long the pause is that begins; 0: none
// does.
func (s *strain) add(r *record.Record, now time.Time) (pause time.Duration) {
	if now.Before(s.until) {
		return 0 // the match began before the pause
	}
	for _, e := range r.Events {
		s.took += time.Duration(e.WallUS) * time.Microsecond
		s.waited += time.Duration(e.WaitUS) * time.Microsecond
	}
	if s.took < waitsTime {
		return 0
	}
	s.share = float64(s.waited) / float64(s.took)
	s.took, s.waited = 0, 0
	if s.share <= waitsMost {
		s.pause = 0
		return 0
	}
	s.pause = min(pauseMax, max(pauseMin, 2*s.pause))
	// Several workers on a machine must not go on together.
	pause = s.pause + time.Duration(rand.Float64()*float64(s.pause)/2)
	s.until = now.Add(pause)
	return pause
}

// strained notes how a match went, and says so when the worker pauses. The
// coordinator's own does not pause, since it may be the only one, but says so.
func (l *line) strained(r *record.Record) {
	if l.w.NoPause {
		return
	}
	var pause time.Duration
	var percent float64
	l.do(func() { pause, percent = l.strain.add(r, time.Now()), 100*l.strain.share })
	switch {
	case pause == 0:
	case l.w.Own != "":
		l.w.Note("umpire: warning: contestants wait for CPUs %.0f %% of their time: something else uses this machine\n", percent)
	default:
		l.w.Note("umpire: contestants wait for CPUs %.0f %% of their time: something else uses this machine; pausing for %s\n", percent, pause.Round(time.Second))
	}
}
