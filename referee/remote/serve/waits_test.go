package serve_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"umpire/referee/remote"
)

// A request waits as long as it says and no longer, for a seat as for a turn.
func TestWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		alice := s.player("alice")
		for _, wait := range []int{0, 1, 30} {
			began := time.Now()
			seat := get[remote.SeatInfo](s, "POST", "join", alice, map[string]any{"wait": wait})
			if took := time.Since(began); seat.State != "wait" || took != time.Duration(wait)*time.Second {
				t.Errorf("wait %d for a seat: found state %q after %v", wait, seat.State, took)
			}
		}
		m := get[invited](s, "POST", "matches", token, map[string]any{"game": "morra", "seats": []string{"human:eve", "remote:alice"}, "time_ms": 0, "move_ms": 0})
		began := time.Now()
		info := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", m.ticket(1), nil)
		if took := time.Since(began); info.State != remote.TurnWait || took != 30*time.Second {
			t.Errorf("wait for a turn: found state %q after %v", info.State, took)
		}
		together(func() {
			began := time.Now()
			info := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", m.ticket(1), nil)
			if took := time.Since(began); info.State != remote.TurnMove || took != 7*time.Second {
				t.Errorf("the opponent came after 7 s: found state %q after %v", info.State, took)
			}
		}, func() {
			time.Sleep(7 * time.Second)
			seat := get[remote.SeatInfo](s, "POST", "join", alice, map[string]any{})
			get[remote.TurnInfo](s, "GET", "seat/turns/1", seat.Ticket, nil)
		})
	})
}

// An onlooker sees every 15 seconds that a stream without events lives, and
// another who reads nothing is given up after 10.
func TestQuietStream(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		s.player("alice")
		id := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}})
		path := "/api/v1/matches/" + id + "/events"
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		r, err := http.NewRequestWithContext(ctx, "GET", s.server.URL+path, nil)
		must(t, err)
		began := time.Now()
		answer, err := s.http.Do(r)
		must(t, err)
		defer answer.Body.Close()
		deaf := s.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
		defer deaf.Close()
		in := bufio.NewReader(answer.Body)
		for beats := 0; beats < 4; {
			line, err := in.ReadString('\n')
			must(t, err)
			if line != ":\n" {
				continue
			}
			if want := time.Duration(beats) * 15 * time.Second; time.Since(began) != want {
				t.Errorf("beat %d came after %v, expected %v", beats, time.Since(began), want)
			}
			beats++
		}
		if text, err := io.ReadAll(deaf); len(text) > 0 || err != nil {
			t.Errorf("one who has read nothing for a minute: found %q, error %v, expected a closed connection", text, err)
		}
	})
}

// A connection without a request is kept for a minute.
func TestIdleConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		c := s.dial()
		defer c.Close()
		in := bufio.NewReader(c)
		for _, pause := range []time.Duration{0, 59 * time.Second, 59 * time.Second} {
			time.Sleep(pause)
			if _, err := io.WriteString(c, "GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			answer, err := http.ReadResponse(in, nil)
			must(t, err)
			if text, err := io.ReadAll(answer.Body); answer.StatusCode != 200 || !strings.HasPrefix(string(text), "[") || err != nil {
				t.Errorf("after %v: found status %d, error %v", pause, answer.StatusCode, err)
			}
		}
		began := time.Now()
		if _, err := in.ReadByte(); err != io.EOF || time.Since(began) != time.Minute {
			t.Errorf("found error %v after %v, expected the end after a minute", err, time.Since(began))
		}
	})
}
