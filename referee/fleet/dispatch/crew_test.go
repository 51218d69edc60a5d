package dispatch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// TestMayHold: how long a job may be held follows from the budgets of its
// matches; without one it is an hour at least.
func TestMayHold(t *testing.T) {
	entries := func(n int, l protocols.Limits) (list []*Match) {
		for _, f := range arenatest.Sums(n) {
			f.Limits = record.NewLimits(l, "")
			f.Seats = []arena.Seat{{Digest: "a"}, {Digest: "b"}}
			list = append(list, &Match{f: f})
		}
		return list
	}
	for _, c := range []struct {
		list    []*Match
		mean    time.Duration
		scale   float64
		most    time.Duration
		limited bool
	}{
		{entries(1, protocols.Limits{Time: time.Second}), 0, 0, 2 * (12 + 180) * time.Second, true},
		{entries(1, protocols.Limits{Time: time.Second}), 0, 1.5, 2 * (13 + 180) * time.Second, true},
		{entries(10, protocols.Limits{Time: time.Second, Startup: 2 * time.Second}), time.Hour, 1, 2 * (160 + 180) * time.Second, true},
		{entries(1, protocols.Limits{Time: 10 * time.Second, CPU: true}), 0, 0, 2 * (52 + 180) * time.Second, true},
		{entries(1, protocols.Limits{}), time.Second, 0, time.Hour, false},
		{entries(2, protocols.Limits{PerMove: time.Second}), time.Hour, 0, 40 * time.Hour, false},
	} {
		if most, ok := mayHold(c.list, c.mean, c.scale); most != c.most || ok != c.limited {
			t.Errorf("%d matches with %+v: found %s, %v, expected %s, %v", len(c.list), c.list[0].f.Limits, most, ok, c.most, c.limited)
		}
	}
}

// aDispatcher is a Dispatcher without workers.
func aDispatcher(own string) *Dispatcher {
	return New(Config{Version: "test", Silence: fleet.LostAfter, Own: own, Chance: rand.Float64})
}

// joins has a worker join.
func joins(c *Dispatcher, id, name, host string, now time.Time) fleet.Welcome {
	return c.Hello(id, fleet.Origin{Host: host}, fleet.Hello{Protocol: fleet.Protocol, Name: name, Version: "test", Slots: 1}, now)
}

// TestReplaced: a newer worker with a key replaces the older, which may say hello once more
// later than the newer one; one that is refused replaces nobody.
func TestReplaced(t *testing.T) {
	d, now := aDispatcher("own"), time.Unix(1e9, 0)
	c := d
	hello := func(start, version string) string {
		return c.Hello("lab", fleet.Origin{Key: "lab"}, fleet.Hello{Protocol: fleet.Protocol, Start: start, Name: "lab", Version: version, Slots: 1}, now).Refused
	}
	beat := func(start string) fleet.Orders { return d.Hear("lab", fleet.Beat{Start: start}, now) }
	if why := hello("older", "test"); why != "" {
		t.Fatal(why)
	}
	if why := hello("wrong", "another"); why == "" || why == fleet.Replaced {
		t.Errorf("found %q, expected a refusal of another version", why)
	}
	if o := beat("older"); !o.Known || o.Refused != "" {
		t.Errorf("found %+v for the older when another was refused, expected that it goes on", o)
	}
	c.part(c.members["lab"], status.Silent, "", false, now)
	if why := hello("wrong", "another"); why == "" || why == fleet.Replaced {
		t.Errorf("found %q, expected a refusal of another version", why)
	}
	if why := hello("older", "test"); why != "" {
		t.Errorf("the older is refused when it is there again: %s", why)
	}
	if why := hello("newer", "test"); why != "" {
		t.Errorf("the newer is refused: %s", why)
	}
	if why := hello("older", "test"); why != fleet.Replaced {
		t.Errorf("found %q when the older says hello again, expected %q", why, fleet.Replaced)
	}
	if o := beat("older"); o.Refused != fleet.Replaced {
		t.Errorf("found %+v for the older, expected that it is replaced", o)
	}
	if o := beat("newer"); !o.Known || o.Refused != "" {
		t.Errorf("found %+v for the newer, expected that it goes on", o)
	}
}

// TestOlder: of two workers with one key that wait for a run the older is refused, whoever says hello first.
func TestOlder(t *testing.T) {
	now := time.Unix(1e9, 0)
	first := map[string]time.Time{"older": now.Add(-2 * time.Hour), "newer": now.Add(-time.Hour)}
	for _, order := range [][]string{{"older", "newer", "older"}, {"newer", "older", "newer"}} {
		d := aDispatcher("own")
		for _, id := range order {
			why := d.Hello(id, fleet.Origin{Key: "lab", First: first[id]}, fleet.Hello{Protocol: fleet.Protocol, Start: id, Version: "test", Slots: 1}, now).Refused
			if want := map[bool]string{true: fleet.Replaced}[id == "older" && d.members["newer"] != nil]; why != want {
				t.Errorf("%v: %s: found %q, expected %q", order, id, why, want)
			}
		}
		if o := d.Hear("newer", fleet.Beat{Start: "newer"}, now); !o.Known || o.Refused != "" {
			t.Errorf("%v: found %+v for the newer, expected that it goes on", order, o)
		}
	}
}

// TestNobodyPlays: where no worker is there, no pace is foretold.
func TestNobodyPlays(t *testing.T) {
	d, now := aDispatcher("own"), time.Unix(1e9, 0)
	joins(d, "a", "a", "", now)
	d.rate.add(now)
	rate := func() float64 {
		var f status.Fleet
		d.Describe(&f, now)
		return f.Rate
	}
	if before := rate(); before <= 0 {
		t.Errorf("found a rate of %v, expected more than 0", before)
	}
	d.part(d.members["a"], status.Left, "", false, now)
	if after := rate(); after != 0 {
		t.Errorf("found a rate of %v without workers, expected 0", after)
	}
}

// TestNewKey: a worker with a new key of its name is let in if the older one was only dropped for its
// removed key, and else is told what to do.
func TestNewKey(t *testing.T) {
	for why, want := range map[string]string{
		fleet.KeyRemoved: "", "it finishes nothing": "it finishes nothing", "it lies": "the worker lab has been excluded from this run; add it under another name",
	} {
		d, now := aDispatcher("own"), time.Unix(1e9, 0)
		hello := func(id string) string {
			return d.Hello(id, fleet.Origin{Key: "lab"}, fleet.Hello{Protocol: fleet.Protocol, Start: id, Version: "test", Slots: 1}, now).Refused
		}
		hello("older")
		end := d.drop
		if why == "it lies" {
			end = d.exclude
		}
		end(d.members["older"], why, now)
		if found := hello("older"); found != why {
			t.Errorf("the older: found %q, expected %q", found, why)
		}
		if found := hello("newer"); found != want {
			t.Errorf("the newer: found %q, expected %q", found, want)
		} else if o := d.Hear("newer", fleet.Beat{Start: "newer"}, now); want == "" && (!o.Known || o.Refused != "") {
			t.Errorf("the newer: found %+v, expected that it takes part", o)
		}
	}
}

// TestRefused: a worker is refused that says of itself what none can be, or more than one may.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(h *fleet.Hello){
		`found isolation "bx", expected none, basic, box or strict`:                                      func(h *fleet.Hello) { h.Isolation = "b\nx" },
		fmt.Sprintf("found 0 matches at a time, expected 1 to %d", fleet.MaxSlots):                       func(h *fleet.Hello) { h.Slots = 0 },
		fmt.Sprintf("found %d matches at a time, expected 1 to %[2]d", fleet.MaxSlots+1, fleet.MaxSlots): func(h *fleet.Hello) { h.Slots = fleet.MaxSlots + 1 },
		fmt.Sprintf("found %d abilities, expected at most %d", fleet.MaxAbilities+1, fleet.MaxAbilities): func(h *fleet.Hello) { h.Abilities = make([]string, fleet.MaxAbilities+1) },
	} {
		h := fleet.Hello{Protocol: fleet.Protocol, Version: "test", Slots: 1}
		change(&h)
		if why := aDispatcher("own").Hello("id", fleet.Origin{}, h, time.Unix(1e9, 0)).Refused; why != want {
			t.Errorf("found %q, expected %q", why, want)
		}
	}
}

// TestReplacedAlone: a worker with a key that says it began as another did has nobody refused
// but itself when it is replaced.
func TestReplacedAlone(t *testing.T) {
	d, now := aDispatcher("own"), time.Unix(1e9, 0)
	hello := func(id, key, start string) string {
		return d.Hello(id, fleet.Origin{Key: key}, fleet.Hello{Protocol: fleet.Protocol, Start: start, Version: "test", Slots: 1}, now).Refused
	}
	for _, one := range [][3]string{{"victim", "", "victim"}, {"liar", "lab", "victim"}, {"newer", "lab", "newer"}, {"victim", "", "victim"}} {
		if why := hello(one[0], one[1], one[2]); why != "" {
			t.Errorf("%s is refused: %s", one[0], why)
		}
	}
	if why := hello("liar", "", "another"); why != fleet.Replaced {
		t.Errorf("the older, as if it had no key: found %q, expected %q", why, fleet.Replaced)
	}
}

// TestNotes: a worker that joins, pauses, plays again and leaves is said to, once; one
// that plays for another run of the same server is not, nor the coordinator's own.
func TestNotes(t *testing.T) {
	d, now := aDispatcher("own"), time.Unix(1e9, 0)
	c := d
	for _, id := range []string{"own", "here", "elsewhere"} {
		joins(c, id, id, "", now)
	}
	d.Hear("own", fleet.Beat{}, now)
	for _, why := range []string{"", "it is hot", "it is hotter", "", ""} {
		d.Hear("here", fleet.Beat{Paused: why}, now)
	}
	d.Hear("here", fleet.Beat{Leaving: true}, now)
	c.sweep(now)
	c.sweep(now.Add(time.Hour)) // the coordinator was away, too
	if m := c.members["elsewhere"]; !m.isThere() {
		t.Error("a worker counts as silent that nobody could hear")
	}
	for range 2 {
		c.Hello("old", fleet.Origin{}, fleet.Hello{Protocol: fleet.Protocol, Name: "old", Version: "0", Slots: 1}, now)
	}
	want := []string{
		"umpire: worker here has joined, with 1 at a time, isolation \n",
		"umpire: who has the token is trusted, and can come again under another name; for machines of others: umpire fleet keys add NAME\n",
		"umpire: worker here pauses: it is hot\n", "umpire: worker here plays again\n",
		"umpire: worker here has left\n", "umpire: worker old is refused: it is umpire 0, and this run is played with test\n",
	}
	if !slices.Equal(c.out.Notes, want) {
		t.Errorf("found %q\nexpected %q", c.out.Notes, want)
	}
}

// TestManyNotes: whatever workers say and do, only so much is said of one with a key, and of all others
// together, and how much more there was. That one with a key or with records is dropped is always said.
func TestManyNotes(t *testing.T) {
	w := plainWorld(t, 1)
	d, lines := w.dispatcher, 0
	joins(d, "giver", "giver", "", w.now)
	w.gives(w.gets("giver"), "")
	said := func(text string) (n int) {
		notes := d.Decide(w.now).Notes
		lines += len(notes)
		for _, note := range notes {
			n += strings.Count(note, text)
		}
		return n
	}
	said("")
	lines = 0
	for n := range 1000 {
		id := fmt.Sprint("new", n)
		joins(d, id, id, "", w.now)
		d.Hear(id, fleet.Beat{Paused: "why"}, w.now)
		d.drop(d.members[id], "it lies", w.now)
		w.schedule.Take(&Result{From: Giver{ID: fmt.Sprint("stranger", n), IsStranger: true}}, w.now)
		joins(d, "flaps", "flaps", "", w.now)
		for _, b := range []fleet.Beat{{Paused: "why"}, {}, {Leaving: true}} {
			d.Hear("flaps", b, w.now)
		}
		d.Hello("old", fleet.Origin{}, fleet.Hello{Version: fmt.Sprint(n)}, w.now)
	}
	keyed := func(id string) {
		d.Hello(id, fleet.Origin{Key: id}, fleet.Hello{Protocol: fleet.Protocol, Version: "test", Slots: 1}, w.now)
		d.Hear(id, fleet.Beat{}, w.now)
	}
	keyed("lab")
	if n := said("worker lab has joined"); n != 1 || lines > 2*newsBurst+2 {
		t.Errorf("found %d lines, and %d that a worker with a key has joined; expected 2 × %d and 1", lines, n, newsBurst)
	}
	d.drop(d.members["giver"], "it lies", w.now)
	d.drop(d.members["lab"], "it lies", w.now)
	if n := said("is dropped"); n != 2 {
		t.Errorf("found %d lines that a worker with a key or with records is dropped, expected 2", n)
	}
	w.now = w.now.Add(10 * time.Second)
	w.schedule.Tick(w.now)
	if n := said("umpire: and 8800 lines more about workers\n"); n != 1 {
		t.Error("it is not said how many more lines there were")
	}
	w.schedule.Tick(w.now)
	if n := said(" more about workers"); n != 0 {
		t.Error("it is said twice how many more lines there were")
	}
	joins(d, "later", "later", "", w.now)
	d.Hear("later", fleet.Beat{}, w.now)
	if n := said("worker later has joined"); n != 1 {
		t.Error("nothing is said of a worker that joins later")
	}
}

// TestForget: of very many workers those that are gone are forgotten, and their names are
// free again, but not those of excluded ones.
func TestForget(t *testing.T) {
	c, now := aDispatcher("own"), time.Unix(1e9, 0)
	joins(c, "own", "lab", "", now)
	joins(c, "stays", "lab", "", now)
	for i := range maxSeen {
		id := fmt.Sprint(i)
		joins(c, id, "lab"+id, "", now)
		c.part(c.members[id], status.Left, "", false, now)
	}
	c.exclude(c.members["2"], "it lies", now)
	if len(c.members) != maxSeen || len(c.called) != maxSeen || len(c.order) != maxSeen || c.members["own"] == nil || c.members["stays"] == nil || c.members["0"] != nil {
		t.Errorf("found %d workers, %d names, %d in order, expected %d", len(c.members), len(c.called), len(c.order), maxSeen)
	}
	for _, names := range [][2]string{{"lab0", "lab0"}, {"lab2", "lab2#2"}} {
		if name := joins(c, "new "+names[0], names[0], "", now).Name; name != names[1] || c.members["2"] != nil {
			t.Errorf("found name %s, expected %s", name, names[1])
		}
	}
}

// TestManySilent: when many workers have fallen silent at once, what a worker that asks for a
// job costs does not depend on how many jobs they leave behind; it gets one that it has not
// failed itself, or for a time none.
func TestManySilent(t *testing.T) {
	leave := func(jobs int) (*world, *member) {
		w := newWorld(t, 1)
		w.dispatcher.config.Controls = nil
		joins(w.dispatcher, "asks", "asks", "", w.now)
		m := w.dispatcher.members["asks"]
		m.proven = true
		for i, f := range limited(jobs, time.Second) {
			e := NewMatch(i, f)
			w.schedule.add(w.now, e)
			e.tries = []try{{by: m}}
			w.schedule.first = append(w.schedule.first, e.job)
		}
		w.schedule.classes = nil
		return w, m
	}
	cost := func(jobs int) float64 {
		w, asks := leave(jobs)
		return testing.AllocsPerRun(10, func() {
			if j := w.schedule.next(asks, w.now); j != nil {
				t.Error("found a job for a worker that did not finish it")
			}
		})
	}
	if few, many := cost(100), cost(2000); many > few+5 {
		t.Errorf("found %v allocations with 2000 jobs, and %v with 100", many, few)
	}
	w, asks := leave(100)
	last := w.schedule.first[99]
	last.list[0].tries = []try{{by: new(member)}}
	if j := w.schedule.next(asks, w.now); j != last {
		t.Errorf("found job %v, expected the only one that the worker did not fail", j)
	}
	if j := w.schedule.next(asks, w.now.Add(fleet.LostAfter+1)); j == nil {
		t.Error("found none, expected one that others have not taken for a time")
	}
}

// TestStopped: when the coordinator was stopped for a time, no worker is to blame for what it holds, whether it
// has named that or has sent a beat before it came.
func TestStopped(t *testing.T) {
	for name, goesOn := range map[string]func(w *world){
		"hears": func(w *world) { w.dispatcher.Hear("a", fleet.Beat{}, w.now.Add(8*time.Second)) },
		"ticks": func(w *world) {
			w.lasts(1, "a")
			w.schedule.Tick(w.now.Add(8 * time.Minute))
		},
	} {
		w := plainWorld(t, 1)
		joins(w.dispatcher, "a", "a", "", w.now)
		w.gets("a")
		goesOn(w)
		if m := w.dispatcher.members["a"]; m.strikes > 0 || len(m.holds) != 1 {
			t.Errorf("%s: found %d strikes and %d jobs", name, m.strikes, len(m.holds))
		}
	}
}

// TestOlderTakes: at a server whose users are the workers, the older of two of one user is given nothing.
func TestOlderTakes(t *testing.T) {
	w := plainWorld(t, 2)
	for _, start := range []string{"one", "two"} {
		w.dispatcher.Hello("lab", fleet.Origin{Key: "lab"}, fleet.Hello{Protocol: fleet.Protocol, Start: start, Version: "test", Slots: 1}, w.now)
	}
	w.dispatcher.Take("lab", fleet.Take{Start: "one"}, "older", w.now)
	if gives := w.dispatcher.Decide(w.now).Gives; len(gives) != 1 || gives[0].ID != "" {
		t.Errorf("found %+v, expected that there is none for it", gives)
	}
	w.gets("lab")
}

// TestArbiter: a match is played again not by who has played it, nor by one with the same key or
// at the same address.
func TestArbiter(t *testing.T) {
	c, now := aDispatcher("own"), time.Unix(1e9, 0)
	random := rand.New(rand.NewPCG(1, 2))
	joins(c, "a", "a", "192.0.2.1", now)
	joins(c, "b", "b", "192.0.2.1", now)
	c.Hello("c", fleet.Origin{Host: "192.0.2.2", Key: "key"}, fleet.Hello{Protocol: fleet.Protocol, Version: "test", Slots: 1}, now)
	for range 100 {
		if m := c.arbiter(nil, c.members["a"], random.Float64()); m != c.members["c"] {
			t.Fatalf("found %+v, expected the worker at another address", m)
		}
	}
	c.members["a"].key = "key"
	if m := c.arbiter(nil, c.members["a"], random.Float64()); m != nil {
		t.Errorf("found %+v, expected none: all have its key or its address", m)
	}
	joins(c, "own", "own", "", now)
	if m := c.arbiter(nil, c.members["a"], random.Float64()); m != c.members["own"] {
		t.Errorf("found %+v, expected the coordinator's own", m)
	}
}
