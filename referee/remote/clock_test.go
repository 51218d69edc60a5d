package remote_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/remote"
)

// slow takes so long for its second reply.
func slow(takes time.Duration) func(remote.TurnInfo) string {
	return func(info remote.TurnInfo) string {
		if info.Turn == 2 {
			time.Sleep(takes)
		}
		return "1"
	}
}

// TestClocks lets alice, or a person, take long for the second of three
// replies.
func TestClocks(t *testing.T) {
	const s, ms = 1e6, 1e3 // in µs
	for _, test := range []struct {
		name    string
		limits  record.Limits
		takes   time.Duration
		verdict string
		charged int64 // µs
	}{
		{"within the budget", record.Limits{TimeUS: 10 * s}, 10 * time.Second, "ok", 10 * s},
		{"beyond the budget", record.Limits{TimeUS: 10 * s}, 10*time.Second + time.Millisecond, "time", 10 * s},
		{"within the grace", record.Limits{TimeUS: s, GraceUS: 500 * ms}, 500 * time.Millisecond, "ok", 0},
		{"budget and grace", record.Limits{TimeUS: s, GraceUS: 500 * ms}, 1500 * time.Millisecond, "ok", s},
		{"beyond both", record.Limits{TimeUS: s, GraceUS: 500 * ms}, 1501 * time.Millisecond, "time", s},
		{"within the time for a move", record.Limits{MoveUS: s}, time.Second, "ok", s},
		{"beyond the time for a move", record.Limits{MoveUS: s, TimeUS: 100 * s}, 1001 * time.Millisecond, "time", s},
		{"no budget", record.Limits{}, 10 * time.Minute, "ok", 600 * s},
		{"no budget, and idle", record.Limits{}, 10*time.Minute + time.Millisecond, "time", 600 * s},
		{"a budget beyond idle", record.Limits{TimeUS: 3600 * s}, 20 * time.Minute, "ok", 1200 * s},
	} {
		t.Run(test.name, func(t *testing.T) {
			inHall(t, func(t *testing.T, h *hall) {
				h.limits = test.limits
				h.limits.Clock = "wall"
				records, ends := h.finish([]arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob")},
					&client{name: "alice", think: slow(test.takes)}, &client{name: "bob", think: always("2")})
				alice := records[0].Seats[0]
				if alice.Verdict != test.verdict || alice.ChargedUS != test.charged {
					t.Errorf("found verdict %s (%s), charged %d µs, expected %s, %d", alice.Verdict, alice.Detail, alice.ChargedUS, test.verdict, test.charged)
				}
				if ends[0].Verdict != test.verdict || ends[1].Verdict != "ok" {
					t.Errorf("alice was told %q, bob %q", ends[0].Verdict, ends[1].Verdict)
				}
			})
		})
	}
}

// A budget that is spent ends the seat's play immediately, though nobody asks.
func TestBudgetIsSpentWhileDisconnected(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		h.limits.TimeUS = 5e6
		started := time.Now()
		var ended time.Duration
		h.stored = func(record.Record) { ended = time.Since(started) }
		var wait sync.WaitGroup
		wait.Go(func() {
			seat, err := h.Join(t.Context(), h.keys["alice"], "", "", remote.MaxWait)
			if err != nil {
				t.Error(err)
			}
			if _, err := h.Turn(t.Context(), remote.Ask{Ticket: seat.Ticket, Turn: 1}); err != nil {
				t.Error(err)
			}
		})
		records, _ := h.finish([]arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob")}, &client{name: "bob", think: always("2")})
		wait.Wait()
		if got := records[0].Seats[0]; got.Verdict != "time" || !strings.Contains(got.Detail, "5.000 s") || ended.Round(time.Millisecond) != 5*time.Second {
			t.Errorf("found verdict %s (%s) after %v", got.Verdict, got.Detail, ended)
		}
	})
}

// asleep is umpire that did not run for three seconds, up to the fourth.
type asleep struct{ since time.Time }

func (a asleep) Total() time.Duration { return a.Look() }
func (asleep) Held() bool             { return false }
func (asleep) AwaitRelease()          {}

func (a asleep) Look() time.Duration {
	if time.Since(a.since) < 4*time.Second {
		return 0
	}
	return 3 * time.Second
}

// Time in which umpire did not run is given back, to one who replies, and to one
// who does not.
func TestStallIsGivenBack(t *testing.T) {
	for _, test := range []struct {
		replies time.Duration // after the turn began
		verdict string
		ended   time.Duration
	}{{7 * time.Second, "ok", 7 * time.Second}, {9 * time.Second, "time", 8 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			started := time.Now()
			h := newHall(t, remote.Config{Stalls: asleep{started}})
			h.limits.TimeUS, h.local.Stalls = 5e6, asleep{started}
			var ended time.Duration
			h.stored = func(record.Record) { ended = time.Since(started) }
			slow := &client{name: "alice", think: func(remote.TurnInfo) string {
				var took func() time.Duration // as an onlooker sees it
				seen := errors.New("seen")
				table := h.Tables()[0]
				ctx, cancel := context.WithCancelCause(t.Context())
				_ = table.Follow(ctx, protocoltest.Morra(), remote.Onlooker{
					Moment: func(remote.Moment) error { return nil },
					Owed:   func(owed []remote.Owed) { took = owed[0].Took; cancel(seen) },
				})
				time.Sleep(6 * time.Second)
				info, err := h.Turn(t.Context(), remote.Ask{Ticket: table.Ticket(1), Turn: 1})
				if err != nil || info.LeftMS != 2000 || took() != 3*time.Second {
					t.Errorf("after 6 s, 3 of them asleep: found %d ms left, taken %v, error %v", info.LeftMS, took(), err)
				}
				time.Sleep(test.replies - time.Since(started))
				return "1"
			}}
			records, _ := h.finish([]arena.Fixture{h.fixture("morra", "1 1", "remote:alice", "remote:bob")}, slow, &client{name: "bob", think: always("2")})
			got, e := records[0].Seats[0], records[0].Events[0]
			if got.Verdict != test.verdict || ended.Round(time.Millisecond) != test.ended {
				t.Errorf("found verdict %s (%s) after %v, expected %s after %v", got.Verdict, got.Detail, ended, test.verdict, test.ended)
			}
			if wall := test.ended.Microseconds(); e.StallUS != 3e6 || (got.ChargedUS-(wall-3e6))/1000 != 0 {
				t.Errorf("found a stall of %d µs, charged %d, expected 3 s of %d", e.StallUS, got.ChargedUS, wall)
			}
		})
	}
}

// What is left of the budget is counted down while a reply is owed.
func TestTimeLeft(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		h.limits = record.Limits{Clock: "wall", TimeUS: 10e6, GraceUS: 1e6, StartUS: 2e6}
		var wait sync.WaitGroup
		wait.Go(func() {
			h.finish([]arena.Fixture{h.fixture("morra", "2 1", "remote:alice", "remote:bob")}, &client{name: "bob", think: always("2")})
		})
		seat, err := h.Join(t.Context(), h.keys["alice"], "", "", remote.MaxWait)
		must(t, err)
		want := remote.Budget{TimeMS: 10000, StartMS: 2000, GraceMS: 1000}
		if seat.Budget == nil || *seat.Budget != want {
			t.Errorf("found budget %+v, expected %+v", seat.Budget, want)
		}
		a := remote.Ask{Ticket: seat.Ticket, Turn: 1}
		left := func(state string, ms int64) {
			t.Helper()
			info, err := h.Turn(t.Context(), a)
			if err != nil || info.State != state || info.LeftMS != ms {
				t.Errorf("turn %d: found %s, %d ms left, error %v, expected %s, %d", a.Turn, info.State, info.LeftMS, err, state, ms)
			}
		}
		if _, err := h.Turn(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		left(remote.TurnMove, 10000)
		time.Sleep(3 * time.Second) // of which the grace and the start are not charged
		left(remote.TurnMove, 10000)
		time.Sleep(time.Second + 200*time.Microsecond)
		left(remote.TurnMove, 8999)
		if _, err := h.Reply(t.Context(), a, "1"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		a.Turn = 2
		left(remote.TurnMove, 8999)
		if seen := h.Tables()[0].Info().Seats[0].LeftMS; seen != 8999 {
			t.Errorf("others see %d ms left, expected 8999 as its player sees", seen)
		}
		time.Sleep(2 * time.Second)
		left(remote.TurnMove, 7999)
		if _, err := h.Reply(t.Context(), a, "1"); err != nil {
			t.Fatal(err)
		}
		wait.Wait()
	})
}

// A person comes by a link, and is never charged.
func TestHuman(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		h.limits.TimeUS = 1e6
		var records []record.Record
		var wait sync.WaitGroup
		wait.Go(func() {
			records, _ = h.finish([]arena.Fixture{h.fixture("morra", "2 1", "human:eve", "remote:bob")}, &client{name: "bob", think: always("2")})
		})
		synctest.Wait()
		if seat, err := h.Join(t.Context(), h.keys["eve"], "", "", 0); err != nil || seat.State != "wait" {
			t.Errorf("a person's seat was given to a program: %+v, %v", seat, err)
		}
		a := remote.Ask{Ticket: h.Tables()[0].Ticket(1), Turn: 1, Wait: time.Second}
		for ; a.Turn <= 2; a.Turn++ {
			info, err := h.Turn(t.Context(), a)
			if err != nil || info.State != remote.TurnMove || info.LeftMS != -1 {
				t.Fatalf("found %+v, error %v", info, err)
			}
			time.Sleep(5 * time.Minute)
			if _, err := h.Reply(t.Context(), a, "1"); err != nil {
				t.Fatal(err)
			}
		}
		wait.Wait()
		if got := records[0].Seats[0]; got.Verdict != "ok" || got.ChargedUS != 0 || got.WallUS != 600e6 || got.Kind != "human" {
			t.Errorf("found %+v", got)
		}
		verifyFile(t, t.TempDir()+"/results.jsonl", records[0], h.local.Games, true)
	})
}

// A seat that is given up fails when it next owes a reply.
func TestLeave(t *testing.T) {
	for _, owed := range []bool{false, true} {
		inHall(t, func(t *testing.T, h *hall) {
			var records []record.Record
			var wait sync.WaitGroup
			bob := &client{name: "bob", think: dialogue()}
			if !owed {
				bob.takes = time.Minute
			}
			wait.Go(func() {
				records, _ = h.finish([]arena.Fixture{h.fixture("relay", "100\n7", "remote:bob", "remote:alice")}, bob)
			})
			seat, err := h.Join(t.Context(), h.keys["alice"], "", "", remote.MaxWait)
			must(t, err)
			a := remote.Ask{Ticket: seat.Ticket, Turn: 1}
			if owed {
				a.Wait = remote.MaxWait
			}
			info, err := h.Turn(t.Context(), a)
			synctest.Wait()
			if err != nil || (info.State == remote.TurnMove) != owed {
				t.Fatalf("found %+v, error %v", info, err)
			}
			for range 2 {
				if err := h.Leave(seat.Ticket); err != nil {
					t.Error(err)
				}
			}
			wait.Wait()
			if got := records[0].Seats[1]; got.Verdict != "crash" || got.Detail != "left the match" {
				t.Errorf("owed %v: found %s (%s)", owed, got.Verdict, got.Detail)
			}
		})
	}
}

// Umpire waits at its end for a player that has left the match, too, to be told
// how it ended.
func TestLeaverIsTold(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := h.run(t.Context(), h.fixture("sum", "2\n3 4", "remote:alice")); err != nil {
				t.Error(err)
			}
		})
		seat, err := h.Join(t.Context(), h.keys["alice"], "", "", remote.MaxWait)
		must(t, err)
		_, err = h.Turn(t.Context(), remote.Ask{Ticket: seat.Ticket, Turn: 1, Wait: remote.MaxWait})
		must(t, err)
		must(t, h.Leave(seat.Ticket))
		wait.Wait()
		ended := make(chan error, 1)
		go func() { ended <- h.AwaitTold(t.Context()) }()
		synctest.Wait()
		select {
		case err := <-ended:
			t.Error("alice has not been told, and umpire may end: ", err)
		default:
		}
		if end, err := h.Turn(t.Context(), remote.Ask{Ticket: seat.Ticket, Turn: 2}); err != nil || end.State != remote.TurnOver {
			t.Errorf("alice is told %+v, error %v", end, err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A reply that is too long is a verdict, and so is a late one; neither is taken
// when it is repeated.
func TestLongReply(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		records, ends := h.finish([]arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob")},
			&client{name: "alice", think: always(strings.Repeat("1", 64<<10+1)), twice: true}, &client{name: "bob", think: always("2")})
		if got := records[0].Seats[0].Verdict; got != "output" || ends[0].Verdict != "output" {
			t.Errorf("found verdict %s, alice was told %s", got, ends[0].Verdict)
		}
		records, _ = h.finish([]arena.Fixture{h.fixture("morra", "1 1", "remote:alice", "remote:bob")},
			&client{name: "alice", think: always(strings.Repeat("0", 64<<10-1) + "1\n")}, &client{name: "bob", think: always("2")})
		if got := records[0].Seats[0].Verdict; got != "ok" {
			t.Errorf("a line of 64 KiB: found verdict %s", got)
		}
	})
}

// A batch task asks for the whole output.
func TestWhole(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		records, ends := h.finish([]arena.Fixture{h.fixture("sum", "2\n3 4", "remote:alice")},
			&client{name: "alice", twice: true, think: func(info remote.TurnInfo) string {
				if !info.Whole || strings.Join(info.Lines, "/") != "2/3 4" {
					t.Errorf("found %+v", info)
				}
				return "7\n"
			}})
		if got := records[0].Seats[0]; got.Verdict != "ok" || got.Score != protocols.Points(1) || ends[0].State != remote.TurnOver {
			t.Errorf("found %+v", got)
		}
	})
}
