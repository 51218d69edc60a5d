package fleet

import (
	"context"
	"encoding/json"
	"errors"
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
	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// honest plays a fixture of sums as a worker would.
func honest(t *testing.T, f arena.Fixture) record.Record {
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

func message(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
	t.Helper()
	msg, err := resultMessage(w.result(job, 0), w.myTicket(), r)
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// TestLies: a worker is dropped for whatever it sends that is not the valid
// record of the match it was given, and another plays the match.
func TestLies(t *testing.T) {
	packed := func(data []byte) []byte {
		e, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		return e.EncodeAll(data, nil)
	}
	for name, lie := range map[string]struct {
		result func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg
		why    string
	}{
		"forged winner": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			r.Seats[0].Score = 1000
			return message(t, w, job, r)
		}, "seats[0].score: found 1000, the events give"},
		"forged verdict": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			r.Seats[0].Verdict = "wrong"
			return message(t, w, job, r)
		}, "seats[0].verdict: found"},
		"forged reply": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			two := "2"
			r.Events[0].Reply = &two
			return message(t, w, job, r)
		}, "seats[0]."},
		"forged time": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			r.Seats[0].WallUS += 1e6
			return message(t, w, job, r)
		}, "seats[0].wall_us: found"},
		"another match": {func(t *testing.T, w *byHand, job string, _ record.Record) *nats.Msg {
			return message(t, w, job, honest(t, sums(9)[8]))
		}, "found a record of match"},
		"another isolation": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			r.Isolation = "strict"
			return message(t, w, job, r)
		}, "isolation: found strict, the worker has joined with box"},
		"another version": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			r.Umpire = "2"
			return message(t, w, job, r)
		}, "umpire: found 2, expected test"},
		"a match that is not in the job": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Subject = w.result(job, 5)
			return msg
		}, "found a record of match 5 in a job of 1"},
		"error with a verdict": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			r.Error = "no"
			return message(t, w, job, r)
		}, "in a match that umpire failed to play"},
		"a megabyte of standard error": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			r.Seats[0].Stderr = strings.Repeat("x", 1<<20)
			return message(t, w, job, r)
		}, "seats[0].stderr: found 1048576 bytes"},
		"rubbish": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Data = []byte("rubbish")
			return msg
		}, "not a match record"},
		"packed rubbish": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Data = []byte("rubbish")
			msg.Header.Set(headEncoding, "zstd")
			return msg
		}, "unpack record"},
		"more than a record may have, packed": {func(t *testing.T, w *byHand, job string, r record.Record) *nats.Msg {
			msg := message(t, w, job, r)
			msg.Data = slices.Concat(packed(make([]byte, record.MaxRecord/2+1)), packed(make([]byte, record.MaxRecord/2+1)))
			msg.Header.Set(headEncoding, "zstd")
			return msg
		}, "unpack record"},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := open(t, Config{})
			c.Games = []protocols.Game{protocoltest.Sum()}
			liar := newByHandAs(t, s, "liar", "box")
			run, got := start(t, c, sums(1))
			var j job
			if err := json.Unmarshal(liar.take().Data(), &j); err != nil {
				t.Fatal(err)
			}
			if _, err := liar.js.PublishMsg(t.Context(), lie.result(t, liar, j.ID, honest(t, j.Fixtures[0]))); err != nil {
				t.Fatal(err)
			}
			if why := dropped(t, liar); !strings.Contains(why, lie.why) {
				t.Errorf("dropped since %s, expected: %s", why, lie.why)
			}
			join(t, s, arena.Local{Games: c.Games, Players: []referee.Player{one{}}, Jobs: 1})
			if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Error != "" || (*got)[0].Worker == "liar" || (*got)[0].Worker == "" {
				t.Errorf("found %+v, error %v, expected a record of another worker", *got, err)
			}
			if err := liar.hello(t.Context()); err == nil || !strings.Contains(err.Error(), lie.why) {
				t.Errorf("the liar says hello again: found %v, expected a refusal", err)
			}
		})
	}
}

// dropped waits until a worker is told that it is dropped.
func dropped(t *testing.T, w *byHand) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		var o orders
		if err := w.ask(t.Context(), w.beat(w.id), beat{}, &o); err != nil {
			t.Fatal(err)
		}
		if o.Refused != "" {
			return o.Refused
		}
	}
	t.Fatal("waited a minute for a liar to be dropped")
	return ""
}

// TestOthersTicket: without its ticket, what comes as a worker's result counts
// neither for nor against it.
func TestOthersTicket(t *testing.T) {
	s, c := open(t, Config{})
	c.Games = []protocols.Game{protocoltest.Sum()}
	w := newByHandAs(t, s, "worker", "box")
	run, got := start(t, c, sums(1))
	for _, ticket := range []string{"", "forged", w.myTicket()} {
		var j job
		if err := json.Unmarshal(w.take().Data(), &j); err != nil {
			t.Fatal(err)
		}
		msg := message(t, w, j.ID, honest(t, j.Fixtures[0]))
		msg.Header.Set(headTicket, ticket)
		if _, err := w.js.PublishMsg(t.Context(), msg); err != nil {
			t.Fatal(err)
		}
	}
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Worker != w.myName() {
		t.Errorf("found %+v, error %v", *got, err)
	}
}

// TestIntroductions: what a worker says of itself is checked and bounded, and
// its name is nobody else's.
func TestIntroductions(t *testing.T) {
	s, _ := open(t, Config{})
	names := make(map[string]bool)
	for range 3 {
		w := newByHandAs(t, s, "lab\x1b[31m", "box")
		names[w.myName()] = true
		if err := w.hello(t.Context()); err != nil || !names[w.myName()] {
			t.Errorf("again: found name %q, error %v", w.myName(), err)
		}
	}
	if !names["lab[31m"] || !names["lab[31m-2"] || !names["lab[31m-3"] {
		t.Errorf("found names %v", names)
	}
	if w := newByHandAs(t, s, strings.Repeat("é", 1000), "box"); len(w.myName()) > maxWorkerName {
		t.Errorf("found a name of %d bytes", len(w.myName()))
	}
	w := newByHandAs(t, s, "x", "box")
	for _, h := range []hello{
		{Version: "test", Isolation: "perfect", Slots: 1}, {Version: "test", Isolation: "box"}, {Version: "test", Isolation: "box", Slots: 1 << 40},
	} {
		var answer welcome
		if err := w.ask(t.Context(), helloTo(w.id), h, &answer); err != nil || answer.Refused == "" {
			t.Errorf("%+v: found %+v, error %v, expected a refusal", h, answer, err)
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

// TestRecheck: matches that are played again on another worker show whether
// workers differ, and bots that do not play the same each time accuse nobody.
func TestRecheck(t *testing.T) {
	const n = 4
	for name, test := range map[string]struct {
		players []referee.Player // one for each worker
		check   func(found Rechecks) bool
	}{
		"alike": {[]referee.Player{one{}, one{}}, func(found Rechecks) bool {
			return found.Matches == n && found.Same == n && len(found.Differ)+len(found.Unsteady)+found.Skipped == 0
		}},
		"different": {[]referee.Player{one{}, playerOf("2")}, func(found Rechecks) bool {
			return found.Matches == n && len(found.Differ) == n && len(found.Unsteady) == 0 && !found.Differ[0].Alone &&
				found.Differ[0].Workers[0] != found.Differ[0].Workers[1] && strings.Contains(found.Differ[0].What, `step 1, bot six: reply`)
		}},
		"unsteady": {[]referee.Player{playerOf(numbers(100)...), playerOf(numbers(200)...)}, func(found Rechecks) bool {
			return found.Matches == n && len(found.Differ) == 0 && len(found.Unsteady) == 1 && found.Unsteady[0].Bot == "six"
		}},
		"alone": {[]referee.Player{one{}}, func(found Rechecks) bool {
			return found.Matches == 0 && found.Skipped == n
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := open(t, Config{})
			c.Games, c.Recheck = []protocols.Game{protocoltest.Sum()}, 1
			for _, p := range test.players {
				join(t, s, arena.Local{Games: c.Games, Players: []referee.Player{p}, Jobs: 1})
			}
			within(t, "the workers", func() bool {
				now := c.Now()
				return now.Present() == len(test.players)
			})
			got := 0
			if err := c.Run(t.Context(), slices.Values(sums(n)), func(int, record.Record) error { got++; return nil }); err != nil {
				t.Fatal(err)
			}
			if found := c.Rechecks(); got != n || !test.check(found) {
				t.Errorf("found %d records, %+v", got, found)
			}
		})
	}
}

// TestElsewhere: a match that umpire failed to play on a worker is given to
// another one, and a worker that fails often where others do not is dropped.
func TestElsewhere(t *testing.T) {
	s, c := open(t, Config{})
	c.Games = []protocols.Game{protocoltest.Sum()}
	bad := newByHandAs(t, s, "bad", "box")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			msg, err := bad.fetchOne(ctx, needs(nil).class(), turnWait)
			var j job
			if err != nil || msg == nil || json.Unmarshal(msg.Data(), &j) != nil {
				continue
			}
			for i, f := range j.Fixtures {
				result, err := resultMessage(bad.result(j.ID, i), bad.myTicket(), failed(f, "test", errors.New("no compiler")))
				if err == nil {
					_, _ = bad.js.PublishMsg(ctx, result)
				}
			}
			_ = msg.Ack()
			var o orders
			if bad.ask(ctx, bad.beat(bad.id), beat{}, &o) == nil && o.Refused != "" {
				return
			}
		}
	}()
	join(t, s, arena.Local{Games: c.Games, Players: []referee.Player{one{}}, Jobs: 1})
	within(t, "the other worker", func() bool { // or the bad one has each match three times
		return slices.ContainsFunc(c.Now().Workers, func(w status.Worker) bool { return w.Name != "bad" })
	})
	const n = 200
	good := 0
	err := c.Run(t.Context(), slices.Values(sums(n)), func(_ int, r record.Record) error {
		if r.Error == "" {
			good++
		}
		return nil
	})
	if err != nil || good != n {
		t.Errorf("found %d matches played, error %v, expected all %d", good, err, n)
	}
	stop()
	<-ended
}

// TestThief: a job that a worker acknowledges without a result, its own or
// another's, is given again.
func TestThief(t *testing.T) {
	games := []protocols.Game{protocoltest.Sum()}
	s, c := open(t, Config{Games: games, Silence: 50 * time.Millisecond})
	thief := newByHandAs(t, s, "thief", "box")
	run, got := start(t, c, sums(3))
	for range 3 {
		if err := thief.take().DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	join(t, s, arena.Local{Games: games, Players: []referee.Player{one{}}, Jobs: 1})
	err := ended(t, run)
	played := slices.DeleteFunc(*got, func(r record.Record) bool { return r.Error != "" })
	if err != nil || len(played) != 3 {
		t.Errorf("found %d matches played, error %v, expected all 3", len(played), err)
	}
}
