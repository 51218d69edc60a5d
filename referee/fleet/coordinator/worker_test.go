package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/status"
	"umpire/referee/fleet/worker"
	"umpire/referee/record"
)

// serve offers a server over HTTP until the test ends, and returns its URL.
func serve(t *testing.T, s *broker.Server) string {
	t.Helper()
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	return web.URL
}

// naming says again and again that a worker holds a job, until the test ends.
func (w *byHand) naming(b fleet.Beat) {
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		data, _ := json.Marshal(b)
		for {
			_, _ = w.nc.Request(w.names.Beat(w.id), data, fleet.AskWait)
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	w.t.Cleanup(func() { close(stop); <-ended })
}

// TestStraggler: a match that a slow worker holds up is given to a second one. The first
// record counts, and the slow worker is told that nobody waits for its own.
func TestStraggler(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Dispatch: dispatch.Config{Late: time.Millisecond}})
	slow := newByHand(t, s)
	run, got := start(t, c, arenatest.Sums(1))
	j := slow.take()
	slow.naming(fleet.Beat{Busy: 1, Jobs: []string{j.id}})
	honestJoins(t, s)
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Error != "" {
		t.Fatalf("found %+v, error %v", *got, err)
	}
	if o := slow.say(fleet.Beat{Jobs: []string{j.id}}); !slices.Contains(o.End, j.id) {
		t.Errorf("found orders %+v, expected that job %s ends", o, j.id)
	}
	if f := c.Status(); f.Seconds != 1 || f.Records != 1 {
		t.Errorf("found %d matches given to a second worker and %d records, expected 1 of each", f.Seconds, f.Records)
	}
}

// failed returns the record of a match that could not be played.
func failed(f arena.Fixture, why string) record.Record {
	r := f.Record()
	r.Umpire = "test"
	r.Finish(referee.Result{}, errors.New(why), time.Now(), 0)
	return r
}

// TestLate: the record of a worker whose job was given to others meanwhile counts, if
// there is none yet; one that says that the match was not played does not.
func TestLate(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Dispatch: dispatch.Config{Silence: time.Second}})
	late, other := newByHandAs(t, s, "late", ""), newByHandAs(t, s, "other", "")
	run, got := start(t, c, arenatest.Sums(1))
	j := late.take()
	other.naming(fleet.Beat{}) // late is silent
	if again := other.take(); again.id != j.id {
		t.Fatalf("found job %s, expected %s", again.id, j.id)
	}
	wrong := failed(j.fixtures[0], "it broke")
	late.store(message(t, late, j.id, wrong))
	within(t, "the record to be taken", func() bool {
		info, err := c.results.stream.Info(t.Context())
		return err == nil && info.State.LastSeq == c.results.taken.Load()
	})
	must(t, c.results.stream.Purge(t.Context())) // the server keeps one of this match
	late.store(message(t, late, j.id, j.fixtures[0].Record()))
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Error != "" {
		t.Errorf("found %+v, error %v, expected the record of the match that was played", *got, err)
	}
}

// TestGivenBack: a worker says why it gives a job back, and another plays it. One that
// does so again and again is dropped.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	w := newByHandAs(t, s, "w", "")
	run, got := start(t, c, arenatest.Sums(2))
	for range 6 {
		j := w.take()
		w.say(fleet.Beat{Back: []fleet.Back{{Job: j.id, Why: "no room"}}})
	}
	if why := w.dropped(); why != "it has not finished what it was given 6 times in a row; the last time it gave a job back" {
		t.Errorf("dropped since %s", why)
	}
	honestJoins(t, s)
	if err := ended(t, run); err != nil || len(*got) != 2 || c.Status().Returned != 6 {
		t.Errorf("found %d records, error %v", len(*got), err)
	}
}

// TestDrain: after Drain the match that is played is finished and recorded, no other is
// given, and Run ends as interrupted.
func TestDrain(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	w := newByHand(t, s)
	run, got := start(t, c, arenatest.Sums(3))
	j := w.take()
	c.Drain()
	within(t, "the order to drain", func() bool { return w.say(fleet.Beat{Busy: 1, Jobs: []string{j.id}}).Drain })
	w.naming(fleet.Beat{Jobs: []string{j.id}})
	select {
	case err := <-run:
		t.Fatalf("the run has ended although a match is played: %v", err)
	default:
	}
	w.store(message(t, w, j.id, j.fixtures[0].Record()))
	if err := ended(t, run); !errors.Is(err, errDrained) || len(*got) != 1 {
		t.Errorf("found error %v and %d records, expected an interrupt and 1", err, len(*got))
	}
	if run, _ := start(t, c, arenatest.Sums(1)); !errors.Is(ended(t, run), errDrained) {
		t.Error("another run has begun")
	}
}

// TestDrainIsBounded: whatever a worker says that it holds, Drain waits for nothing that
// it was not given.
func TestDrainIsBounded(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	w := newByHand(t, s)
	run, _ := start(t, c, nil)
	w.naming(fleet.Beat{Busy: 1, Jobs: []string{"x"}})
	c.Drain()
	if err := ended(t, run); err != nil && !errors.Is(err, errDrained) {
		t.Error(err)
	}
}

// TestElsewhere: a match that umpire failed to play on a worker is given to another one,
// and a worker that fails often where others do not is dropped.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	bad := newByHandAs(t, s, "bad", "")
	honestJoins(t, s)
	within(t, "the other worker", func() bool { bad.say(fleet.Beat{}); return len(c.Now().Workers) == 2 })
	run, got := start(t, c, arenatest.Sums(300))
	inbox, err := bad.nc.SubscribeSync(fleet.Inbox(bad.id) + ".jobs")
	must(t, err)
	why := ""
	var j fleet.Job
	for ; why == "" && len(run) == 0; why = bad.say(fleet.Beat{}).Refused {
		must(t, bad.nc.PublishRequest(bad.names.Take(bad.id), inbox.Subject, fmt.Appendf(nil, `{"last": %q}`, j.ID)))
		msg, err := inbox.NextMsg(20 * time.Millisecond)
		last := j.ID
		if err != nil || json.Unmarshal(msg.Data, &j) != nil || j.ID == last { // an answer that was late is given again
			continue
		}
		var fixtures []arena.Fixture
		must(t, json.Unmarshal(j.Fixtures, &fixtures))
		for i, place := range j.At {
			result := message(t, bad, j.ID, failed(fixtures[i], "no compiler"))
			result.Subject = bad.names.Result(bad.id, j.ID, place)
			bad.store(result)
		}
	}
	if why != "" && why != "it has not finished what it was given 6 times in a row; the last time it failed to play a match that another could" {
		t.Errorf("dropped since %s", why)
	}
	allPlayed(t, run, got, 300)
}

// TestMirrorsTogether: both orders of a pair are in one job, also where there is hardly
// room for more, and where a single match is before them, as after a run was interrupted.
func TestMirrorsTogether(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	w := newByHand(t, s)
	var list []arena.Fixture
	for i := range 3 * dispatch.MinRoom / 2 {
		one := arenatest.Sums(1)[0]
		one.Repetition = i + 1
		one.Seats = []arena.Seat{{Bot: "a", Digest: "a"}, {Bot: "b", Digest: "b"}}
		other := one
		other.Seats = []arena.Seat{one.Seats[1], one.Seats[0]}
		if i > 0 {
			list = append(list, one)
		}
		list = append(list, other)
	}
	run, got := start(t, c, list)
	for left := len(list); left > 0; {
		j := w.take()
		count := make(map[int]int)
		for i, f := range j.fixtures {
			count[f.Repetition]++
			r := f.Record()
			r.WallUS = 1000
			msg := message(t, w, j.id, r)
			msg.Subject = w.names.Result(w.id, j.id, j.at[i])
			w.store(msg)
		}
		for pair, n := range count {
			if pair > 1 && n != 2 {
				t.Errorf("pair %d: found %d of its matches in a job of %d, expected both", pair, n, len(j.fixtures))
			}
		}
		left -= len(j.fixtures)
		w.say(fleet.Beat{})
	}
	if err := ended(t, run); err != nil || len(*got) != len(list) {
		t.Errorf("found %d records, error %v", len(*got), err)
	}
}

// patient answers once records of the matches before have come.
type patient struct {
	one
	come <-chan struct{}
}

func (patient) Identity() referee.Identity { return referee.Identity{Name: "patient", Digest: "9"} }

func (p patient) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return p, nil }

func (p patient) Receive(ctx context.Context, _ referee.Ask) (referee.Reply, error) {
	select {
	case <-p.come:
		return referee.Reply{Text: "1"}, nil
	case <-ctx.Done():
		return referee.Reply{}, context.Cause(ctx)
	}
}

// TestRecordsDoNotWait: the records of a job's short matches come while a long one of it is
// played.
func TestRecordsDoNotWait(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	come := make(chan struct{})
	joinAt(t, serve(t, s), s.Token, patient{come: come})
	list := arenatest.Sums(500)
	list[len(list)-1].Seats = []arena.Seat{{Bot: "patient", Digest: "9"}}
	run, left := make(chan error, 1), len(list)
	go func() {
		run <- c.Run(t.Context(), slices.Values(list), func(int, record.Record) error {
			if left--; left == 1 {
				close(come)
			}
			return nil
		})
	}()
	if err := ended(t, run); err != nil || left > 0 {
		t.Errorf("%d records are missing, error %v", left, err)
	}
}

// TestStates: the state of a run says who plays, and why others do not.
func TestStates(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	c.Progress(func() (int, int) { return 2, 10 })
	first, second, third := newByHand(t, s), newByHand(t, s), newByHand(t, s)
	first.say(fleet.Beat{Busy: 1})
	second.say(fleet.Beat{Paused: "it waits for CPUs"})
	third.say(fleet.Beat{Leaving: true})
	var answer fleet.Welcome
	if third.ask(fleet.HelloTo(third.id), fleet.Hello{Protocol: fleet.Protocol, Version: "old", Slots: 1}, &answer); answer.Refused == "" {
		t.Error("a worker of another version was not refused")
	}
	list, err := (&worker.Worker{URL: serve(t, s), Token: s.Token}).Look(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("found %d runs, error %v", len(list), err)
	}
	f := list[0]
	want := map[string]string{
		first.id: status.Plays, second.id: status.Pauses + " it waits for CPUs",
		third.id: status.Refused + " it is umpire old, and this run is played with test",
	}
	got := make(map[string]string)
	for _, w := range f.Workers {
		got[w.ID] = strings.TrimSpace(w.State + " " + w.Why)
	}
	if !maps.Equal(got, want) {
		t.Errorf("found %v, expected %v", got, want)
	}
	if f.V != 1 || f.Done != 2 || f.Total != 10 || f.Refused != 1 || !f.Workers[1].There() || f.Workers[0].Busy != 1 {
		t.Errorf("found %+v", f)
	}
	if _, err := (&worker.Worker{URL: serve(t, s), Token: "wrong"}).Look(t.Context()); err == nil {
		t.Error("a wrong token was let look")
	}
}

// leftWith gives a worker the first job of a run, whose coordinator ends then.
func leftWith(t *testing.T, c *Coordinator, w *byHand, fixtures []arena.Fixture) (j taken) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	run := make(chan error, 1)
	go func() {
		run <- c.Run(ctx, slices.Values(fixtures), func(int, record.Record) error { return nil })
	}()
	j = w.take()
	stop()
	if err := ended(t, run); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.Close(false)
	return j
}

// TestEarly: a record that was stored while there was no coordinator counts for the next.
func TestEarly(t *testing.T) {
	t.Parallel()
	s, first := open(t, Config{})
	w := newByHand(t, s)
	j := leftWith(t, first, w, arenatest.Sums(1))
	w.store(message(t, w, j.id, j.fixtures[0].Record()))
	second, err := Open(t.Context(), Config{Server: s, Dispatch: dispatch.Config{Version: "test"}, Note: t.Logf})
	must(t, err)
	defer second.Close(false)
	again, got := start(t, second, arenatest.Sums(1))
	allPlayed(t, again, got, 1)
}

// TestEarlyForged: what was stored while there was no coordinator bears the name under which
// its worker had joined, whatever that says. It does not count if it never had, or was not
// given the match.
func TestEarlyForged(t *testing.T) {
	t.Parallel()
	s, first := open(t, Config{Games: games})
	w := newByHandAs(t, s, "liar", "box")
	list := arenatest.Sums(5)
	j := leftWith(t, first, w, list)
	unknown := *w // which has not said hello
	secret := fleet.NewSecret()
	unknown.id = fleet.IDOf(secret)
	nc, err := stranger(t, s, s.Token, secret, nats.CustomInboxPrefix(fleet.Inbox(unknown.id)))
	must(t, err)
	unknown.js, err = jetstream.New(nc)
	must(t, err)
	match, proof, _ := strings.Cut(strings.TrimPrefix(j.at[0], "0-"), "-")
	for i, one := range []struct {
		by         *byHand
		job, place string
	}{{w, j.id, j.at[0]}, {&unknown, j.id, j.at[0]}, {w, "another", j.at[0]}, {w, j.id, fleet.Place(1, match, proof)}, {w, j.id, "0" + j.at[0]}} {
		r := played(t, list[i])
		r.Worker = "an honest worker"
		msg := message(t, one.by, one.job, r)
		msg.Subject = one.by.names.Result(one.by.id, one.job, one.place)
		one.by.store(msg)
	}
	second, err := Open(t.Context(), Config{Server: s, Games: games, Dispatch: dispatch.Config{Version: "test"}, Note: t.Logf})
	must(t, err)
	defer second.Close(false)
	again, got := make(chan error, 1), make(chan record.Record, len(list))
	go func() {
		again <- second.Run(t.Context(), slices.Values(list), func(_ int, r record.Record) error {
			got <- r
			return nil
		})
	}()
	within(t, "the record that was stored before", func() bool { return len(got) > 0 })
	other := newByHandAs(t, s, "liar", "box")
	for range list[1:] {
		left := other.take()
		other.store(message(t, other, left.id, played(t, left.fixtures[0])))
	}
	must(t, ended(t, again))
	for i := range list {
		want := "liar"
		if i > 0 {
			want = "liar#2" // another of that name
		}
		if r := <-got; r.Worker != want || r.Error != "" {
			t.Errorf("record %d: found one of worker %s, %s, expected one of %s", i, r.Worker, r.Error, want)
		}
	}
}
