// Package arenatest holds the test that every arena.Runner must pass, with
// players that are not processes.
package arenatest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// Make makes a runner that knows the games and players, and plays several
// matches concurrently.
type Make func(t *testing.T, games []protocols.Game, players []referee.Player) arena.Runner

// Test holds a runner to what arena.Runner promises.
func Test(t *testing.T, run Make) {
	for name, test := range map[string]func(*testing.T, arena.Runner){
		"every fixture has its record": testEach,
		"equal fixtures":               testDuplicates,
		"what can't be played":         testPoison,
		"an error of done":             func(t *testing.T, run arena.Runner) { testDoneFails(t, run, 1) },
		"an endless sequence":          func(t *testing.T, run arena.Runner) { testDoneFails(t, run, 20) },
		"a panic of done":              testDonePanics,
		"a panic of the fixtures":      testFixturesPanic,
		"cancelled":                    testCancel,
		"nothing to play":              testNothing,
	} {
		t.Run(name, func(t *testing.T) { test(t, run(t, games, []referee.Player{adder, wrong, broken, waiting})) })
	}
}

var games = []protocols.Game{protocoltest.Sum(), protocoltest.Morra()}

// player is a player of Sum, by what it does.
type player string

const (
	adder   player = "adder"   // knows the answer
	wrong   player = "wrong"   // does not
	broken  player = "broken"  // can't take a seat
	waiting player = "waiting" // never answers
)

// digest makes up the digest of a player.
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

func (p player) Identity() referee.Identity {
	return referee.Identity{Name: string(p), Label: "./" + string(p), Digest: digest(string(p))}
}

func (p player) Sit(context.Context, referee.Seating) (referee.Contestant, error) {
	if p == broken {
		return nil, errors.New("no such chair")
	}
	return &sitting{player: p}, nil
}

// sitting is a seated player, as a contestant.
type sitting struct {
	player player
	sent   []string
}

func (s *sitting) Send(text string)  { s.sent = append(s.sent, strings.Split(text, "\n")...) }
func (*sitting) CloseInput()         {}
func (*sitting) Stop() referee.Usage { return referee.Usage{} }

func (s *sitting) Receive(ctx context.Context, _ referee.Ask) (referee.Reply, error) {
	if s.player == waiting {
		<-ctx.Done()
		return referee.Reply{}, context.Cause(ctx)
	}
	sum := 0
	for _, word := range strings.Fields(strings.Join(s.sent[1:], " ")) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return referee.Reply{}, err
		}
		sum += n
	}
	if s.player == wrong {
		sum++
	}
	return referee.Reply{Text: strconv.Itoa(sum), Wall: time.Millisecond, CPU: time.Millisecond}, nil
}

// fixture is a match of a player on the n-th case.
func fixture(p player, n int) arena.Fixture {
	text := fmt.Sprintf("2\n%d 1", n)
	return arena.Fixture{
		Game: "sum", Case: record.Case{Name: fmt.Sprintf("x/%d", n), Group: "x", Points: 1, Text: text},
		Limits: record.NewLimits(protocols.Limits{Time: time.Minute}, ""), Repetition: 1,
		Seats: []arena.Seat{{Bot: string(p), Digest: digest(string(p))}},
	}
}

// played plays fixtures and returns their records. It fails the test if a
// fixture has no record or several, or if done is called concurrently.
func played(t *testing.T, r arena.Runner, list []arena.Fixture) []record.Record {
	t.Helper()
	records := make([]record.Record, len(list))
	var busy atomic.Int32
	err := r.Run(t.Context(), slices.Values(list), func(n int, r record.Record) error {
		if busy.Add(1) != 1 {
			t.Error("done is called by two goroutines concurrently")
		}
		defer busy.Add(-1)
		if n < 0 || n >= len(list) || records[n].ID != "" {
			t.Errorf("done is called with %d, which is not a fixture or was given before", n)
			return nil
		}
		records[n] = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if want := list[i].Record().ID; r.ID != want {
			t.Errorf("fixture %d: its record has id %q, expected %s", i, r.ID, want)
		}
	}
	return records
}

func testEach(t *testing.T, run arena.Runner) {
	var list []arena.Fixture
	for n := range 40 {
		list = append(list, fixture([]player{wrong, adder, adder}[n%3], n))
	}
	for i, r := range played(t, run, list) {
		want := "ok"
		if i%3 == 0 {
			want = "wrong"
		}
		if r.Error != "" || r.Seats[0].Verdict != want {
			t.Errorf("fixture %d: error %q, verdict %q, expected %s", i, r.Error, r.Seats[0].Verdict, want)
		}
		verify(t, r)
	}
}

// verify checks that a record is valid.
func verify(t *testing.T, r record.Record) {
	t.Helper()
	if _, err := r.Replay(games, referee.Watcher{}); err != nil {
		t.Errorf("record %s does not replay: %v", r.ID, err)
	}
}

func testDuplicates(t *testing.T, run arena.Runner) {
	list := slices.Repeat([]arena.Fixture{fixture(adder, 1)}, 5)
	for i, r := range played(t, run, list) {
		if r.Error != "" {
			t.Errorf("fixture %d: %s", i, r.Error)
		}
	}
}

func testPoison(t *testing.T, run arena.Runner) {
	sound := fixture(adder, 1)
	spoiled := func(spoil func(*arena.Fixture)) arena.Fixture {
		f := fixture(adder, 2)
		spoil(&f)
		return f
	}
	list := []arena.Fixture{
		sound,
		spoiled(func(f *arena.Fixture) { f.Game = "summ" }),
		spoiled(func(f *arena.Fixture) { f.Case.Text = "two\n1 2" }),
		spoiled(func(f *arena.Fixture) { f.Seats = append(f.Seats, f.Seats[0]) }),
		spoiled(func(f *arena.Fixture) { f.Seats = nil }),
		spoiled(func(f *arena.Fixture) { f.Seats[0].Digest = digest("nobody") }),
		fixture(broken, 3),
		sound,
	}
	records := played(t, run, list)
	for i, r := range records {
		switch sane := i == 0 || i == len(list)-1; {
		case sane && (r.Error != "" || r.Seats[0].Verdict != "ok"):
			t.Errorf("fixture %d, which can be played: error %q", i, r.Error)
		case !sane && r.Error == "":
			t.Errorf("fixture %d, which can't be played, has no error", i)
		case !sane && len(r.Seats) > 0 && r.Seats[0].Verdict != "":
			t.Errorf("fixture %d: verdict %s in a match that was not played", i, r.Seats[0].Verdict)
		}
	}
}

// testDoneFails: an error of done ends a run of fixtures without end, which are drawn as
// they are played; last is the call that returns it.
func testDoneFails(t *testing.T, run arena.Runner, last int) {
	full, calls := errors.New("disk full"), 0
	err := run.Run(t.Context(), many(adder), func(int, record.Record) error {
		if calls++; calls == last {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || calls != last {
		t.Errorf("error %v after %d calls, expected %v after %d", err, calls, full, last)
	}
}

func testDonePanics(t *testing.T, run arena.Runner) {
	err := run.Run(t.Context(), many(adder), func(int, record.Record) error { panic("no such column") })
	if err == nil || !strings.HasPrefix(err.Error(), "defect of umpire: no such column\n") {
		t.Errorf("found %v", err)
	}
}

func testFixturesPanic(t *testing.T, run arena.Runner) {
	err := run.Run(t.Context(), func(func(arena.Fixture) bool) { panic("no such round") }, func(int, record.Record) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "defect of umpire: no such round\n") {
		t.Errorf("found %v", err)
	}
}

// many yields fixtures without end.
func many(p player) iter.Seq[arena.Fixture] {
	return func(yield func(arena.Fixture) bool) {
		for n := 0; yield(fixture(p, n)); n++ {
		}
	}
}

// testCancel cancels while all jobs are in matches that do not end by
// themselves. Interrupted matches leave no record.
func testCancel(t *testing.T, run arena.Runner) {
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	first := true
	fixtures := func(yield func(arena.Fixture) bool) {
		for yield(fixture(waiting, 1)) {
			if first {
				first = false
				cancel(stop)
			}
		}
	}
	err := run.Run(ctx, fixtures, func(_ int, r record.Record) error {
		t.Errorf("a record of an interrupted match: %+v", r)
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("error %v, expected %v", err, stop)
	}
}

func testNothing(t *testing.T, run arena.Runner) {
	if records := played(t, run, nil); len(records) != 0 {
		t.Errorf("%d records of nothing", len(records))
	}
}

// Sums lists matches that nobody need play.
func Sums(n int) []arena.Fixture {
	list := make([]arena.Fixture, n)
	for i := range list {
		list[i] = arena.Fixture{
			Game: protocoltest.Sum().Name, Case: record.Case{Name: "x", Text: "1\n1"}, Repetition: i + 1,
			Limits: record.NewLimits(protocols.Limits{}, ""), Seats: []arena.Seat{{Bot: "six", Digest: "6"}},
		}
	}
	return list
}
