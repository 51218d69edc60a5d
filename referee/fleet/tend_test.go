package fleet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// TestTrim: results that the run folder has are removed but for the last ones,
// and a second result of such a match, which the server then stores, does not
// count.
func TestTrim(t *testing.T) {
	s, c := open(t, Config{})
	w := newByHand(t, s)
	list := sums(3)
	records := make(chan record.Record, 10)
	done := make(chan error, 1)
	go func() {
		done <- c.Run(t.Context(), slices.Values(list), func(_ int, r record.Record) error {
			records <- r
			return nil
		})
	}()
	next := func() record.Record {
		t.Helper()
		select {
		case r := <-records:
			return r
		case <-time.After(time.Minute):
			t.Fatal("waited a minute for a record")
		}
		panic("not reached")
	}
	job := w.take()
	late, err := resultMessage(strings.Replace(job.Subject(), ".work."+needs(nil).class()+".", ".result.", 1)+".0", w.myTicket(), list[0].Record())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.js.PublishMsg(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	next()
	for end := time.Now().Add(time.Minute); ; {
		results, err := c.js.Stream(t.Context(), c.names.results())
		if err == nil {
			err = c.trim(t.Context(), results, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		if results.CachedInfo().State.Msgs == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("waited a minute for the results to be removed")
		}
	}
	if _, err := w.js.PublishMsg(t.Context(), late); err != nil {
		t.Fatalf("a second result of a match whose first one is removed: %v", err)
	}
	if err := job.Nak(); err != nil { // another worker plays it all again
		t.Fatal(err)
	}
	join(t, s, arena.Local{Games: []protocols.Game{protocoltest.Sum()}, Players: []referee.Player{one{}}, Jobs: 1})
	next()
	next()
	select {
	case err := <-done:
		if err != nil || len(records) != 0 {
			t.Errorf("found error %v and %d more records, expected neither", err, len(records))
		}
	case <-time.After(time.Minute):
		t.Fatal("waited a minute for the end of the run")
	}
}
