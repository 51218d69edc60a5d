package coordinator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
)

var games = []protocols.Game{protocoltest.Sum()}

// byHand is a worker that the test plays itself, with one slot.
type byHand struct {
	t        *testing.T
	nc       *nats.Conn
	js       jetstream.JetStream
	names    fleet.Names
	id, name string
	last     string // id of the job that it was given last
	first    string // place of the first record of that

	called, isolation string // as it introduces itself
}

func newByHand(t *testing.T, s *broker.Server) *byHand { return newByHandAs(t, s, "", "") }

func newByHandAs(t *testing.T, s *broker.Server, name, isolation string) *byHand {
	t.Helper()
	return newByHandWith(t, s, s.Token, name, isolation)
}

// newByHandWith joins with a key, or the token.
func newByHandWith(t *testing.T, s *broker.Server, key, name, isolation string) *byHand {
	t.Helper()
	w := connects(t, s, key)
	w.called, w.isolation = name, isolation
	answer := w.hello(name, isolation)
	if answer.Refused != "" {
		t.Fatal(answer.Refused)
	}
	w.name = answer.Name
	return w
}

// connects connects with a key, or the token, and does not say hello.
func connects(t *testing.T, s *broker.Server, key string) *byHand {
	t.Helper()
	secret := fleet.NewSecret()
	w := &byHand{t: t, names: s.Names, id: fleet.IDOf(secret)}
	var err error
	w.nc, err = stranger(t, s, key, secret, nats.CustomInboxPrefix(fleet.Inbox(w.id)))
	must(t, err)
	w.js, err = jetstream.New(w.nc, jetstream.WithDefaultTimeout(time.Minute)) // as long as a worker waits
	must(t, err)
	return w
}

func (w *byHand) ask(subject string, question, answer any) {
	w.t.Helper()
	data, err := json.Marshal(question)
	must(w.t, err)
	msg, err := w.nc.Request(subject, data, patience)
	if err == nil {
		err = json.Unmarshal(msg.Data, answer)
	}
	must(w.t, err)
}

func (w *byHand) hello(name, isolation string) (answer fleet.Welcome) {
	w.t.Helper()
	w.ask(fleet.HelloTo(w.id), fleet.Hello{Protocol: fleet.Protocol, Start: w.id, Name: name, Version: "test", Isolation: isolation, Slots: 1}, &answer)
	return answer
}

// say sends a beat, and returns the orders. On a busy machine it may have been silent for
// too long, and says hello again.
func (w *byHand) say(b fleet.Beat) (o fleet.Orders) {
	w.t.Helper()
	b.Start = w.id
	for w.ask(w.names.Beat(w.id), b, &o); !o.Known; w.ask(w.names.Beat(w.id), b, &o) {
		if why := w.hello(w.called, w.isolation).Refused; why != "" {
			return fleet.Orders{Known: true, Refused: why}
		}
	}
	return o
}

// taken is a job, read.
type taken struct {
	id       string
	fixtures []arena.Fixture
	at       []string
}

// take waits for a job.
func (w *byHand) take() (got taken) {
	w.t.Helper()
	var j fleet.Job
	within(w.t, "a job", func() bool {
		msg, err := w.nc.Request(w.names.Take(w.id), fmt.Appendf(nil, `{"start": %q, "last": %q}`, w.id, w.last), fleet.AskWait)
		if err != nil { // it was silent for too long
			w.say(fleet.Beat{})
		}
		return err == nil && json.Unmarshal(msg.Data, &j) == nil && j.ID != ""
	})
	got.id, got.at, w.last, w.first = j.ID, j.At, j.ID, j.At[0]
	must(w.t, json.Unmarshal(j.Fixtures, &got.fixtures))
	return got
}

// store stores a message among the records.
func (w *byHand) store(msg *nats.Msg) {
	w.t.Helper()
	if _, err := w.js.PublishMsg(w.t.Context(), msg); err != nil {
		w.t.Fatal(err)
	}
}

// dropped waits until the worker is told that it is dropped.
func (w *byHand) dropped() (why string) {
	w.t.Helper()
	within(w.t, "the worker to be dropped", func() bool {
		why = w.say(fleet.Beat{}).Refused
		return why != ""
	})
	return why
}

// honestJoins has a worker join that plays what it is given.
func honestJoins(t *testing.T, s *broker.Server) { joinAt(t, serve(t, s), s.Token) }

// TestImpersonation: a worker that knows the id of another, or of the coordinator's own
// worker, can't speak as that, nor read what it is answered.
func TestImpersonation(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Games: games})
	victim := newByHandAs(t, s, "victim", "box")
	for _, id := range []string{victim.id, fleet.IDOf(c.secret)} {
		if _, err := stranger(t, s, s.Token, id); err == nil {
			t.Errorf("somebody connects with id %s as name", id)
		}
	}
	run, got := start(t, c, arenatest.Sums(1))
	j := victim.take()
	thief := newByHandAs(t, s, "thief", "box")
	forged := message(t, thief, j.id, played(t, j.fixtures[0]))
	thief.store(forged) // of a job that it was not given
	if why := thief.dropped(); !strings.Contains(why, "found a record of a match that it was not given") {
		t.Errorf("dropped since %s", why)
	}
	victim.store(message(t, victim, j.id, played(t, j.fixtures[0])))
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Worker != "victim" {
		t.Errorf("found %+v, error %v, expected the victim's record", *got, err)
	}
}

// TestGrab: a worker that takes matches and says nothing costs time, and no match. It is
// dropped.
func TestGrab(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Dispatch: dispatch.Config{Silence: 2 * time.Second}})
	grabber := newByHandAs(t, s, "grabber", "")
	run, got := start(t, c, arenatest.Sums(20))
	for grabber.say(fleet.Beat{}).Refused == "" {
		_ = grabber.nc.PublishRequest(grabber.names.Take(grabber.id), fleet.Inbox(grabber.id)+".x", []byte("{}"))
		_ = worker.Wait(t.Context(), 5*time.Millisecond)
	}
	honestJoins(t, s)
	allPlayed(t, run, got, 20)
}

// TestFlood: a worker that stores as much as it can fills no more than what is kept for
// records, and then others go on.
func TestFlood(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Games: games, Stored: 1 << 20})
	flood := newByHandAs(t, s, "flood", "box")
	kept := 0
	for ; ; kept++ {
		msg := &nats.Msg{Subject: flood.names.Result(flood.id, fmt.Sprint("job", kept), "0"), Data: make([]byte, 100<<10)}
		if _, err := flood.js.PublishMsg(t.Context(), msg); worker.IsFull(err) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if kept != 10 {
		t.Errorf("stored %d messages of 100 KiB, expected 10 in 1 MiB", kept)
	}
	run, got := start(t, c, arenatest.Sums(5))
	if why := flood.dropped(); !strings.Contains(why, "a match that it was not given") {
		t.Errorf("dropped since %s", why)
	}
	honestJoins(t, s)
	allPlayed(t, run, got, 5)
}

// TestSecondCoordinator: when a run is resumed elsewhere, the older coordinator stops.
func TestSecondCoordinator(t *testing.T) {
	t.Parallel()
	s, first := open(t, Config{})
	run, got := start(t, first, arenatest.Sums(1))
	second, err := Open(t.Context(), Config{Server: s, Dispatch: dispatch.Config{Version: "test"}, Note: t.Logf})
	must(t, err)
	defer second.Close(false)
	if err := ended(t, run); err == nil || !strings.Contains(err.Error(), "another umpire has resumed this run") || len(*got) != 0 {
		t.Errorf("found %v and %d records", err, len(*got))
	}
	first.Close(true) // it may not remove what the second needs
	honestJoins(t, s)
	again, played := start(t, second, arenatest.Sums(2))
	if err := ended(t, again); err != nil || len(*played) != 2 {
		t.Errorf("the second: %v and %d records", err, len(*played))
	}
}
