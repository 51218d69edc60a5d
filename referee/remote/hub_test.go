package remote_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/remote"
)

// The record of a match with players from outside can be verified.
func TestRecordIsValid(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		h.limits = record.Limits{Clock: "wall", TimeUS: 10e6, StartUS: 500e3, GraceUS: 300e3}
		records, _ := h.finish([]arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob")},
			&client{name: "alice", think: always("2"), takes: time.Second},
			&client{name: "bob", think: always("3"), takes: 200 * time.Millisecond})
		r := records[0]
		if r.Seats[0].Kind != "remote" || r.Match == "" || r.Match == r.ID {
			t.Errorf("found kind %q, match %q, id %q", r.Seats[0].Kind, r.Match, r.ID)
		}
		// Three replies of 1 s, less 300 ms each, and 500 ms of the first.
		if got := r.Seats[0].ChargedUS; got != 1600e3 {
			t.Errorf("alice was charged %d µs, expected 1600000", got)
		}
		if got := r.Seats[1].ChargedUS; got != 0 {
			t.Errorf("bob was charged %d µs, expected 0", got)
		}
		path := t.TempDir() + "/results.jsonl"
		verifyFile(t, path, r, h.local.Games, true)
		r.Limits.GraceUS = 0
		r.ID = r.Identity()
		verifyFile(t, path+"2", r, h.local.Games, false)
	})
}

func verifyFile(t *testing.T, path string, r record.Record, games []protocols.Game, want bool) {
	t.Helper()
	w, err := record.Append(path)
	must(t, err)
	line, err := w.WriteLine(r)
	must(t, err)
	v, err := record.Verify(record.Line{File: path, Number: 1, Bytes: line, Whole: true}, games)
	if err != nil || v.Valid != want {
		t.Errorf("found valid %v (%s), error %v, expected valid %v", v.Valid, v.Why, err, want)
	}
	must(t, w.Close())
}

// Nobody is told that a match is over before its record has been kept.
func TestOverIsToldAfterTheRecord(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		kept := false
		h.stored = func(record.Record) {
			time.Sleep(time.Minute) // a slow disk
			kept = true
		}
		played := func(end remote.TurnInfo) {
			if end.State != remote.TurnOver || !kept {
				t.Errorf("was told %s while kept is %v", end.State, kept)
			}
		}
		_, ends := h.finish([]arena.Fixture{h.fixture("morra", "1 1", "remote:alice", "remote:bob")},
			&client{name: "alice", think: always("1")}, &client{name: "bob", think: always("1")})
		for _, end := range ends {
			played(end)
		}
	})
}

// sitter is a program's player that notes when it sits down.
type sitter struct {
	sat chan<- string
}

func (sitter) Identity() referee.Identity { return referee.Identity{Name: "sitter", Digest: "sitter"} }

func (s sitter) Sit(context.Context, referee.Seating) (referee.Contestant, error) {
	s.sat <- "program"
	return replier("1"), nil
}

// replier is a contestant that always replies the same.
type replier string

func (replier) Send(string)         {}
func (replier) CloseInput()         {}
func (replier) Stop() referee.Usage { return referee.Usage{} }
func (r replier) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	return referee.Reply{Text: string(r)}, nil
}

// Programs start only when the players from outside are there: they could
// think meanwhile.
func TestProgramsStartLast(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		sat := make(chan string, 2)
		h.local.Players = []referee.Player{sitter{sat}}
		f := h.fixture("morra", "1 1", "sitter", "remote:alice")
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := h.run(t.Context(), f); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(30 * time.Second)
		seat, err := h.Join(t.Context(), h.keys["alice"], "", "", 0)
		if err != nil || seat.State != "seated" || seat.Seat != 2 || !slices.Equal(seat.Players, []string{"sitter", "alice"}) {
			t.Fatalf("found seat %+v, error %v", seat, err)
		}
		synctest.Wait()
		select {
		case who := <-sat:
			t.Errorf("%s sat down before alice had asked for its first turn", who)
		default:
		}
		a := remote.Ask{Ticket: seat.Ticket, Turn: 1}
		if info, err := h.Turn(t.Context(), a); err != nil || info.State != remote.TurnWait {
			t.Errorf("found %+v, error %v", info, err)
		}
		if who := <-sat; who != "program" {
			t.Error(who)
		}
		synctest.Wait()
		if _, err := h.Reply(t.Context(), a, "2"); err != nil {
			t.Error(err)
		}
		wait.Wait()
	})
}

// A match whose player does not come is void, and its record says so.
func TestJoinLimit(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		started, took := time.Now(), time.Duration(0)
		h.stored = func(record.Record) { took = time.Since(started) }
		records, ends := h.finish([]arena.Fixture{h.fixture("morra", "1 1", "remote:alice", "remote:bob")},
			&client{name: "alice", think: always("1")})
		if took < time.Minute || took > time.Minute+2*time.Second {
			t.Errorf("took %v, expected a minute", took)
		}
		const want = "bob did not take seat 2 within 60 s"
		if records[0].Error != want || records[0].Seats[0].Verdict != "" {
			t.Errorf("found error %q, verdict %q", records[0].Error, records[0].Seats[0].Verdict)
		}
		if ends[0].State != remote.TurnVoid || ends[0].Detail != want {
			t.Errorf("alice was told %+v", ends[0])
		}
	})
}

// While a player sits in another match, the time in which it must come stands
// still, and one session plays one match after the other.
func TestOneSessionPlaysOneMatchAtATime(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		var fixtures []arena.Fixture
		for i := range 4 {
			f := h.fixture("morra", "10 1", "remote:alice", "remote:bob")
			if i%2 == 1 {
				f = h.fixture("morra", "10 1", "remote:bob", "remote:alice")
			}
			f.Repetition = i + 1
			fixtures = append(fixtures, f)
		}
		var wait sync.WaitGroup
		for _, name := range []string{"alice", "bob"} {
			wait.Go(func() {
				for range fixtures {
					(&client{hall: h, name: name, think: always("1"), takes: 15 * time.Second}).play()
				}
			})
		}
		records, err := h.run(t.Context(), fixtures...)
		must(t, err)
		wait.Wait()
		for _, r := range records {
			if r.Error != "" {
				t.Errorf("repetition %d: %s", r.Repetition, r.Error)
			}
		}
	})
}

// A session is given the seat that it has until the match ends; another session
// of the player gets another seat.
func TestSessions(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		first := h.Open(h.fixture("morra", "1 1", "remote:alice", "x"))
		second := h.Open(h.fixture("morra", "2 1", "x", "remote:alice"))
		join := func(session string) string {
			seat, err := h.Join(t.Context(), h.keys["alice"], "morra", session, 0)
			must(t, err)
			return seat.Match
		}
		for _, want := range []struct{ session, match string }{
			{"", first.ID()}, {"", first.ID()}, {"b", second.ID()}, {"", first.ID()}, {"b", second.ID()}, {"c", ""},
		} {
			if got := join(want.session); got != want.match {
				t.Errorf("session %q: found match %q, expected %q", want.session, got, want.match)
			}
		}
		second.Cancel(errors.New("test"))
		if got := join("b"); got != "" {
			t.Errorf("found match %q, expected none", got)
		}
		first.Cancel(errors.New("test"))
	})
}

// A game's seats alone are given to a session that wants that game.
func TestJoinOneGame(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		h.Open(h.fixture("morra", "1 1", "remote:alice", "x"))
		seat, err := h.Join(t.Context(), h.keys["alice"], "relay", "", time.Second)
		if err != nil || seat.State != "wait" {
			t.Errorf("found %+v, error %v", seat, err)
		}
		if _, err := h.Join(t.Context(), h.keys["alice"], "go", "", 0); !hasCode(err, remote.CodeArgument) {
			t.Errorf("found error %v", err)
		}
	})
}

func hasCode(err error, code string) bool {
	var p *remote.Problem
	return errors.As(err, &p) && p.Code == code
}

// A foul is a verdict, and ten minutes after the end tickets are spent.
func TestFoul(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		var wait sync.WaitGroup
		wait.Go(func() { _, _ = h.run(t.Context(), h.fixture("morra", "2 1", "remote:alice", "remote:bob")) })
		ctx := t.Context()
		seat := func(name string) remote.Ask {
			s, err := h.Join(ctx, h.keys[name], "", "", time.Second)
			must(t, err)
			a := remote.Ask{Ticket: s.Ticket, Turn: 1}
			if _, err := h.Turn(ctx, a); err != nil {
				t.Fatal(err)
			}
			return a
		}
		alice, bob := seat("alice"), seat("bob")
		synctest.Wait()
		for seat, text := range map[remote.Ask]string{alice: "1", bob: "nine"} {
			if _, err := h.Reply(ctx, seat, text); err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		bob.Turn = 2
		info, err := h.Turn(ctx, remote.Ask{Ticket: bob.Ticket, Turn: 2, Wait: time.Second})
		if err != nil || info.State != remote.TurnOver || info.Verdict != "foul" || info.Results[0].Verdict != "ok" {
			t.Errorf("found %+v, error %v", info, err)
		}
		if info, err := h.Reply(ctx, bob, "1"); err != nil || info.State != remote.TurnOver {
			t.Errorf("a reply after the end: found %+v, error %v", info, err)
		}
		wait.Wait()
		time.Sleep(10*time.Minute - time.Second)
		if info, err := h.Turn(ctx, bob); err != nil || info.State != remote.TurnOver {
			t.Errorf("found %+v, error %v", info, err)
		}
		time.Sleep(2 * time.Second)
		if _, err := h.Turn(ctx, bob); !hasCode(err, remote.CodeTicket) {
			t.Errorf("found error %v, expected a spent ticket", err)
		}
	})
}

// Of two requests that wait in one place the older ends, and is not to be
// repeated.
func TestSuperseded(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		errs := make(chan error, 2)
		join := func() {
			_, err := h.Join(t.Context(), h.keys["alice"], "", "", remote.MaxWait)
			errs <- err
		}
		go join()
		synctest.Wait()
		go join()
		synctest.Wait()
		if err := <-errs; !hasCode(err, remote.CodeSuperseded) {
			t.Errorf("found error %v", err)
		}
		if !h.WaitsFor("alice", "relay") {
			t.Error("alice does not wait")
		}
		h.Open(h.fixture("morra", "1 1", "remote:alice", "x"))
		if err := <-errs; err != nil {
			t.Errorf("found error %v", err)
		}
		seat, err := h.Join(t.Context(), h.keys["alice"], "", "", 0)
		must(t, err)
		turn := func() {
			_, err := h.Turn(t.Context(), remote.Ask{Ticket: seat.Ticket, Turn: 1, Wait: remote.MaxWait})
			errs <- err
		}
		go turn()
		synctest.Wait()
		go turn()
		if err := <-errs; !hasCode(err, remote.CodeSuperseded) {
			t.Errorf("found error %v", err)
		}
		h.Stop()
		if err := <-errs; !hasCode(err, remote.CodeStopping) {
			t.Errorf("found error %v", err)
		}
	})
}

// A match between programs of this machine is forgotten once its record can be read
// elsewhere; one with a player from outside is not, since the player may ask how it ended.
func TestArchived(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		for _, end := range []bool{false, true} { // before it was told how the match ended, and after
			here := h.Open(h.fixture("morra", "3 1", "@2", "@2"))
			there := h.Open(h.fixture("morra", "3 1", "remote:alice", "@2"))
			for _, m := range []arena.Table{here, there} {
				if end {
					m.End(record.Record{})
				}
				h.Archived(m.ID())
				if !end {
					m.Cancel(errors.New("the test is over"))
				}
			}
			if h.Table(here.ID()) != nil || h.Table(there.ID()) == nil {
				t.Errorf("ended before: %v: found %v and %v, expected the second match alone", end, h.Table(here.ID()), h.Table(there.ID()))
			}
		}
		time.Sleep(time.Hour)
		if list := h.Tables(); len(list) > 0 {
			t.Errorf("found %d matches, expected none", len(list))
		}
	})
}
