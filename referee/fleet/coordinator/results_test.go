package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
)

// TestDropped: records that were sent and have not arrived, as when a connection is cut, are
// taken all the same: nobody plays their matches again.
func TestDropped(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	must(t, c.results.begin(t.Context()))
	dropped, err := c.results.consumer.Fetch(3, jetstream.FetchMaxWait(patience))
	must(t, err)
	honestJoins(t, s)
	run, got := start(t, c, arenatest.Sums(20))
	for msg := range dropped.Messages() {
		t.Log("dropped", msg.Subject())
	}
	if err := ended(t, run); err != nil || len(*got) != 20 {
		t.Fatalf("found %d records, error %v; expected 20", len(*got), err)
	}
	for _, r := range *got {
		if r.Error != "" {
			t.Errorf("record %s: error %q", r.ID, r.Error)
		}
	}
	if f := c.Status(); f.Records != 20 {
		t.Errorf("found %d records of workers, expected 20", f.Records)
	}
}

// deaf is a server that answers, and stores nothing.
type deaf struct{ jetstream.JetStream }

func (deaf) PublishMsg(context.Context, *nats.Msg, ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	return nil, nats.ErrTimeout
}

// TestFullDisk: a server that answers and stores nothing for several tries has a full disk,
// which the error names: the run folder's, or the server's own. Records that come in
// between, or a server that is gone for a time, are no reason to end.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	works := c.js
	for range 2 * maxFailures {
		must(t, c.results.try(t.Context())) // what works stores it
	}
	w := newByHand(t, s)
	fails := func(want string) {
		t.Helper()
		c.js = deaf{works}
		must(t, c.results.try(t.Context())) // a record has come since the last time
		for range maxFailures - 1 {
			must(t, c.results.try(t.Context()))
		}
		if err := c.results.try(t.Context()); err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("found %v, expected %s", err, want)
		}
		w.store(&nats.Msg{Subject: w.names.Result(w.id, fleet.NewName(), "0")})
	}
	w.store(&nats.Msg{Subject: w.names.Result(w.id, fleet.NewName(), "0")})
	fails(`^matches under way can't be stored in .*: its disk may be full \(nats: timeout\); make room and resume the run$`)
	c.config.Server = nil
	fails(`^the NATS server answers, but does not store what is sent to stream umpire-\w+-results: its disk may be full \(nats: timeout\); make room and restart it$`)
	must(t, c.results.try(t.Context()))
	must(t, c.results.try(t.Context()))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	must(t, c.results.try(gone))
	for range maxFailures - 1 {
		must(t, c.results.try(t.Context()))
	}
}

// TestNoHello: the connection of who stores records and never says hello ends, which is said once, and
// the run goes on; so it is at a server that outlives the run. Honest workers may have joined another
// coordinator of the run.
func TestNoHello(t *testing.T) {
	t.Parallel()
	var notes, standing atomic.Int32
	count := func(notes *atomic.Int32) func(format string, args ...any) {
		return func(format string, args ...any) {
			if strings.Contains(fmt.Sprintf(format, args...), "it stores records and has never joined") {
				notes.Add(1)
			}
		}
	}
	s, c := open(t, Config{Note: count(&notes)})
	noHello(t, s, c, &notes)

	runs, key := keysOf(t, "spring")
	s, err := broker.Start(t.TempDir(), "", nil, runs)
	must(t, err)
	t.Cleanup(s.Close)
	noHello(t, s, standingRun(t, serve(t, s), key["spring"], "run", count(&standing)), &standing)
}

func noHello(t *testing.T, s *broker.Server, c *Coordinator, notes *atomic.Int32) {
	t.Helper()
	flood, former := connects(t, s, s.Token), connects(t, s, s.Token)
	flood.names, former.names = c.names, c.names
	c.lead.name(t.Context(), former.id, "former")
	run, got := start(t, c, arenatest.Sums(5))
	for n := range 5 {
		former.store(&nats.Msg{Subject: former.names.Result(former.id, "job", fmt.Sprint(n)), Data: []byte("{}")})
		must(t, flood.nc.Publish(flood.names.Result(flood.id, "job", fmt.Sprint(n)), []byte("{}")))
	}
	within(t, "the connection to end for good", flood.nc.IsClosed)
	if n := notes.Load(); n != 1 || former.nc.Stats().Reconnects > 0 || !former.nc.IsConnected() {
		t.Errorf("found %d notes, expected 1; the former worker is connected: %v", n, former.nc.IsConnected())
	}
	honestJoins(t, s)
	allPlayed(t, run, got, 5)
}

// sent is a record on its way to the coordinator.
type sent struct {
	jetstream.Msg
	subject string
	data    []byte
	read    *atomic.Int32 // how often any was
}

func (s sent) Data() []byte    { s.read.Add(1); return s.data }
func (s sent) Subject() string { return s.subject }

// TestUnpacked: of records that take much room, few are unpacked before the first are written.
func TestUnpacked(t *testing.T) {
	t.Parallel()
	_, c := open(t, Config{Stored: 1 << 20})
	r := arenatest.Sums(1)[0].Record()
	r.Seats[0].Stderr = strings.Repeat("x", 1<<20)
	data, err := json.Marshal(r)
	must(t, err)
	subject := c.names.Result("lab", "job", c.place("lab", "job", 0, hashOf(r.FullName())))
	one := sent{subject: subject, data: fleet.Pack(data), read: new(atomic.Int32)}
	run := &run{c: c, schedule: c.dispatcher.Begin(), changed: make(chan struct{})}
	run.schedule.EndEntries(time.Now()) // so that it is over once the first have been written
	c.results.old = 1                   // they came while no coordinator was there
	err = run.takeResults(slices.Repeat([]stored{{one, 1}}, 100*runtime.GOMAXPROCS(0)))
	if n := int(one.read.Load()); !errors.Is(err, errSettled) || n == 0 || n > 1+runtime.GOMAXPROCS(0) {
		t.Errorf("found %d records unpacked, error %v", n, err)
	}
}

// TestRefusedCase: that the judge refuses a case ends a run if the judge of this machine says so, too.
func TestRefusedCase(t *testing.T) {
	t.Parallel()
	says := func(err error) func(arena.Fixture) error {
		return func(arena.Fixture) error { return err }
	}
	refused := &arena.CaseError{Name: "x"}
	for n, check := range []func(arena.Fixture) error{nil, says(nil), says(refused)} {
		s, c := open(t, Config{CheckCase: check})
		w := newByHandAs(t, s, "liar", "")
		run, got := start(t, c, arenatest.Sums(1))
		j := w.take()
		c.do(func(now time.Time) {
			c.dispatcher.TooLarge(j.id, errors.New("the judge refuses the case: I say so"), now)
		})
		if err := ended(t, run); errors.Is(err, refused) != (n == 2) || len(*got) != min(1, 2-n) {
			t.Errorf("judge %d: found %v and %d records", n, err, len(*got))
		}
	}
}

// TestLargeRecords: of large records fewer are asked for at a time. Those that have been taken are
// removed, but for the last.
func TestLargeRecords(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Games: games})
	w := newByHand(t, s)
	store := func(size int) {
		w.store(&nats.Msg{Subject: w.names.Result(w.id, fleet.NewName(), "0"), Data: make([]byte, size)})
	}
	await := func(n int, wait time.Duration) (most int) {
		t.Helper()
		for taken := 0; taken < n; {
			batch := 0
			err := c.results.fetch(t.Context(), wait, func(list []stored) error {
				batch += len(list)
				return nil
			})
			if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errUnarrived) { // or else it is tried again, as collect does
				must(t, err)
			}
			taken, most = taken+batch, max(most, batch)
		}
		return most
	}
	fetch := func(size, n int, wait time.Duration) (most int) {
		t.Helper()
		for range n {
			store(size)
		}
		return await(n, wait)
	}
	if most := fetch(1, 2*(maxFetch-1), fleet.AskWait); most != maxFetch {
		t.Errorf("found %d small records in a fetch, expected %d", most, maxFetch)
	}
	// One that was sent when nobody waited for it any more is sent again.
	must(t, c.results.begin(t.Context()))
	store(1)
	sent, err := c.results.consumer.Fetch(1, jetstream.FetchMaxWait(fleet.AskWait))
	must(t, err)
	<-sent.Messages()
	await(1, fleet.Together)

	fetch(fetchBytes/4, 1, time.Second)
	if most := fetch(fetchBytes/4, 10, time.Second); most > 8 {
		t.Errorf("found %d large records in a fetch, expected 8 at most", most)
	}
	c.results.removed = time.Time{}
	fetch(1, 1, fleet.Together)
	if info, err := c.results.stream.Info(t.Context()); err != nil || info.State.Msgs != 1 {
		t.Errorf("found %+v, error %v, expected 1 record", info, err)
	}
}
