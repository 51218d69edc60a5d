package serve_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Many players wait, for a seat or for a turn, and the organiser is answered.
// When all of them vanish, nothing is left of their requests. scripts/load
// measures the same with more of them.
func TestLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const waiting, matches = 100, 30
		s := openInBubble(t, t.TempDir(), nil)
		s.house.Places.Most = matches
		for i := range waiting + matches {
			s.player(fmt.Sprint("p", i))
		}
		s.http.CloseIdleConnections()
		var tickets []string
		for i := range matches {
			name := fmt.Sprint("p", waiting+i)
			s.order(map[string]any{"game": "morra", "seats": []string{"remote:" + name, "remote:p0"}, "case": "2 1"})
			seat := get[struct{ Ticket string }](s, "POST", "join", s.keys[name], map[string]any{})
			tickets = append(tickets, seat.Ticket)
		}
		synctest.Wait()
		before := runtime.NumGoroutine()
		ctx, vanish := context.WithCancel(t.Context())
		defer vanish()
		var clients sync.WaitGroup
		ask := func(method, path, secret, body string) {
			r, err := http.NewRequestWithContext(ctx, method, s.server.URL+"/api/v1/"+path, strings.NewReader(body))
			must(t, err)
			r.Header.Set("Authorization", "Bearer "+secret)
			r.Header.Set("Content-Type", "application/json")
			clients.Go(func() {
				answer, err := s.http.Do(r)
				if err == nil {
					answer.Body.Close()
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s %s: found error %v, expected none to be answered", method, path, err)
				}
			})
		}
		for i := 1; i < waiting; i++ {
			ask("POST", "join", s.keys[fmt.Sprint("p", i)], `{"wait":30}`)
		}
		for _, ticket := range tickets {
			ask("GET", "seat/turns/1?wait=30", ticket, "{}") // the body means nothing
		}
		for i := 1; i < waiting; i++ {
			s.awaitRequest(fmt.Sprint("p", i), "morra")
		}
		if running := get[[]any](s, "GET", "matches?limit=200", token, nil); len(running) != matches {
			t.Errorf("found %d matches, expected %d", len(running), matches)
		}
		vanish()
		clients.Wait()
		s.http.CloseIdleConnections()
		synctest.Wait() // well before the requests would have been answered
		if after := runtime.NumGoroutine(); after > before {
			t.Errorf("found %d goroutines, expected the %d before", after, before)
		}
	})
}

// As many slow senders as there may be connections don't keep anybody out for
// longer than a header may take.
func TestManySlowSenders(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		for range 1000 {
			c := s.send("GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
			defer c.Close()
		}
		began := time.Now()
		if a := s.request("GET", "/api/v1/games", "", nil); a.status != 200 || time.Since(began) != 5*time.Second {
			t.Errorf("found %+v after %v, expected an answer after 5 s", a, time.Since(began))
		}
	})
}

// The onlookers of one address are bounded, and all together, in a match and in the lobby;
// one that leaves makes room.
func TestOnlookers(t *testing.T) {
	for _, test := range []struct {
		name       string
		most, each int
	}{{"match", 500, 400}, {"lobby", 250, 200}} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *site) {
				s.player("alice")
				path := "lobby/events"
				if test.name == "match" {
					path = "matches/" + s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1"}) + "/events"
				}
				look := func(from string) (status int, leave func()) {
					t.Helper()
					ctx, cancel := context.WithCancel(t.Context())
					r, err := http.NewRequestWithContext(ctx, "GET", s.server.URL+"/api/v1/"+path, nil)
					must(t, err)
					dial := func(context.Context, string, string) (net.Conn, error) { return s.network.Dial(from) }
					client := &http.Client{Transport: described{t, &http.Transport{DialContext: dial, DisableKeepAlives: true}}}
					answer, err := client.Do(r)
					must(t, err)
					return answer.StatusCode, func() { cancel(); answer.Body.Close() }
				}
				var leave []func()
				expect := func(from string, n, want int) {
					t.Helper()
					for range n {
						status, f := look(from)
						if leave = append(leave, f); status != want {
							t.Fatalf("onlooker %d, from %s: found status %d, expected %d", len(leave), from, status, want)
						}
					}
				}
				expect("127.0.0.1", test.each, 200)
				expect("127.0.0.1", 1, 429)
				expect("127.0.0.2", test.most-test.each, 200)
				expect("127.0.0.2", 1, 503)
				leave[0]()
				synctest.Wait()
				expect("127.0.0.2", 1, 200)
				for _, f := range leave {
					f()
				}
			})
		})
	}
}
