package fleet

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// sums lists matches that nobody need play.
func sums(n int) []arena.Fixture {
	list := make([]arena.Fixture, n)
	for i := range list {
		list[i] = arena.Fixture{
			Game: protocoltest.Sum().Name, Case: record.Case{Name: "x", Text: "1\n1"}, Repetition: i + 1,
			Limits: record.NewLimits(protocols.Limits{}, ""), Seats: []arena.Seat{{Bot: "six", Digest: "6"}},
		}
	}
	return list
}

// byHand is a worker that the test plays itself.
type byHand struct {
	t *testing.T
	playing
}

func newByHand(t *testing.T, s *Server) *byHand { return newByHandAs(t, s, "", "") }

func newByHandAs(t *testing.T, s *Server, name, isolation string) *byHand {
	t.Helper()
	id := newName()
	nc, err := stranger(t, s, s.Token, id, nats.CustomInboxPrefix(inbox(id)))
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	w := &byHand{t, playing{
		Worker: &Worker{Version: "test", Note: t.Logf, Name: name, Isolation: isolation}, nc: nc, js: js, id: id, pulls: make(map[string]jetstream.Consumer), changed: make(chan struct{}),
	}}
	if err := w.hello(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// take waits for a job.
func (w *byHand) take() jetstream.Msg {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if msg, err := w.fetchOne(w.t.Context(), needs(nil).class(), fetchWait); msg != nil && err == nil {
			return msg
		}
	}
	w.t.Fatal("waited a minute for a job")
	return nil
}

// TestPoison: a match that no worker finishes ends as a record with an error
// after three tries, and leaves the queue; the others are played.
func TestPoison(t *testing.T) {
	s, err := StartServer(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := Open(t.Context(), Config{Server: s, Version: "test", Silence: 100 * time.Millisecond, Note: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(false) })
	w := newByHand(t, s)
	list := sums(1)
	records := make(chan []record.Record, 1)
	go func() {
		var got []record.Record
		if err := c.Run(t.Context(), slices.Values(list), func(_ int, r record.Record) error {
			got = append(got, r)
			return nil
		}); err != nil {
			t.Error(err)
		}
		records <- got
	}()
	for range maxTries {
		w.take() // and is never heard of again
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() { // somebody must ask for it a fourth time
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = w.fetchOne(t.Context(), needs(nil).class(), turnWait)
			}
		}
	}()
	select {
	case got := <-records:
		if len(got) != 1 || !strings.Contains(got[0].Error, "3 workers were given this match") {
			t.Errorf("found %+v", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("waited a minute for the record")
	}
	info, err := c.work.Info(t.Context())
	if err != nil || info.State.Msgs != 0 {
		t.Errorf("the queue: found %d messages, error %v, expected none", info.State.Msgs, err)
	}
}

// TestSecondResult: a second result of the same match is refused, whatever it
// says.
func TestSecondResult(t *testing.T) {
	s, c := open(t, Config{})
	w := newByHand(t, s)
	run, got := start(t, c, sums(1))
	msg := w.take()
	parts := strings.Split(msg.Subject(), ".")
	job := parts[len(parts)-1]
	mine := sums(1)[0].Record()
	mine.Umpire = "first"
	first, err := resultMessage(w.result(job, 0), w.myTicket(), mine)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.js.PublishMsg(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	mine.Umpire = "second"
	again, err := resultMessage(w.result(job, 0), w.myTicket(), mine)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.js.PublishMsg(t.Context(), again); !isDuplicate(err) {
		t.Errorf("the second result: found %v, expected a refusal", err)
	}
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Umpire != "first" {
		t.Errorf("found %+v, error %v", *got, err)
	}
}

// TestLate: the result of a worker whose job was given to others meanwhile counts,
// if there is none yet.
func TestLate(t *testing.T) {
	s, c := open(t, Config{})
	w := newByHand(t, s)
	run, got := start(t, c, sums(1))
	j := fetched(t, w.take().Data())
	q := c.current()
	q.again(j.ID)
	wrong := sums(2)[1].Record()
	for i, r := range []record.Record{wrong, failed(j.Fixtures[0], "test", errors.New("it broke")), j.Fixtures[0].Record()} {
		r.Umpire = strconv.Itoa(i)
		msg, err := resultMessage(w.result(j.ID, 0), w.myTicket(), r)
		if err != nil {
			t.Fatal(err)
		}
		results, err := c.js.Stream(t.Context(), c.names.results())
		if err == nil { // the server would refuse a second one
			err = results.Purge(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.js.PublishMsg(t.Context(), msg); err != nil {
			t.Fatal(err)
		}
		within(t, "the result to be taken", func() bool {
			info, err := c.results.Info(t.Context())
			return err == nil && isTaken(info)
		})
	}
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Umpire != "2" {
		t.Errorf("found %+v, error %v, expected the record of the match that was played", *got, err)
	}
	if n := len(q.past) + len(q.jobs) + len(q.pending); n != 0 {
		t.Errorf("found %d jobs and matches when all are over", n)
	}
}
