package worker

import (
	"testing"
	"time"

	"umpire/referee/record"
)

// waited is the record of a match of ten replies of 100 ms each, which waited
// for CPUs for a share of that.
func waited(share float64) *record.Record {
	r := &record.Record{}
	for range 10 {
		r.Events = append(r.Events, record.Event{WallUS: 100_000, WaitUS: int64(100_000 * share)})
	}
	return r
}

// TestStrain: two seconds of replies that have waited make a pause, which
// begins once; the next is twice as long, up to a minute; one good time ends
// that.
func TestStrain(t *testing.T) {
	var s strain
	now := time.Unix(1000, 0)
	match := func(share float64) time.Duration {
		return s.add(waited(share), now)
	}
	for range 10 {
		if pause := match(0.2); pause > 0 {
			t.Fatalf("found a pause of %s where contestants waited little", pause)
		}
	}
	if pause := match(0.5); pause > 0 {
		t.Errorf("found a pause of %s after one match", pause)
	}
	for _, least := range []time.Duration{pauseMin, 2 * pauseMin, 4 * pauseMin, 8 * pauseMin, pauseMax, pauseMax} {
		match(0.5)
		match(0.5) // an odd one is left over from the beginning
		if s.share < 0.4 || s.until.Sub(now) < least || s.until.Sub(now) > least*3/2 {
			t.Errorf("found a pause of %s for %.2f, expected %s to %s", s.until.Sub(now), s.share, least, least*3/2)
		}
		if pause := match(1); pause > 0 {
			t.Errorf("a match that ends in a pause: found another pause of %s", pause)
		}
		now = s.until
	}
	match(0)
	match(0)
	match(0)
	match(0.5)
	match(0.5)
	if left := s.until.Sub(now); left > 2*pauseMin {
		t.Errorf("after a good time: found a pause of %s, expected a short one", left)
	}
}

// TestOwnDoesNotPause: the coordinator's own worker plays on while contestants
// wait for CPUs, so it does not say that it pauses.
func TestOwnDoesNotPause(t *testing.T) {
	for _, own := range []string{"", "run"} {
		l := &line{w: &Worker{Own: own, Note: t.Logf}, taking: t.Context()}
		for range 3 {
			l.strained(waited(0.9))
		}
		p := &playing{l: l}
		if paused := p.now().Paused != ""; paused == (own != "") {
			t.Errorf("own %q: found paused %v", own, paused)
		}
		if !time.Now().Before(l.strain.until) {
			t.Error("found no strain, expected that contestants wait")
		}
		if l.strain.until = time.Now(); p.now().Paused != "" {
			t.Error("found a pause after its end")
		}
	}
}
