package fleet

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

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

// TestMayStore: a server that answers and stores nothing for several attempts has
// a full disk, which the error names: the run folder's, or the server's own.
func TestMayStore(t *testing.T) {
	_, c := open(t, Config{})
	c.Server.folder = filepath.Join(t.TempDir(), "run", "fleet") // where nothing can be written
	stream := c.names.results()
	for tries := range maxSilent {
		if err := c.mayStore(t.Context(), stream, tries, nats.ErrTimeout); err != nil {
			t.Errorf("after %d attempts: %v", tries, err)
		}
	}
	full := func(want string) {
		t.Helper()
		err := c.mayStore(t.Context(), stream, maxSilent, nats.ErrTimeout)
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("found %v, expected %s", err, want)
		}
	}
	full(`^matches under way can't be stored in .*run/fleet: its disk may be full \(open .*/try: no such file or directory\); make room and resume the run$`)
	if err := c.mayStore(t.Context(), "nowhere", maxSilent, nats.ErrTimeout); err != nil {
		t.Errorf("the server is not there: %v", err)
	}
	s := c.Server
	c.Server = nil
	full(`^the NATS server answers, but does not store what is sent to stream umpire-\w+-results: its disk may be full \(nats: timeout\); make room and restart it$`)
	c.Server = s
}
