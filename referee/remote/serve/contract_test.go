package serve_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/client"
	"umpire/referee/remote/serve"
)

// Every problem of the interface has its status and code.
func TestProblems(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		key := s.player("alice")
		waiting := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 0, "move_ms": 0})
		seat := get[remote.SeatInfo](s, "POST", "join", key, map[string]any{"wait": 5})
		if turn := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", seat.Ticket, nil); turn.State != remote.TurnMove {
			t.Fatalf("found %+v", turn)
		}
		answered := get[remote.TurnInfo](s, "PUT", "seat/turns/1?wait=30", seat.Ticket, map[string]string{"reply": "1"})
		if answered.State != remote.TurnMove || answered.Turn != 2 || !slices.Equal(answered.Lines, []string{"2"}) {
			t.Fatalf("found %+v", answered)
		}
		host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
		header := func(name, value string) func(*http.Request) {
			return func(r *http.Request) { r.Header.Set(name, value) }
		}
		none := func(*http.Request) {}
		order := func(members string) string { return `{"game":"morra",` + members + `}` }
		for _, test := range []struct {
			method, path, secret, body string
			change                     func(*http.Request)
			status                     int
			code                       string
		}{
			{"POST", "join", key, `{"wait":`, none, 400, "json"},
			{"POST", "join", key, `{"wait":1}{}`, none, 400, "json"},
			{"POST", "join", key, `{"weight":1}`, none, 400, "json"},
			{"POST", "join", key, `[]`, none, 400, "json"},
			{"POST", "join", key, `null`, none, 400, "json"},
			{"POST", "join", key, ` `, none, 400, "json"},
			{"POST", "join", key, `{"Wait":1}`, none, 400, "json"},
			{"POST", "join", key, `{"wait":1,"wait":2}`, none, 400, "json"},
			{"POST", "join", key, `{"wait":NaN}`, none, 400, "json"},
			{"POST", "join", key, `{"wait":1e400}`, none, 400, "json"},
			{"POST", "join", key, "{\"session\":\"\xff\"}", none, 400, "json"},
			{"POST", "join", key, strings.Repeat("[", 100_000), none, 400, "json"},
			{"POST", "join", key, `{"wait":"1"}`, none, 400, "json"},
			{"POST", "join", key, `{"game":"go"}`, none, 400, "argument"},
			{"POST", "join", key, `{"session":"` + strings.Repeat("s", 129) + `"}`, none, 400, "argument"},
			{"POST", "join", key, `{"wait":31}`, none, 400, "wait"},
			{"POST", "join", key, `{"wait":-1}`, none, 400, "wait"},
			{"POST", "join", key, `{}`, header("Content-Type", "text/plain"), 415, "type"},
			{"POST", "join", key, `{}`, header("Content-Type", "application/json; charset=utf-16"), 415, "type"},
			{"POST", "join", key, `{"session":"` + strings.Repeat("s", 600<<10) + `"}`, none, 413, "body"},
			{"POST", "join", "wrong", `{}`, none, 401, "key"},
			{"POST", "join", seat.Ticket, `{}`, none, 401, "key"},
			{"POST", "join", "", `{}`, none, 401, "key"},
			{"GET", "join", key, "", none, 405, "method"},
			{"GET", "seat/turns/4", seat.Ticket, "", none, 409, "early"},
			{"GET", "seat/turns/0", seat.Ticket, "", none, 400, "argument"},
			{"GET", "seat/turns/x", seat.Ticket, "", none, 400, "argument"},
			{"GET", "seat/turns/1?wait=x", seat.Ticket, "", none, 400, "wait"},
			{"GET", "seat/turns/1?wait=31", seat.Ticket, "", none, 400, "wait"},
			{"GET", "seat/turns/1", key, "", none, 410, "ticket"},
			{"PUT", "seat/turns/1", seat.Ticket, `{"reply":"2"}`, none, 409, "answered"},
			{"PUT", "seat/turns/3", seat.Ticket, `{"reply":"2"}`, none, 409, "early"},
			{"PUT", "seat/turns/2", seat.Ticket, `{"reply":"2\n3"}`, none, 400, "text"},
			{"PUT", "seat/turns/2", seat.Ticket, `{"reply":"2\r3\n"}`, none, 400, "text"},
			{"PUT", "seat/turns/2", seat.Ticket, `{}`, none, 400, "json"},
			{"PUT", "seat/turns/2", seat.Ticket, `{"reply":"2","reply":"3"}`, none, 400, "json"},
			{"PUT", "seat/turns/2", seat.Ticket, `{"reply":2}`, none, 400, "json"},
			{"PUT", "seat/turns/2", seat.Ticket, "{\"reply\":\"2\xff\"}", none, 400, "json"},
			{"PUT", "seat/turns/2", "wrong", `{"reply":"2"}`, none, 410, "ticket"},
			{"GET", "games", "", "", host("evil.example"), 403, "host"},
			{"GET", "games", "", "", host("127.0.0.1.evil.example"), 403, "host"},
			{"GET", "games", "", "", host("10.1.2.3"), 403, "host"},
			{"POST", "join", key, `{}`, header("Sec-Fetch-Site", "cross-site"), 403, "origin"},
			{"POST", "join", key, `{}`, header("Origin", "http://evil.example"), 403, "origin"},
			{"GET", "games/go", "", "", none, 404, "game"},
			{"GET", "matches/nothing", "", "", none, 404, "match"},
			{"GET", "matches?before=nothing", "", "", none, 404, "match"},
			{"GET", "matches?state=lost", "", "", none, 400, "argument"},
			{"GET", "matches?limit=0", "", "", none, 400, "argument"},
			{"GET", "matches?limit=201", "", "", none, 400, "argument"},
			{"GET", "matches/" + waiting + "/record", "", "", none, 409, "running"},
			{"GET", "nothing", "", "", none, 404, "address"},
			{"PATCH", "games", "", "", none, 405, "method"},
			{"POST", "players", key, `{"name":"bob"}`, none, 401, "token"},
			{"POST", "players", token, `{"name":"b/b"}`, none, 400, "argument"},
			{"POST", "players", token, `{"name":"alice"}`, none, 400, "argument"},
			{"DELETE", "players/alice", "wrong", "", none, 401, "token"},
			{"DELETE", "players/bob", token, "", none, 404, "argument"},
			{"DELETE", "matches/" + waiting, key, "", none, 401, "token"},
			{"POST", "matches", "", order(`"seats":["@2","@2"]`), none, 401, "token"},
			{"POST", "matches", token, `{"game":"go","seats":[]}`, none, 404, "game"},
			{"POST", "matches", token, order(`"seats":["@2"]`), none, 400, "seats"},
			{"POST", "matches", token, order(`"seats":["@2","@3"]`), none, 400, "seats"},
			{"POST", "matches", token, order(`"seats":["@2","./bot"]`), none, 400, "seats"},
			{"POST", "matches", token, order(`"seats":["@2","/bin/sh -c id"]`), none, 400, "seats"},
			{"POST", "matches", token, order(`"seats":["@2","remote:nobody"]`), none, 400, "seats"},
			{"POST", "matches", token, order(`"seats":["@2","remote:../x"]`), none, 400, "seats"},
			{"POST", "matches", token, `{"game":"sum","seats":["human:eve"]}`, none, 400, "seats"},
			{"POST", "matches", token, order(`"seats":["@2","@2"],"case":"/etc/hostname"`), none, 400, "case"},
			{"POST", "matches", token, order(`"seats":["@2","@2"],"group":"none"`), none, 400, "case"},
			{"POST", "matches", token, order(`"seats":["@2","@2"],"case":"1 1","seed":1`), none, 400, "argument"},
			{"POST", "matches", token, order(`"seats":["@2","@2"],"time_ms":-1`), none, 400, "argument"},
			{"POST", "matches", key, order(`"seats":["@2","@2"]`), none, 403, "seats"},
			{"POST", "matches", key, order(`"seats":["remote:alice","human:eve"]`), none, 403, "seats"},
			{"POST", "matches", key, order(`"seats":["remote:alice","@2"],"case":"1 1"`), none, 403, "seats"},
		} {
			var body any
			if test.body != "" {
				body = test.body
			}
			time.Sleep(time.Second) // no request is one too many
			a := s.request(test.method, "/api/v1/"+test.path, test.secret, body, test.change)
			if a.status != test.status || a.code() != test.code {
				t.Errorf("%s %s %.60s: found %d %s, expected %d %s", test.method, test.path, test.body, a.status, a.text, test.status, test.code)
			}
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
				"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "", "Set-Cookie": "",
				"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			} {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s %s: found %s %q, expected %q", test.method, test.path, name, got, want)
				}
			}
		}
		if s.request("GET", "/api/v1/games", "", nil, host("localhost:1")).status != 200 {
			t.Error("localhost is refused")
		}
	})
}

// Every address refuses the methods that it does not have, and names those that
// it has.
func TestMethods(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	for _, test := range []struct{ method, path, allow string }{
		{"POST", "/", "GET, HEAD"},
		{"DELETE", "/matches/x", "GET, HEAD"},
		{"PUT", "/play/x", "GET, HEAD"},
		{"POST", "/web/pages.css", "GET, HEAD"},
		{"OPTIONS", "/api/v1/players", "GET, POST"},
		{"PATCH", "/api/v1/matches/x", "DELETE, GET"},
		{"PUT", "/soap", "GET, HEAD, POST"},
		{"OPTIONS", "/soap", "GET, HEAD, POST"},
	} {
		a := s.request(test.method, test.path, "", nil)
		if a.status != 405 || a.code() != "method" || a.header.Get("Allow") != test.allow {
			t.Errorf("%s %s: found %+v, expected 405 with Allow: %s", test.method, test.path, a, test.allow)
		}
	}
	for _, path := range []string{"/", "/web/pages.css", "/soap?wsdl"} {
		if a := s.request("HEAD", path, "", nil); a.status != 200 || a.text != "" {
			t.Errorf("HEAD %s: found %+v", path, a)
		}
	}
	// A request for the server as a whole gets no answer of another kind.
	a := s.request("OPTIONS", "/", "", nil, func(r *http.Request) { r.URL.Opaque = "*" })
	if a.status != 404 || a.code() != "address" || a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("OPTIONS *: found %+v", a)
	}
}

// The other lines of the contract.
func TestInterface(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	alice := s.player("alice")
	games := get[[]map[string]any](s, "GET", "games", "", nil)
	if len(games) < 3 || games[0]["name"] != "morra" || games[0]["min_seats"] != 2.0 || games[2]["batch"] != true {
		t.Errorf("found games %v", games)
	}
	game := get[map[string]any](s, "GET", "games/morra", "", nil)
	if !strings.HasPrefix(game["rules"].(string), "Morra") || game["limits"] != "some" || game["bots"] == nil {
		t.Errorf("found game %v", game)
	}
	// The organiser's match, with a person.
	m := get[invited](s, "POST", "matches", token, map[string]any{"game": "morra", "seats": []string{"human:eve", "remote:alice"}, "case": "standard/01", "time_ms": 60000, "move_ms": 50000})
	ticket, ok := strings.CutPrefix(m.Seats[0].Link, "/play/"+m.ID+"#")
	if !ok || m.Seats[1].Link != "" || m.Seats[1].Player != "alice" {
		t.Fatalf("found %+v", m)
	}
	if info := get[remote.TurnInfo](s, "GET", "seat/turns/1", ticket, nil); info.State != remote.TurnWait || info.LeftMS != -1 {
		t.Errorf("found %+v", info)
	}
	seat := get[map[string]any](s, "POST", "join", alice, map[string]any{})
	for name, want := range map[string]any{
		"state": "seated", "match": m.ID, "game": "morra", "seat": 2.0, "seats": 2.0, "time_ms": 60000.0, "move_ms": 50000.0, "start_ms": 0.0, "grace_ms": 0.0,
	} {
		if seat[name] != want {
			t.Errorf("seat: found %s %v, expected %v", name, seat[name], want)
		}
	}
	if a := s.request("DELETE", "/api/v1/seat", seat["ticket"].(string), nil); a.status != 200 {
		t.Errorf("found %+v", a)
	}
	if info := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", ticket, nil); info.State != remote.TurnVoid || !strings.Contains(info.Detail, "alice left seat 2") {
		t.Errorf("found %+v", info)
	}
	// A player's match, with a bot; the organiser voids it.
	m = get[invited](s, "POST", "matches", alice, map[string]any{"game": "morra", "seats": []string{"human:alice", "@2"}})
	if m.Seats[0].Link == "" {
		t.Error("found no link")
	}
	if list := get[[]remote.MatchInfo](s, "GET", "matches?state=waiting&player=alice&game=morra", "", nil); len(list) != 1 || list[0].ID != m.ID || list[0].Record != "" {
		t.Errorf("found %+v", list)
	}
	if a := s.request("DELETE", "/api/v1/matches/"+m.ID, token, nil); a.status != 200 {
		t.Errorf("found %+v", a)
	}
	ticket = strings.TrimPrefix(m.Seats[0].Link, "/play/"+m.ID+"#")
	if info := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", ticket, nil); info.State != remote.TurnVoid || info.Detail != "voided by the organiser" {
		t.Errorf("found %+v", info)
	}
	// Players that wait, and one that is removed.
	players := get[[]remote.PlayerInfo](s, "GET", "players", "", nil)
	if len(players) != 1 || players[0].Name != "alice" || !players[0].Online {
		t.Errorf("found %+v", players)
	}
	if a := s.request("DELETE", "/api/v1/players/alice", token, nil); a.status != 200 {
		t.Errorf("found %+v", a)
	}
	if a := s.request("POST", "/api/v1/join", alice, map[string]any{}); a.status != 401 {
		t.Errorf("found %+v", a)
	}
}

// A private server shows matches to those with a secret alone.
func TestPrivate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openInBubble(t, t.TempDir(), func(c *serve.Config) { c.Private = true })
		alice := s.player("alice")
		s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}})
		seat := get[remote.SeatInfo](s, "POST", "join", alice, map[string]any{"wait": 5})
		for secret, status := range map[string]int{"": 401, "wrong": 401, token: 200, alice: 200, seat.Ticket: 200} {
			for _, path := range []string{"games", "players", "matches", "matches/" + seat.Match} {
				if a := s.request("GET", "/api/v1/"+path, secret, nil); a.status != status {
					t.Errorf("%s with secret %.10q: found %d, expected %d", path, secret, a.status, status)
				}
			}
		}
	})
}

// Wrong keys and questions that bring nothing new are answered ever more slowly;
// the right key and replies are not.
func TestThrottle(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		alice := s.player("alice")
		wrong := func(n int) answer {
			if n%2 == 0 {
				return s.request("GET", "/api/v1/seat/turns/1", fmt.Sprint("wrong", n), nil)
			}
			return s.request("POST", "/api/v1/join", fmt.Sprint("wrong", n), "{}")
		}
		idle := func(int) answer { return s.request("POST", "/api/v1/join", alice, map[string]any{}) }
		// asked is how many of 100 requests are not refused for being too many.
		asked := func(ask func(int) answer, statuses ...int) (n int) {
			t.Helper()
			for i := range 100 {
				switch a := ask(i); {
				case slices.Contains(statuses, a.status):
					n++
				case a.status != 429 || a.code() != "rate" || a.header.Get("Retry-After") == "":
					t.Errorf("found %+v, expected status %d or 429", a, statuses)
				}
			}
			return n
		}
		for _, step := range []struct {
			after       time.Duration
			wrong, idle int
		}{{0, 20, 20}, {time.Second, 1, 10}, {5 * time.Second, 5, 20}, {time.Hour, 20, 20}} {
			time.Sleep(step.after)
			if got := asked(wrong, 401, 410); got != step.wrong {
				t.Errorf("after %v: %d wrong keys were looked at, expected %d", step.after, got, step.wrong)
			}
			if got := asked(idle, 200); got != step.idle {
				t.Errorf("after %v: %d questions were answered, expected %d", step.after, got, step.idle)
			}
		}
	})
}

// Over TLS, too, one request at a time is read from a connection, within the
// limits of all.
func TestTLS(t *testing.T) {
	made := httptest.NewTLSServer(nil)
	made.Close()
	s := open(t, t.TempDir(), func(c *serve.Config) {
		c.TLS = &tls.Config{Certificates: made.TLS.Certificates, NextProtos: []string{"h2"}}
	})
	if !strings.HasPrefix(s.server.URL, "https://127.0.0.1:") {
		t.Errorf("found URL %s", s.server.URL)
	}
	s.http.Transport = &http.Transport{TLSClientConfig: made.Client().Transport.(*http.Transport).TLSClientConfig, ForceAttemptHTTP2: true}
	var proto string
	a := s.request("GET", "/soap?wsdl", "", nil, func(r *http.Request) {
		trace := &httptrace.ClientTrace{TLSHandshakeDone: func(state tls.ConnectionState, _ error) { proto = state.NegotiatedProtocol }}
		*r = *r.WithContext(httptrace.WithClientTrace(r.Context(), trace))
	})
	if a.status != 200 || proto != "http/1.1" || !strings.Contains(a.text, `location="`+s.server.URL+`/soap"`) {
		t.Errorf("found protocol %q, answer %+v", proto, a)
	}
	// What never heals is not tried again: a certificate that is not known, and the wrong scheme.
	for _, url := range []string{s.server.URL, strings.Replace(s.server.URL, "https", "http", 1)} {
		c := client.Client{URL: url, Key: "x", HTTP: &http.Client{Transport: &http.Transport{}}}
		_, err := c.Join(t.Context(), "", "")
		if p, ok := errors.AsType[*client.Problem](err); !ok || !p.IsMistake() {
			t.Errorf("%s: found error %v", url, err)
		}
		c.HTTP.CloseIdleConnections()
	}
}

// A player may repeat a match against programs, but can't choose the case of an
// opponent who waits.
func TestPlayersSeed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		alice := s.player("alice")
		bob := s.player("bob")
		both := map[string]any{"game": "morra", "seats": []string{"remote:alice", "remote:bob"}, "seed": 1}
		together(
			func() { s.request("POST", "/api/v1/join", bob, map[string]any{"wait": 30}) },
			func() {
				s.awaitRequest("bob", "morra")
				if a := s.request("POST", "/api/v1/matches", alice, both); a.status != 403 || a.code() != "seats" {
					t.Errorf("found %+v", a)
				}
				delete(both, "seed")
				get[remote.MatchInfo](s, "POST", "matches", alice, both)
			},
		)
		alone := map[string]any{"game": "morra", "seats": []string{"human:alice", "@2"}, "seed": 1}
		get[remote.MatchInfo](s, "POST", "matches", alice, alone)
	})
}

// Sessions that get seats bring something new, however many they are.
func TestManySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sessions = 40
		s := openInBubble(t, t.TempDir(), nil)
		s.house.Places.Most = sessions
		alice := s.player("alice")
		for range sessions {
			s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1"})
		}
		matches := make(map[string]bool)
		for i := range sessions {
			seat := get[remote.SeatInfo](s, "POST", "join", alice, map[string]any{"session": strconv.Itoa(i)})
			matches[seat.Match] = true
		}
		if len(matches) != sessions || matches[""] {
			t.Errorf("found %d matches, expected %d", len(matches), sessions)
		}
		found := make(map[int]int)
		for range 100 {
			found[s.request("POST", "/api/v1/join", alice, map[string]any{"session": "1"}).status]++
		}
		if found[200] != 20 || found[429] != 80 {
			t.Errorf("asking for the same seat again and again: found statuses %v, expected 20 answers", found)
		}
	})
}

// A client that sends slowly is cut off, and others are served meanwhile.
func TestSlowSenders(t *testing.T) {
	for name, test := range map[string]struct {
		text, answer string
		within       time.Duration
	}{
		"header": {"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "", 5 * time.Second},
		"body": {
			"POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
			"HTTP/1.1 408 ", 10 * time.Second,
		},
		"SOAP": {
			"POST /soap HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: 1000\r\n\r\n<",
			"HTTP/1.1 500 ", 10 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *site) {
				c := s.send(test.text)
				defer c.Close()
				began := time.Now()
				if s.request("GET", "/api/v1/games", "", nil).status != 200 || time.Since(began) > 0 {
					t.Errorf("others are served after %v", time.Since(began))
				}
				first := make([]byte, 4096)
				n, err := c.Read(first)
				if took := time.Since(began); took != test.within || !strings.HasPrefix(string(first[:n]), test.answer) {
					t.Errorf("found %q, error %v after %v, expected %q after %v", first[:n], err, took, test.answer, test.within)
				}
				if _, err := io.ReadAll(c); err != nil && n > 0 {
					t.Errorf("the connection is not closed: %v", err)
				}
			})
		})
	}
}
