package coordinator

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/recheck"
	"umpire/referee/record"
)

// played plays a fixture of sums as a worker would.
func played(t *testing.T, f arena.Fixture) record.Record {
	t.Helper()
	local := arena.Local{Games: []protocols.Game{protocoltest.Sum()}, Players: []referee.Player{one{}}, Jobs: 1, Umpire: "test", Isolation: "box"}
	var r record.Record
	err := local.Run(t.Context(), slices.Values([]arena.Fixture{f}), func(_ int, played record.Record) error {
		r = played
		return nil
	})
	if err != nil || r.Error != "" {
		t.Fatal(err, r.Error)
	}
	return r
}

// message is a record of the first match of a job, which counts for the one that its worker was given last.
func message(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
	t.Helper()
	data, err := json.Marshal(r)
	must(t, err)
	return &nats.Msg{Subject: w.names.Result(w.id, job, cmp.Or(w.first, "0")), Data: data}
}

// altered is the result of a match that was played, and changed then.
func altered(change func(r *record.Record)) func(*testing.T, *byHand, string, record.Record) *nats.Msg {
	return func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
		change(&r)
		return message(t, w, job, r)
	}
}

// TestLies: a worker is dropped for whatever it sends that is not the valid
// record of the match it was given, and another plays the match.
func TestLies(t *testing.T) {
	t.Parallel()
	packed := func(data []byte) []byte {
		e, err := zstd.NewWriter(nil)
		must(t, err)
		defer e.Close()
		return e.EncodeAll(data, nil)
	}
	for name, lie := range map[string]struct {
		result func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg
		why    string
	}{
		"forged winner":            {altered(func(r *record.Record) { r.Seats[0].Score = protocols.Points(1000) }), "seats[0].score: found 1000, the events give"},
		"forged verdict":           {altered(func(r *record.Record) { r.Seats[0].Verdict = "wrong" }), "seats[0].verdict: found"},
		"forged reply":             {altered(func(r *record.Record) { two := "2"; r.Events[0].Reply = &two }), "seats[0]."},
		"forged time":              {altered(func(r *record.Record) { r.Seats[0].WallUS += 1e6 }), "seats[0].wall_us: found"},
		"more time than there was": {altered(func(r *record.Record) { r.WallUS = time.Hour.Microseconds() }), "wall_us: found 3600000000, for a match that was given out "},
		"replies that take longer than the match": {altered(func(r *record.Record) { r.Events[0].WallUS, r.Seats[0].WallUS, r.Seats[0].ChargedUS = 60e6, 60e6, 60e6 }), "seats[0]: found replies of 60000000 us in all, the match's wall_us allows"},
		"more computing than processors can":      {altered(func(r *record.Record) { r.CPUs, r.Seats[0].CPUUS = 0, 1e12 }), "seats[0].cpu_us: found 1000000000000"},
		"another match": {func(t *testing.T, w *byHand, job string, _ record.Record) *nats.Msg {
			return message(t, w, job, played(t, arenatest.Sums(9)[8]))
		}, "found a record of match"},
		"another isolation": {altered(func(r *record.Record) { r.Isolation = "strict" }), "isolation: found strict, the worker has joined with box"},
		"another version":   {altered(func(r *record.Record) { r.Umpire = "2" }), "umpire: found 2, expected test"},
		"a match that is not in the job": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Subject = w.names.Result(w.id, job, "5")
			return msg
		}, "found a record of a match that it was not given"},
		"a match of another job": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Subject = w.names.Result(w.id, "another", w.first)
			return msg
		}, "found a record of a match that it was not given"},
		"error with a verdict":         {altered(func(r *record.Record) { r.Error = "no" }), "in a match that umpire failed to play"},
		"a megabyte of standard error": {altered(func(r *record.Record) { r.Seats[0].Stderr = strings.Repeat("x", 1<<20) }), "seats[0].stderr: found 1048576 bytes"},
		"rubbish": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Data = []byte("rubbish")
			return msg
		}, "not a match record"},
		"packed rubbish": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Data = append(packed([]byte("x"))[:4], "rubbish"...)
			return msg
		}, "unpack record"},
		"more than a record may have, packed": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Data = slices.Concat(packed(make([]byte, record.MaxRecord/2+1)), packed(make([]byte, record.MaxRecord/2+1)))
			return msg
		}, "unpack record"},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := open(t, Config{Games: games})
			liar := newByHandAs(t, s, "liar", "box")
			run, got := start(t, c, arenatest.Sums(1))
			j := liar.take()
			liar.store(lie.result(t, liar, j.id, played(t, j.fixtures[0])))
			if why := liar.dropped(); !strings.Contains(why, lie.why) {
				t.Errorf("dropped since %s, expected: %s", why, lie.why)
			}
			join(t, s, arena.Local{Games: games, Players: []referee.Player{one{}}, Jobs: 1})
			if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Error != "" || (*got)[0].Worker == "liar" || (*got)[0].Worker == "" {
				t.Errorf("found %+v, error %v, expected a record of another worker", *got, err)
			}
			if again := liar.hello("liar", "box"); !strings.Contains(again.Refused, lie.why) {
				t.Errorf("the liar says hello again: found %+v, expected a refusal", again)
			}
		})
	}
}

// TestEarlyOther: what was stored before this coordinator began, with another umpire or less isolated than
// is needed now, does not count, and nobody lies who plays otherwise since.
func TestEarlyOther(t *testing.T) {
	t.Parallel()
	_, c := open(t, Config{Games: games})
	for name, test := range map[string]struct {
		version string
		least   referee.Level
		counts  bool
	}{"isolated otherwise now": {"test", "", true}, "too little isolated": {"test", "strict", false}, "another umpire": {"test2", "", false}} {
		c.config.Dispatch.Version, c.config.Dispatch.Isolation = test.version, test.least
		r := played(t, arenatest.Sums(1)[0])
		if r.CPU = "old"; !test.counts {
			r.Seats[0].Score = protocols.Points(1000) // by other rules
		}
		data, err := json.Marshal(r)
		must(t, err)
		one := &dispatch.Result{Early: true, From: dispatch.Giver{ID: "id", Name: "lab", Known: true, Isolation: "basic", CPU: "new"}}
		if err := c.inspect(one, data); err != nil || (one.Record.Error == "") != test.counts || one.Record.CPU != "old" {
			t.Errorf("%s: found error %q of the record, %v", name, one.Record.Error, err)
		}
	}
}

// TestIntroductions: what a worker says of itself is checked and bounded, and
// its name is nobody else's.
func TestIntroductions(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	names := make(map[string]bool)
	for range 3 {
		w := newByHandAs(t, s, "lab\x1b[31m", "box")
		names[w.name] = true
		if again := w.hello("lab", "box"); again.Name != w.name {
			t.Errorf("again: found %+v, expected name %s", again, w.name)
		}
	}
	if !names["lab[31m"] || !names["lab[31m#2"] || !names["lab[31m#3"] {
		t.Errorf("found names %v", names)
	}
	if w := newByHandAs(t, s, strings.Repeat("é", 1000), "box"); len(w.name) > fleet.MaxName {
		t.Errorf("found a name of %d bytes", len(w.name))
	}
	c.lead.known.Store(maxNames)
	if w := newByHandAs(t, s, "one too many", "box"); w.name != "one too many" {
		t.Errorf("found name %s", w.name)
	} else if name, isKnown := c.lead.names.Load(w.id); isKnown {
		t.Errorf("name %s is stored", name)
	}
	w := newByHandAs(t, s, "x", "box")
	for _, h := range []fleet.Hello{
		{Protocol: fleet.Protocol - 1, Version: "test", Isolation: "box", Slots: 1},
		{Protocol: fleet.Protocol, Version: "test", Isolation: "perfect", Slots: 1}, {Protocol: fleet.Protocol, Version: "test", Isolation: "box"}, {Protocol: fleet.Protocol, Version: "test", Isolation: "box", Slots: 1 << 40},
		{Protocol: fleet.Protocol, Version: "test", Slots: 1, Abilities: make([]string, fleet.MaxAbilities+1)}, {Protocol: fleet.Protocol, Version: "test", Slots: 1, CPU: strings.Repeat("x", fleet.MaxHello)},
	} {
		var answer fleet.Welcome
		if w.ask(fleet.HelloTo(w.id), h, &answer); answer.Refused == "" {
			t.Errorf("%.100v: found %+v, expected a refusal", h, answer)
		}
	}
}

// odd is the player of sums with a trait.
type odd struct {
	mu      *sync.Mutex
	replies []string // in turn
	n       *int
}

func (odd) Identity() referee.Identity                                         { return one{}.Identity() }
func (o odd) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return o, nil }
func (odd) Send(string)                                                        {}
func (odd) CloseInput()                                                        {}
func (odd) Stop() referee.Usage                                                { return referee.Usage{} }
func (o odd) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	*o.n++
	return referee.Reply{Text: o.replies[*o.n%len(o.replies)]}, nil
}

func playerOf(replies ...string) odd { return odd{new(sync.Mutex), replies, new(int)} }

// numbers are more different replies than any test asks for, from one number on.
func numbers(from int) (list []string) {
	for i := range 100 {
		list = append(list, strconv.Itoa(from+i))
	}
	return list
}

// TestRecheck: matches that are played again elsewhere show whether
// workers differ, and bots that do not play the same each time accuse nobody.
// Two workers with the token, at one address, may be one.
func TestRecheck(t *testing.T) {
	t.Parallel()
	const n = 4
	for name, test := range map[string]struct {
		keys    []string
		players []referee.Player // one for each worker
		check   func(found recheck.Summary) bool
	}{
		"alike": {[]string{"lab", "mill"}, []referee.Player{one{}, one{}}, func(found recheck.Summary) bool {
			return found.Matches == n && found.Same == n && len(found.Differ)+len(found.Unsteady)+found.Skipped == 0
		}},
		"different": {[]string{"lab", "mill"}, []referee.Player{one{}, playerOf("2")}, func(found recheck.Summary) bool {
			return found.Matches == n && len(found.Differ) == n && len(found.Unsteady) == 0 && !found.Differ[0].Alone &&
				found.Differ[0].Workers[0] != found.Differ[0].Workers[1] && strings.Contains(found.Differ[0].What, `step 1, bot six: reply`)
		}},
		"unsteady": {[]string{"lab", "mill"}, []referee.Player{playerOf(numbers(100)...), playerOf(numbers(200)...)}, func(found recheck.Summary) bool {
			return found.Matches == n && len(found.Differ) == 0 && len(found.Unsteady) == 1 && found.Unsteady[0].Bot == "six"
		}},
		"alone": {[]string{"lab"}, []referee.Player{one{}}, func(found recheck.Summary) bool {
			return found.Matches == 0 && found.Skipped == n
		}},
		"the token": {[]string{"", ""}, []referee.Player{one{}, one{}}, func(found recheck.Summary) bool {
			return found.Matches == 0 && found.Skipped == n
		}},
	} {
		t.Run(name, func(t *testing.T) {
			file, key := keysOf(t, "lab", "mill")
			s, c := openWith(t, Config{Games: games, Dispatch: dispatch.Config{Recheck: 1}}, file)
			key[""] = s.Token
			for i, p := range test.players {
				joinWith(t, s, key[test.keys[i]], arena.Local{Games: games, Players: []referee.Player{p}, Jobs: 1})
			}
			within(t, "the workers", func() bool { return len(c.Now().Workers) == len(test.players) })
			got := 0
			must(t, c.Run(t.Context(), slices.Values(arenatest.Sums(n)), func(int, record.Record) error { got++; return nil }))
			if found := c.Rechecks(); got != n || !test.check(found) {
				t.Errorf("found %d records, %+v", got, found)
			}
		})
	}
}
