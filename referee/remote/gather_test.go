package remote_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/keys"
	"umpire/referee/remote"
)

// gathering opens a match and returns how long it waited for its players, and why it
// does no longer, once it does not.
func (h *hall) gathering(f arena.Fixture) (table *remote.Table, ended func() (time.Duration, error)) {
	began, done := time.Now(), make(chan struct{})
	table = h.Open(f).(*remote.Table)
	var took time.Duration
	var err error
	go func() {
		defer close(done)
		err = table.Gather(h.t.Context())
		took = time.Since(began)
		if err != nil {
			table.Cancel(err)
		}
	}()
	return table, func() (time.Duration, error) { <-done; return took, err }
}

// arrive has a person, or a player's program, ask for its first turn in a match.
func (h *hall) arrive(t *remote.Table, seat int) {
	h.t.Helper()
	if _, err := h.Turn(h.t.Context(), remote.Ask{Ticket: t.Ticket(seat), Turn: 1}); err != nil {
		h.t.Error(err)
	}
}

// Seats that were taken and never asked for are absent, all at the same time.
func TestVanishedSessions(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		var ended []func() (time.Duration, error)
		for i := range 8 {
			_, end := h.gathering(h.fixture("morra", "1 1", "remote:alice", "x"))
			ended = append(ended, end)
			if seat, err := h.Join(t.Context(), h.keys["alice"], "", fmt.Sprint(i), 0); err != nil || seat.State != "seated" {
				t.Fatalf("found %+v, error %v", seat, err)
			}
		}
		for i, end := range ended {
			if took, err := end(); err == nil || took != time.Minute {
				t.Errorf("match %d waited for %v, error %v, expected a minute", i+1, took, err)
			}
		}
	})
}

// With Forfeit a match begins without those who have not come in time, and they fail in
// it. One that comes late while another is waited for plays.
func TestForfeit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, remote.Config{Join: time.Minute, Forfeit: true})
		match := h.fixture("morra", "3 1", "remote:alice", "remote:bob")
		play := func(name string) { (&client{hall: h, name: name, think: always("1")}).play() }
		var wait sync.WaitGroup
		wait.Go(func() { play("alice") })
		began := time.Now()
		records, err := h.run(t.Context(), match)
		if err != nil || time.Since(began) != time.Minute || records[0].Seats[0].Verdict != "ok" || records[0].Seats[0].Place != 1 ||
			records[0].Seats[1].Verdict != "crash" || records[0].Seats[1].Detail != "did not come within 60 s" {
			t.Errorf("after %v: found %+v, error %v", time.Since(began), records[0].Seats, err)
		}
		wait.Wait()
		busy, _ := h.gathering(h.fixture("morra", "1 1", "remote:bob", "x"))
		h.arrive(busy, 1)
		wait.Go(func() {
			time.Sleep(2 * time.Minute)
			play("alice")
		})
		wait.Go(func() {
			time.Sleep(3 * time.Minute)
			busy.Cancel(errors.New("test"))
			play("bob")
		})
		records, err = h.run(t.Context(), match)
		wait.Wait()
		if err != nil || records[0].Seats[0].Verdict != "ok" || records[0].Seats[1].Verdict != "ok" {
			t.Errorf("found %+v, error %v", records[0].Seats, err)
		}
		// Of two who do not come nobody wins, though one of them owes no reply.
		records, err = h.run(t.Context(), h.fixture("relay", "60\n7", "remote:carol", "remote:dan"))
		for _, s := range records[0].Seats {
			if err != nil || s.Verdict != "crash" || s.Detail != "did not come within 60 s" || s.Place != 2 || s.Score != (protocols.Score{}) {
				t.Errorf("found %+v, error %v", s, err)
			}
		}
		verifyFile(t, t.TempDir()+"/results.jsonl", records[0], h.local.Games, true)
	})
}

// In a schedule whose matches are all open nobody is absent who waits in one of them for
// somebody that is.
func TestForfeitsOfAbsenteesAlone(t *testing.T) {
	for _, test := range []struct{ present, sessions int }{{4, 1}, {3, 1}, {3, 2}, {2, 3}, {1, 1}} {
		t.Run(fmt.Sprintf("%d of 5 with %d sessions", test.present, test.sessions), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall(t, remote.Config{Join: time.Minute, Forfeit: true})
				names := []string{"alice", "bob", "carol", "dan", "eve"}
				var fixtures []arena.Fixture
				for i := range 25 {
					if one, other := names[i/5], names[i%5]; one != other {
						fixtures = append(fixtures, h.fixture("morra", "1 1", "remote:"+one, "remote:"+other))
					}
				}
				h.local.Jobs = len(fixtures)
				ctx, cancel := context.WithCancel(t.Context())
				var wait sync.WaitGroup
				for n := range test.present * test.sessions {
					wait.Go(func() {
						for name, err := names[n/test.sessions], error(nil); err == nil; {
							var seat remote.SeatInfo
							if seat, err = h.Join(ctx, h.keys[name], "", fmt.Sprint(n), remote.MaxWait); seat.State != "seated" {
								continue
							}
							a, info := remote.Ask{Ticket: seat.Ticket, Turn: 1, Wait: remote.MaxWait}, remote.TurnInfo{}
							for err == nil && info.State != remote.TurnOver {
								if info, err = h.Turn(ctx, a); info.State == remote.TurnMove {
									time.Sleep(20 * time.Second)
									info, err = h.Reply(ctx, a, "1")
									a.Turn++
								}
							}
						}
					})
				}
				began := time.Now()
				records, err := h.run(ctx, fixtures...)
				must(t, err)
				cancel()
				wait.Wait()
				for _, r := range records {
					for _, s := range r.Seats {
						want := "ok"
						if slices.Index(names, s.Bot) >= test.present {
							want = "crash"
						}
						if s.Verdict != want {
							t.Errorf("%s against %s: found %s %s %s, expected %s", r.Seats[0].Bot, r.Seats[1].Bot, s.Bot, s.Verdict, s.Detail, want)
						}
					}
				}
				if took := time.Since(began); took > 10*time.Minute {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}

// Whose other session has taken a seat and vanished is not excused from it by waiting for
// the very player that waits there.
func TestVanishedAndWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, remote.Config{Join: time.Minute, Forfeit: true})
		first, begins := h.gathering(h.fixture("morra", "1 1", "remote:alice", "remote:bob"))
		_, err := h.Join(t.Context(), h.keys["alice"], "", "vanishes", 0)
		must(t, err)
		second, _ := h.gathering(h.fixture("morra", "1 1", "remote:bob", "remote:alice"))
		for _, name := range []string{"alice", "bob"} {
			seat, err := h.Join(t.Context(), h.keys[name], "", "", 0)
			must(t, err)
			_, err = h.Turn(t.Context(), remote.Ask{Ticket: seat.Ticket, Turn: 1})
			must(t, err)
		}
		if took, err := begins(); err != nil || took != time.Minute || second.Info().State != remote.Waiting {
			t.Errorf("waited for %v, error %v; the second match is %s", took, err, second.Info().State)
		}
		first.Cancel(errors.New("test"))
		second.Cancel(errors.New("test"))
	})
}

// A person with a key finds all its matches by it, one after another, and is excused from
// one by another. It is no player of the same name.
func TestPersonWithKey(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		key, err := h.keysOf.Add(keys.PersonKey("eve"))
		must(t, err)
		if seat, err := h.Join(t.Context(), h.keys["eve"], "", "", 0); err != nil || seat.State != "wait" {
			t.Errorf("the player: found %+v, error %v", seat, err)
		}
		h.keys["eve"] = key
		var wait sync.WaitGroup
		var fixtures []arena.Fixture
		for n := range 3 {
			fixtures = append(fixtures, h.fixture("morra", "3 1", "human:eve", "remote:bob"))
			wait.Go(func() { (&client{hall: h, name: "bob", session: fmt.Sprint(n), think: always("2")}).play() })
		}
		wait.Go(func() {
			for range fixtures {
				(&client{hall: h, name: "eve", think: always("1"), takes: 40 * time.Second}).play()
			}
		})
		records, err := h.run(t.Context(), fixtures...)
		wait.Wait()
		must(t, err)
		for n, r := range records {
			if r.Seats[0].Verdict != "ok" || len(r.Events) != 6 {
				t.Errorf("match %d: found %+v after %d events, %s", n+1, r.Seats, len(r.Events), r.Error)
			}
		}
		if list := h.Players(); len(list) != 5 || list[4].Name != "eve" || list[4].Online {
			t.Errorf("found players %+v, expected eve as the last of five, who is not there", list)
		}
	})
}

// Where players order matches, one is excused by a match of its own kind that runs, or that
// waits for one who is excused, and by no match for longer than ten times --gather.
func TestWhatExcuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, remote.Config{Join: time.Minute, Void: func(string, error) {}})
		running, _ := h.gathering(h.fixture("morra", "1 1", "remote:alice", "remote:bob"))
		h.arrive(running, 1)
		h.arrive(running, 2)
		people, _ := h.gathering(h.fixture("morra", "1 1", "human:dan", "human:dan"))
		h.arrive(people, 1)
		h.arrive(people, 2)
		begin := func(comes int, labels ...string) func() (time.Duration, error) {
			table, ended := h.gathering(h.fixture("morra", "1 1", labels...))
			if comes > 0 {
				h.arrive(table, comes)
			}
			return ended
		}
		for _, match := range []struct {
			name  string
			ended func() (time.Duration, error)
			took  time.Duration
			why   string
		}{
			{"as a person", begin(0, "remote:dan", "x"), time.Minute, "dan did not take seat 1 within 60 s"},
			{"waits for nobody who plays", begin(1, "remote:dan", "remote:eve"), time.Minute, "eve did not take seat 2 within 60 s"},
			{"waits in such a match", begin(0, "remote:dan", "x"), time.Minute, "dan did not"},
			{"plays", begin(2, "remote:alice", "remote:carol"), 10 * time.Minute, "alice did not take seat 1 within 600 s, in which it played other matches"},
			{"waits for one who plays", begin(0, "remote:carol", "x"), 10 * time.Minute, "carol did not take seat 1 within 600 s"},
		} {
			if took, err := match.ended(); took != match.took || err == nil || !strings.HasPrefix(err.Error(), match.why) {
				t.Errorf("%s: waited for %v, error %v, expected %v, %q", match.name, took, err, match.took, match.why)
			}
		}
		running.Cancel(errors.New("test"))
		people.Cancel(errors.New("test"))
	})
}

// A player that is removed loses its tickets at once, and fails where it plays and where
// it is to play.
func TestRemovedPlayer(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		fixtures := []arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob"), h.fixture("morra", "3 1", "remote:bob", "remote:alice")}
		h.local.Jobs = 1
		key := h.keys["alice"]
		var wait sync.WaitGroup
		wait.Go(func() {
			for range fixtures {
				(&client{hall: h, name: "bob", think: always("1")}).play()
			}
		})
		wait.Go(func() {
			seat, err := h.Join(t.Context(), key, "", "", remote.MaxWait)
			if err != nil {
				t.Error(err)
			}
			ask := remote.Ask{Ticket: seat.Ticket, Turn: 1, Wait: remote.MaxWait}
			if info, err := h.Turn(t.Context(), ask); err != nil || info.State != remote.TurnMove {
				t.Errorf("found %+v, error %v", info, err)
			}
			var waiting sync.WaitGroup
			waiting.Go(func() {
				if _, err := h.Join(t.Context(), key, "", "another", remote.MaxWait); !hasCode(err, remote.CodeKey) {
					t.Errorf("a request that waits for a seat: found error %v", err)
				}
			})
			synctest.Wait()
			if err := h.keysOf.Remove("alice"); err != nil {
				t.Error(err)
			}
			h.Remove("alice")
			waiting.Wait()
			if _, err := h.Reply(t.Context(), ask, "1"); !hasCode(err, remote.CodeTicket) {
				t.Errorf("a reply: found error %v", err)
			}
		})
		records, err := h.run(t.Context(), fixtures...)
		must(t, err)
		wait.Wait()
		for i, r := range records {
			if s := r.Seats[i]; r.Error != "" || s.Verdict != "crash" || s.Detail != []string{"was removed by the organiser", "did not come (was removed by the organiser)"}[i] || s.ChargedUS != 0 {
				t.Errorf("match %d: found error %q, seat %+v", i+1, r.Error, s)
			}
		}
	})
}

// A ticket belongs to a key, not to a name: who has a new key has no seat by it, and the
// match notices that the old one is gone.
func TestKeyReplaced(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		var wait sync.WaitGroup
		wait.Go(func() { (&client{hall: h, name: "bob", think: always("1")}).play() })
		wait.Go(func() {
			seat, err := h.Join(t.Context(), h.keys["alice"], "", "", remote.MaxWait)
			if err != nil {
				t.Error(err)
			}
			ask := remote.Ask{Ticket: seat.Ticket, Turn: 1, Wait: remote.MaxWait}
			if info, err := h.Turn(t.Context(), ask); err != nil || info.State != remote.TurnMove {
				t.Errorf("found %+v, error %v", info, err)
			}
			key, err := "", h.keysOf.Remove("alice")
			if err == nil {
				key, err = h.keysOf.Add("alice")
			}
			if err != nil {
				t.Error(err)
			}
			if _, err := h.Reply(t.Context(), ask, "1"); !hasCode(err, remote.CodeTicket) {
				t.Errorf("a reply with the old key's ticket: found error %v", err)
			}
			for range 2 {
				if seat, err := h.Join(t.Context(), key, "", "", 0); err != nil || seat.State != "wait" {
					t.Errorf("the new key: found %+v, error %v", seat, err)
				}
				h.CheckKeys()
			}
		})
		began := time.Now()
		records, err := h.run(t.Context(), h.fixture("morra", "3 1", "remote:alice", "remote:bob"))
		must(t, err)
		wait.Wait()
		if s := records[0].Seats[0]; s.Verdict != "crash" || s.Detail != "was removed by the organiser" || time.Since(began) != 0 {
			t.Errorf("found seat %+v after %v", s, time.Since(began))
		}
	})
}
