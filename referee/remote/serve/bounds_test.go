package serve_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"umpire/referee/keys"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/testlevel"
)

// What one key may use up is bounded: matches that it orders and gives up at once come
// one every 10 s, after five, and leave no record, no message and no row of the lobby.
func TestOrdersGivenUp(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		s.house.Failed = func(err error) { t.Errorf("the organiser is told: %v", err) }
		alice := s.player("alice")
		s.player("bob")
		order := map[string]any{"game": "morra", "seats": []string{"human:alice", "@2"}}
		ordered := func() (n int) {
			t.Helper()
			for range 20 {
				a := s.request("POST", "/api/v1/matches", alice, order)
				switch a.status {
				case 201:
					n++
					get[struct{}](s, "DELETE", "seat", parse[invited](t, a.text).ticket(1), nil)
					synctest.Wait()
				case 429:
					if a.code() != "rate" || a.header.Get("Retry-After") != "10" {
						t.Errorf("found %+v", a)
					}
				default:
					t.Fatalf("found %+v", a)
				}
			}
			return n
		}
		for _, step := range []struct {
			after time.Duration
			want  int
		}{{0, 5}, {10*time.Second - 1, 0}, {1, 1}, {30 * time.Second, 3}, {time.Hour, 5}} {
			time.Sleep(step.after)
			if got := ordered(); got != step.want {
				t.Errorf("after %v: %d matches were begun, expected %d", step.after, got, step.want)
			}
		}
		if a := s.request("GET", "/", "", nil); a.status != 200 || strings.Contains(a.text, "matches/") {
			t.Errorf("the lobby shows matches that did not begin: %+v", a)
		}
		if text, err := os.ReadFile(filepath.Join(s.dir, record.ResultsFile)); err != nil || len(text) > 0 {
			t.Errorf("found records %s, error %v", text, err)
		}
		// Neither the organiser nor another player waits for that.
		for range 6 {
			get[struct{}](s, "DELETE", "matches/"+s.order(order), token, nil)
			synctest.Wait()
		}
		if a := s.request("POST", "/api/v1/matches", s.keys["bob"], map[string]any{"game": "morra", "seats": []string{"human:bob", "@2"}}); a.status != 201 {
			t.Errorf("found %+v", a)
		}
	})
}

// Four keys that order what they can, and never come, keep nobody else out. Of the
// matches that run a key holds an eighth, and another eighth is the organiser's; a
// match that has no place when its players come waits for one.
func TestPlaces(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		s.house.Places.Most = 16
		full := func(who, secret string, order any) {
			t.Helper()
			if a := s.request("POST", "/api/v1/matches", secret, order); a.status != 503 || a.code() != "full" || a.header.Get("Retry-After") == "" {
				t.Errorf("%s: found %+v, expected 503 full", who, a)
			}
		}
		waiting := func(name string) map[string]any {
			return map[string]any{"game": "morra", "seats": []string{"remote:" + name, "remote:" + name}}
		}
		for _, name := range []string{"k1", "k2", "k3", "k4"} {
			key := s.player(name)
			for range 16 { // by themselves, which takes no time
				if _, err := s.house.Make(t.Context(), house.Order{Game: "morra", Seats: []string{"remote:" + name, "remote:" + name}, By: name}); err != nil {
					t.Fatal(err)
				}
			}
			full(name, key, waiting(name))
		}
		// Removing players ends their matches at once.
		get[struct{}](s, "DELETE", "players/k1", token, nil)
		synctest.Wait()
		for name, want := range map[string]int{"k1": 0, "k2": 16} {
			if left := get[[]remote.MatchInfo](s, "GET", "matches?state=waiting&player="+name, "", nil); len(left) != want {
				t.Errorf("%d matches of %s wait, expected %d", len(left), name, want)
			}
		}
		// run has matches begin that nobody ends, each of a session of its own.
		run := func(name, secret string, n int) {
			t.Helper()
			for range n {
				m := get[invited](s, "POST", "matches", secret, map[string]any{"game": "morra", "seats": []string{"human:" + name, "@2"}})
				get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=1", m.ticket(1), nil)
			}
		}
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			key := s.player(name)
			if name != "h" {
				run(name, key, 2)
				if name == "a" {
					full(name, key, waiting(name))
				}
			} else {
				full(name, key, waiting(name))
			}
		}
		late := get[invited](s, "POST", "matches", token, map[string]any{"game": "morra", "seats": []string{"human:eve", "@2"}})
		run("eve", token, 2)
		full("the organiser", token, waiting("a"))
		// Its player comes when all places are taken.
		ticket := late.ticket(1)
		if info := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=20", ticket, nil); info.State != remote.TurnWait {
			t.Errorf("found %+v, expected a match that waits for its place", info)
		}
		time.Sleep(patience) // of the others, --idle is over
		if info := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=1", ticket, nil); info.State != remote.TurnMove {
			t.Errorf("found %+v, expected a match that has its place", info)
		}
	})
}

// A match from which a player is removed is void, also if it is the player's turn, whether the
// organiser asks for that or another program changes the file of the keys.
func TestRemovedPlayer(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		s.player("bob")
		for _, remove := range []func(){
			func() { get[struct{}](s, "DELETE", "players/alice", token, nil) },
			func() {
				file, err := keys.Open(filepath.Join(s.dir, "players"), keys.Player)
				must(t, errors.Join(err, file.Remove("alice")))
			},
		} {
			s.player("alice")
			id := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "remote:bob"}, "time_ms": 0, "move_ms": 0})
			tickets := make(map[string]string)
			for _, name := range []string{"alice", "bob"} {
				tickets[name] = get[remote.SeatInfo](s, "POST", "join", s.keys[name], map[string]any{"wait": 30}).Ticket
				get[remote.TurnInfo](s, "GET", "seat/turns/1", tickets[name], nil)
			}
			for _, ticket := range tickets {
				get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", ticket, nil)
			}
			began := time.Now()
			remove()
			end := get[remote.TurnInfo](s, "PUT", "seat/turns/1?wait=30", tickets["bob"], map[string]string{"reply": "1"})
			if took := time.Since(began); end.State != remote.TurnVoid || end.Detail != "alice was removed by the organiser" || took > 3*time.Second {
				t.Errorf("after %v: found %+v", took, end)
			}
			if a := s.request("GET", "/api/v1/seat", tickets["alice"], nil); a.code() != remote.CodeTicket {
				t.Errorf("the ticket: found %s", a.text)
			}
			if info := get[remote.MatchInfo](s, "GET", "matches/"+id, "", nil); info.State != remote.Void || len(info.Results) > 0 {
				t.Errorf("found match %+v", info)
			}
		}
	})
}

// What bounds a reply is its text, however it is written, and one that is too long is a
// verdict, by JSON and by SOAP.
func TestLongReplies(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // the race detector takes ten times as long for such bodies
	inBubble(t, func(t *testing.T, s *site) {
		key := s.player("alice")
		line := strings.Repeat("1", 600<<10)
		put := func(reply string) func(ticket string) {
			return func(ticket string) {
				get[remote.TurnInfo](s, "PUT", "seat/turns/1", ticket, map[string]string{"reply": reply})
			}
		}
		for _, test := range []struct {
			game, verdict string
			seats         []string
			reply         func(ticket string)
		}{
			{"sum", "wrong", []string{"remote:alice"}, put(strings.Repeat("\n", 9<<20))},
			{"sum", "output", []string{"remote:alice"}, put(strings.Repeat("1", 16<<20+1))},
			{"sum", "wrong", []string{"remote:alice"}, func(ticket string) {
				if a := s.call(soap11, operation("Reply", "ticket", ticket, "turn", 1, "text", line)); a.status != 200 {
					t.Errorf("found %+v", a)
				}
			}},
			{"morra", "output", []string{"remote:alice", "@2"}, put(line)},
			{"morra", "output", []string{"remote:alice", "@2"}, func(ticket string) {
				if a := s.call(soap11, operation("Reply", "ticket", ticket, "turn", 1, "text", line)); a.status != 200 {
					t.Errorf("found %+v", a)
				}
			}},
		} {
			s.order(map[string]any{"game": test.game, "seats": test.seats, "time_ms": 0, "move_ms": 0})
			ticket := get[remote.SeatInfo](s, "POST", "join", key, map[string]any{"wait": 30}).Ticket
			get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", ticket, nil)
			test.reply(ticket)
			end := get[remote.TurnInfo](s, "GET", "seat/turns/2?wait=30", ticket, nil)
			if end.State == remote.TurnWait { // it has been told of the verdict first
				end = get[remote.TurnInfo](s, "GET", "seat/turns/2?wait=30", ticket, nil)
			}
			if end.State != remote.TurnOver || end.Verdict != test.verdict {
				t.Errorf("%s: found %+v, expected verdict %s", test.game, end, test.verdict)
			}
		}
	})
}

// A player whose output is long loses no time, nor its turn, while another sends one slowly.
func TestSlowOutputOfAnother(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		tickets := make(map[string]string)
		for _, name := range []string{"alice", "bob"} {
			key := s.player(name)
			s.order(map[string]any{"game": "sum", "seats": []string{"remote:" + name}, "time_ms": 5000, "move_ms": 0})
			tickets[name] = get[remote.SeatInfo](s, "POST", "join", key, map[string]any{"wait": 30}).Ticket
			get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", tickets[name], nil)
		}
		slow := s.send("PUT /api/v1/seat/turns/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + tickets["alice"] +
			"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
		defer slow.Close()
		synctest.Wait()
		began := time.Now()
		end := get[remote.TurnInfo](s, "PUT", "seat/turns/1?wait=30", tickets["bob"], map[string]string{"reply": strings.Repeat("1", 600<<10)})
		if took := time.Since(began); end.State != remote.TurnOver || end.Verdict != "wrong" || took > time.Second {
			t.Errorf("after %v: found %+v", took, end)
		}
	})
}
