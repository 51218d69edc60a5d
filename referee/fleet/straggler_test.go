package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// within waits for something to come true.
func within(t *testing.T, what string, true func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// say sends a beat, and returns the orders.
func (w *byHand) say(b beat) (o orders) {
	w.t.Helper()
	if err := w.ask(w.t.Context(), w.beat(w.id), b, &o); err != nil {
		w.t.Fatal(err)
	}
	return o
}

// beating says again and again what a worker plays, until it is stopped or the
// test ends.
func (w *byHand) beating(b beat) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_ = w.ask(ctx, w.beat(w.id), b, new(orders))
			_ = wait(ctx, 20*time.Millisecond)
		}
	}()
	stop = func() { cancel(); <-ended }
	w.t.Cleanup(stop)
	return stop
}

// fetched returns the job in a message.
func fetched(t *testing.T, data []byte) (j job) {
	t.Helper()
	if err := json.Unmarshal(data, &j); err != nil {
		t.Fatal(err)
	}
	return j
}

// ended waits for a Run to end.
func ended(t *testing.T, run <-chan error) error {
	t.Helper()
	select {
	case err := <-run:
		return err
	case <-time.After(time.Minute):
		t.Fatal("waited a minute for the end of the run")
		return nil
	}
}

// start begins a Run, whose records are in got when it has ended.
func start(t *testing.T, c *Coordinator, fixtures []arena.Fixture) (run <-chan error, got *[]record.Record) {
	t.Helper()
	done := make(chan error, 1)
	got = new([]record.Record)
	go func() {
		done <- c.Run(t.Context(), slices.Values(fixtures), func(_ int, r record.Record) error {
			*got = append(*got, r)
			return nil
		})
	}()
	return done, got
}

// TestStraggler: a match that a slow worker holds up is given to a second one.
// The first result counts, and the slow worker's is refused and counted.
func TestStraggler(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Late: time.Millisecond})
	slow := newByHand(t, s)
	run, got := start(t, c, sums(1))
	msg := slow.take()
	defer keepAlive(msg, new(outbox))()
	j := fetched(t, msg.Data())
	stop := slow.beating(beat{Busy: 1, Jobs: []string{j.ID}})
	join(t, s, arena.Local{Games: []protocols.Game{protocoltest.Sum()}, Players: []referee.Player{one{}}, Jobs: 1})
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Error != "" {
		t.Fatalf("found %+v, error %v", *got, err)
	}
	out := &outbox{playing: &slow.playing, job: j.ID}
	late := (*got)[0]
	late.Umpire = "late"
	if err := out.put(j.at(0), late); err != nil {
		t.Fatal(err)
	}
	if err := out.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop() // a beat without the second result, between two with it, has it counted twice
	slow.say(slow.now())
	if f := c.Status(); f.Seconds != 1 || f.Records != 1 || f.Duplicates != 1 {
		t.Errorf("found %d matches given to a second worker, %d records and %d second results, expected 1 of each", f.Seconds, f.Records, f.Duplicates)
	}
	if stored, err := c.js.Stream(t.Context(), c.names.results()); err != nil || stored.CachedInfo().State.Msgs != 1 {
		t.Errorf("found results %+v, error %v, expected 1", stored, err)
	}
}

// TestNoStraggler: as long as a worker does nothing else that is unusual, and
// nobody else is there, a match is given to nobody else.
func TestNoStraggler(t *testing.T) {
	q := newQueue(&Coordinator{Config: Config{Late: time.Second}}, nil)
	q.fed, q.mean = true, 10*time.Second
	g := &given{entries: []*entry{{}, {}}}
	q.jobs["x"] = g
	begun := time.Now()
	plays := hands{holders: map[string][]string{"x": {"slow"}}}
	free := func(id string) hands {
		return hands{holders: plays.holders, idle: []idle{{hello{ID: id}, 1}}}
	}
	for _, c := range []struct {
		name  string
		after time.Duration
		hands hands
		want  string
	}{
		{"nobody plays it", 0, hands{idle: []idle{{hello{ID: "other"}, 1}}}, ""},
		{"it has just begun", 0, free("other"), ""},
		{"as long as two of ten seconds may take", 59 * time.Second, free("other"), ""},
		{"the idle worker is the slow one", time.Hour, free("slow"), ""},
		{"nobody is idle", time.Hour, plays, ""},
		{"it is late", time.Hour, free("other"), "other"},
		{"it was given to a second one", 2 * time.Hour, free("third"), ""},
	} {
		to := ""
		for _, s := range q.late(c.hands, begun.Add(c.after)) {
			to = s.to.ID
		}
		if to != c.want {
			t.Errorf("%s: given to %q, expected %q", c.name, to, c.want)
		}
	}
}

// TestDrain: after Drain the match that is played is finished and recorded, the
// others are given back, and Run ends as interrupted.
func TestDrain(t *testing.T) {
	s, c := open(t, Config{Late: time.Millisecond})
	w := newByHand(t, s)
	run, got := start(t, c, sums(3))
	msg := w.take()
	j := fetched(t, msg.Data())
	w.say(beat{Busy: 1, Jobs: []string{j.ID}})
	c.Drain()
	within(t, "the order to drain", func() bool { return w.say(beat{Busy: 1, Jobs: []string{j.ID}}).Drain })
	if more, err := w.fetchOne(t.Context(), needs(nil).class(), 0); more != nil || err != nil {
		t.Errorf("fetched another job, error %v", err)
	}
	for range 3 {
		w.say(beat{Busy: 1, Jobs: []string{j.ID}})
		if lists := c.current().forgotten(true); lists != nil {
			t.Errorf("jobs that are played, or were not begun, are given again: %v", lists)
		}
	}
	select {
	case err := <-run:
		t.Fatalf("the run has ended although a match is played: %v", err)
	default:
	}
	r := sums(1)[0].Record()
	out := &outbox{playing: &w.playing, job: j.ID}
	if err := out.put(0, r); err != nil {
		t.Fatal(err)
	}
	if err := out.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.beating(beat{})
	if err := ended(t, run); !errors.Is(err, context.Canceled) || len(*got) != 1 {
		t.Errorf("found error %v and %d records, expected an interrupt and 1", err, len(*got))
	}
	if run, _ := start(t, c, sums(1)); !errors.Is(ended(t, run), context.Canceled) {
		t.Error("another run has begun")
	}
}

// TestStates: the state of a run says who plays, and why others do not.
func TestStates(t *testing.T) {
	s, c := open(t, Config{Late: time.Millisecond})
	c.Progress(func() (int, int) { return 2, 10 })
	first, second := newByHand(t, s), newByHand(t, s)
	first.say(beat{Busy: 1})
	second.say(beat{Paused: "it waits for CPUs"})
	third := newByHand(t, s)
	third.say(beat{Leaving: true})
	old := &byHand{t, playing{Worker: &Worker{Version: "old"}, nc: third.nc, id: third.id}}
	if err := old.hello(t.Context()); err == nil {
		t.Error("a worker of another version was not refused")
	}
	f, err := (&Worker{URL: serve(t, s), Token: s.Token}).Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		first.id: status.Plays, second.id: status.Pauses + " it waits for CPUs",
		third.id: status.Refused + " it is umpire old, and this run is played with test",
	}
	got := make(map[string]string)
	for _, w := range f.Workers {
		got[w.ID] = w.State
		if w.Why != "" {
			got[w.ID] += " " + w.Why
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("found %v, expected %v", got, want)
	}
	if f.V != 1 || f.Done != 2 || f.Total != 10 || f.Refused != 1 || f.Present() != 2 || f.Playing() != 1 {
		t.Errorf("found %+v", f)
	}
	if _, err := (&Worker{URL: serve(t, s), Token: "wrong"}).Look(t.Context()); err == nil {
		t.Error("a wrong token was let look")
	}
}

// serve offers a server over HTTP until the test ends, and returns its URL.
func serve(t *testing.T, s *Server) string {
	t.Helper()
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	return web.URL
}

// TestMeter: the rate is that of the last minute.
func TestMeter(t *testing.T) {
	var m meter
	begun := time.Now()
	if m.rate(begun) != 0 {
		t.Error("a rate before anything happened")
	}
	for i := range 200 { // two a second
		m.add(begun.Add(time.Duration(i) * time.Second / 2))
	}
	if rate := m.rate(begun.Add(99 * time.Second)); math.Abs(rate-2) > 0.05 {
		t.Errorf("found %v a second, expected 2", rate)
	}
	if rate := m.rate(begun.Add(129500 * time.Millisecond)); math.Abs(rate-1) > 0.05 {
		t.Errorf("half a minute later: found %v a second, expected 1", rate)
	}
	if rate := m.rate(begun.Add(time.Hour)); rate != 0 {
		t.Errorf("an hour later: found %v a second, expected 0", rate)
	}
}
