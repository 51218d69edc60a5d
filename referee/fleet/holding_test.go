package fleet

import (
	"errors"
	"fmt"
	"net/http/httptest"
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

// limited lists matches of one seat with a budget.
func limited(n int, budget time.Duration) []arena.Fixture {
	list := sums(n)
	for i := range list {
		list[i].Limits = record.NewLimits(protocols.Limits{Time: budget}, "")
	}
	return list
}

// hoard takes so many jobs, and says that they are in progress until the test
// ends. It waits until the coordinator has heard of all.
func hoard(t *testing.T, c *Coordinator, w *byHand, n int) {
	t.Helper()
	for range n {
		t.Cleanup(keepAlive(w.take(), new(outbox)))
	}
	within(t, "the coordinator to hear of the jobs", func() bool { return len(holdsOf(c, w)) >= n })
}

// holdsOf returns what is known of a worker's jobs.
func holdsOf(c *Coordinator, w *byHand) (list []*hold) {
	h := &c.current().holdings
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.messages {
		if one := m.by[w.id]; one != nil {
			list = append(list, one)
		}
	}
	return list
}

// age makes a worker's jobs older.
func age(c *Coordinator, w *byHand, by time.Duration) {
	list := holdsOf(c, w)
	h := &c.current().holdings
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range list {
		one.since = one.since.Add(-by)
	}
}

// honestJoins has a worker join that plays what it is given.
func honestJoins(t *testing.T, s *Server) {
	t.Helper()
	join(t, s, arena.Local{Games: []protocols.Game{protocoltest.Sum()}, Players: []referee.Player{one{}}, Jobs: 1})
}

// TestHog: a worker that keeps several jobs for longer than their matches can
// take is dropped, although it does not tell in its beats that it has them, and
// others play the matches.
func TestHog(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	hog := newByHandAs(t, s, "hog", "")
	run, got := start(t, c, limited(maxOverdue, time.Second))
	hoard(t, c, hog, maxOverdue)
	honestJoins(t, s)
	within(t, "the other worker", func() bool { hog.say(beat{}); f := c.Now(); return f.Present() == 2 })
	most, _ := mayHold([]*entry{{f: limited(1, time.Second)[0]}}, 0)
	age(c, hog, most)
	if why := dropped(t, hog); !strings.Contains(why, "it has held 3 jobs for longer than their matches can take; the last, 1 match, for") {
		t.Errorf("dropped since %s", why)
	}
	if err := ended(t, run); err != nil || len(*got) != maxOverdue {
		t.Fatalf("found %d records, error %v", len(*got), err)
	}
	for _, r := range *got {
		if r.Error != "" || r.Worker == "hog" {
			t.Errorf("found error %q, worker %s", r.Error, r.Worker)
		}
	}
}

// TestSlow: a worker that takes nearly as long as it may is left alone, and the
// result of one that takes longer counts if nobody else has one.
func TestSlow(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	slow, other := newByHandAs(t, s, "slow", ""), newByHandAs(t, s, "other", "")
	run, got := start(t, c, limited(1, time.Second))
	msg := slow.take()
	stop := keepAlive(msg, new(outbox))
	defer stop()
	within(t, "the coordinator to hear of the job", func() bool { return len(holdsOf(c, slow)) == 1 })
	most, _ := mayHold([]*entry{{f: limited(1, time.Second)[0]}}, 0)
	age(c, slow, most-time.Minute)
	q := c.current()
	q.checkHoldings(t.Context(), q.crew.hands(), time.Now())
	if n := c.Status().Seconds; n != 0 {
		t.Errorf("the job was given to %d more workers before its time", n)
	}
	age(c, slow, time.Minute)
	within(t, "the job to be given to another", func() bool { other.say(beat{}); slow.say(beat{}); return c.Status().Seconds == 1 })
	out := &outbox{playing: &slow.playing, job: fetched(t, msg.Data()).ID}
	if err := out.put(0, limited(1, time.Second)[0].Record()); err != nil {
		t.Fatal(err)
	}
	if err := out.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := ended(t, run); err != nil || len(*got) != 1 {
		t.Errorf("found %d records, error %v, expected that of the slow worker", len(*got), err)
	}
	if o := slow.say(beat{}); o.Refused != "" {
		t.Errorf("the slow worker is dropped: %s", o.Refused)
	}
}

// TestFlood: a worker that takes many more jobs than it plays is dropped, they
// are played by others, and its connection may be ended for good.
func TestFlood(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	greedy := newByHandAs(t, s, "greedy", "")
	run, got := start(t, c, sums(maxHeld+1))
	hoard(t, c, greedy, maxHeld+1)
	if why := dropped(t, greedy); why != "it holds 4 jobs, and plays only 1 at a time" {
		t.Errorf("dropped since %s", why)
	}
	honestJoins(t, s)
	if err := ended(t, run); err != nil || len(*got) != maxHeld+1 {
		t.Errorf("found %d records, error %v", len(*got), err)
	}
	client, err := greedy.nc.GetClientID()
	if err != nil {
		t.Fatal(err)
	}
	s.kick(greedy.id, client)
	if _, err := stranger(t, s, s.Token, greedy.id); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("the worker connects again: found %v, expected a refusal", err)
	}
}

// TestMayHold: how long a job may be held follows from the budgets of its
// matches; without one it is an hour at least.
func TestMayHold(t *testing.T) {
	entries := func(n int, l protocols.Limits) (list []*entry) {
		for _, f := range sums(n) {
			f.Limits = record.NewLimits(l, "")
			f.Seats = []arena.Seat{{Digest: "a"}, {Digest: "b"}}
			list = append(list, &entry{f: f})
		}
		return list
	}
	for _, c := range []struct {
		list    []*entry
		mean    time.Duration
		most    time.Duration
		limited bool
	}{
		{entries(1, protocols.Limits{Time: time.Second}), 0, 2 * (12 + 180) * time.Second, true},
		{entries(10, protocols.Limits{Time: time.Second, Startup: 2 * time.Second}), time.Hour, 2 * (160 + 180) * time.Second, true},
		{entries(1, protocols.Limits{Time: 10 * time.Second, CPU: true}), 0, 2 * (52 + 180) * time.Second, true},
		{entries(1, protocols.Limits{}), time.Second, time.Hour, false},
		{entries(2, protocols.Limits{PerMove: time.Second}), time.Hour, 40 * time.Hour, false},
	} {
		if most, ok := mayHold(c.list, c.mean); most != c.most || ok != c.limited {
			t.Errorf("%d matches with %+v: found %s, %v, expected %s, %v", len(c.list), c.list[0].f.Limits, most, ok, c.most, c.limited)
		}
	}
}

// TestDroppedBefore: the organiser sees that a worker comes from where another
// was dropped; after several, workers from there are refused, but not from this
// machine.
func TestDroppedBefore(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	first := newByHandAs(t, s, "first", "")
	c.crew.drop(first.id, "it lies")
	second := newByHandAs(t, s, "second", "")
	second.say(beat{})
	why := ""
	for _, w := range c.Status().Workers {
		if w.ID == second.id {
			why = w.Why
		}
	}
	if why != "from its address, 127.0.0.1, first was dropped before" {
		t.Errorf("found %q", why)
	}
	for _, host := range []string{"127.0.0.1", "192.0.2.1"} {
		for i := range maxDropped {
			h := hello{ID: fmt.Sprint(host, i), Name: "liar", Slots: 1, host: host}
			if why := c.crew.refusal(hello{Version: "test", Slots: 1, host: host}); why != "" {
				t.Errorf("%d dropped from %s: refused since %s", i, host, why)
			}
			c.crew.join(h)
			c.crew.drop(h.ID, "it lies")
		}
	}
	for host, want := range map[string]string{"127.0.0.1": "", "192.0.2.1": "3 workers from its address have been dropped", "192.0.2.2": "", "": ""} {
		if why := c.crew.refusal(hello{Version: "test", Slots: 1, host: host}); why != want {
			t.Errorf("a worker from %q: refused since %q, expected %q", host, why, want)
		}
	}
}

// TestForget: of very many workers those that are gone are forgotten, the first
// first, with all that is known of them; their names are free again.
func TestForget(t *testing.T) {
	var c crew
	c.init(&Coordinator{Config: Config{Note: t.Logf}})
	tickets := make(map[string]string)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		_, tickets[id] = c.join(hello{ID: id, Name: "lab", Slots: 1})
	}
	for _, id := range []string{"a", "c", "d", "e"} {
		delete(c.members, id)
	}
	c.forget(2)
	for id, known := range map[string]bool{"a": false, "b": true, "c": false, "d": false, "e": true} {
		if c.giver(tickets[id]).known != known {
			t.Errorf("%s is known: %v, expected %v", id, !known, known)
		}
	}
	if n := len(c.seen) + len(c.tickets) + len(c.order) + len(c.called); n != 8 {
		t.Errorf("found %d entries of 2 workers, expected 8", n)
	}
	if name, _ := c.join(hello{ID: "f", Name: "lab", Slots: 1}); name != "lab" {
		t.Errorf("found name %s, expected that of the one that is forgotten", name)
	}
}

// TestRetire: the consumer of what a certain worker was to play goes when the
// worker has, and is made again if it is needed again.
func TestRetire(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	w := newByHand(t, s)
	mine := needs(nil).and(w.id)
	there := func() int {
		if err := c.class(t.Context(), mine); err != nil {
			t.Fatal(err)
		}
		info, err := c.work.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return info.State.Consumers
	}
	before := there()
	c.retire(t.Context())
	if n := there(); n != before {
		t.Errorf("found %d consumers, expected still %d", n, before)
	}
	w.say(beat{Leaving: true})
	c.retire(t.Context())
	info, err := c.work.Info(t.Context())
	if err != nil || info.State.Consumers != before-1 || len(c.crew.known) != before-1 {
		t.Errorf("found %d consumers, error %v, expected one fewer than %d", info.State.Consumers, err, before)
	}
	if n := there(); n != before {
		t.Errorf("found %d consumers, expected %d again", n, before)
	}
}
