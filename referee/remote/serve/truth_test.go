package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"umpire/referee/fleet/status"
	"umpire/referee/remote"
	"umpire/referee/remote/serve"
)

// A request whose connection is closed when it is read takes nobody's place; a live one
// does.
func TestClosedRequestSupersedesNone(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		alice := s.player("alice")
		answered := make(chan answer, 1)
		go func() { answered <- s.request("POST", "/api/v1/join", alice, map[string]any{"wait": 5}) }()
		synctest.Wait()
		for range 3 {
			body := `{"wait":30}`
			text := fmt.Sprintf("POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", alice, len(body), body)
			dead := s.send(text)
			dead.Close()
			synctest.Wait()
		}
		if a := <-answered; a.status != 200 || !strings.Contains(a.text, `"wait"`) {
			t.Errorf("the live request: found %+v", a)
		}
		go func() { answered <- s.request("POST", "/api/v1/join", alice, map[string]any{"wait": 5}) }()
		synctest.Wait()
		if a := s.request("POST", "/api/v1/join", alice, map[string]any{"wait": 5}); a.status != 200 {
			t.Errorf("the later request: found %+v", a)
		}
		if a := <-answered; a.status != 409 || a.code() != "superseded" {
			t.Errorf("the older request: found %+v", a)
		}
	})
}

// logFile is an access log in memory.
type logFile struct{ bytes.Buffer }

func (*logFile) Close() error { return nil }

// What the server says of itself, and of who asks.
func TestPublicServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logFile
		s := openInBubble(t, t.TempDir(), func(c *serve.Config) { c.URL, c.Access = "https://example.org/sub", &log })
		s.server.URL = "http://127.0.0.1" // where the test reaches it
		alice := s.player("alice")
		made := get[invited](s, "POST", "matches", alice, map[string]any{"game": "morra", "seats": []string{"human:alice", "@2"}})
		ticket := made.ticket(1)
		if !strings.HasPrefix(made.Seats[0].Link, "/sub/play/") {
			t.Errorf("found link %s, expected the path of --url in it", made.Seats[0].Link)
		}
		get[remote.SeatInfo](s, "GET", "seat", ticket, nil)
		if a := s.request("GET", "/healthz", "", nil); a.status != 200 || a.text != "ok\n" || a.header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("found %+v", a)
		}
		if a := s.request("HEAD", "/healthz", "", nil); a.status != 200 || a.text != "" {
			t.Errorf("found %+v", a)
		}
		for _, name := range []string{".", ".."} {
			if a := s.request("POST", "/api/v1/players", token, map[string]string{"name": name}); a.status != 400 || a.code() != "argument" {
				t.Errorf("found %+v", a)
			}
		}
		s.request("DELETE", "/api/v1/players/alice", "wrong", nil)
		s.call(soap11, operation("Join", "key", alice))
		s.close()
		for _, want := range []string{
			`"who":"organiser","from":"127.0.0.1","method":"POST","path":"/api/v1/players","status":201`,
			`"who":"player alice","from":"127.0.0.1","method":"POST","path":"/api/v1/matches","status":201`,
			`"who":"stranger","from":"127.0.0.1","method":"DELETE","path":"/api/v1/players/alice","status":401`,
			`"who":"seat 1 of match `,
			`"who":"player alice","from":"127.0.0.1","method":"POST","path":"/soap","status":200`,
		} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log has no line with %s:\n%s", want, log.String())
			}
		}
		if strings.Contains(log.String(), ticket) || strings.Contains(log.String(), alice) {
			t.Error("there are secrets in the log")
		}
	})
}

// A body of two lengths is refused, with its connection, also in a request that was sent
// before the one before it was answered, and however the texts are cut.
func TestTwoLengths(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		const head = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		chunks := "POST /api/v1/join" + head + "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nContent-Length: 2\r\n\r\n"
		length := "POST /api/v1/join" + head + "Content-Length: 2\r\n\r\n{}"
		for _, before := range []string{"", "GET /healthz" + head + "\r\n", length, chunks} {
			for request, refused := range map[string]bool{
				chunks: false, length: false,
				"POST /api/v1/join" + head + "content-length: 4\r\nTRANSFER-ENCODING: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n": true,
				"POST /api/v1/join" + head + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}":                            true,
				"POST /api/v1/join HTTP/1.1\nHost: localhost\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n":      true,
			} {
				for _, piece := range []int{1, 7, len(before) + 3, 10_000} {
					c := s.dial()
					text := before + request + "GET /healthz" + head + "Connection: close\r\n\r\n"
					go func() {
						for part := range slices.Chunk([]byte(text), piece) {
							_, _ = c.Write(part) // the server may have closed it
						}
					}()
					answers, err := io.ReadAll(c)
					if n := strings.Count(string(answers), `"header"`); err != nil || (n == 1) != refused || strings.HasSuffix(string(answers), "ok\n") == refused {
						t.Errorf("%q after %q in pieces of %d: found %s, error %v, refused %v", request, before, piece, answers, err, refused)
					}
					c.Close()
				}
			}
		}
	})
}

// A header that must be understood is not ignored.
func TestMustUnderstand(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		const body = `<s:Body><Leave xmlns="urn:umpire:v1"><ticket>x</ticket></Leave></s:Body></s:Envelope>`
		for _, test := range []struct{ kind, envelope, must, want string }{
			{"text/xml", soap11, "1", "<faultcode>soap:MustUnderstand</faultcode>"},
			{"text/xml", soap11, "0", "ticket: "},
			{"application/soap+xml", soap12, "true", "<soap:Value>soap:MustUnderstand</soap:Value>"},
			{"application/soap+xml", soap12, "false", "ticket: "},
		} {
			text := fmt.Sprintf(`<s:Envelope xmlns:s="%s"><s:Header><x:Pay xmlns:x="urn:x" s:mustUnderstand="%s"><x:a/></x:Pay></s:Header>`, test.envelope, test.must) + body
			a := s.request("POST", "/soap", "", text, func(r *http.Request) { r.Header.Set("Content-Type", test.kind) })
			if a.status != 500 || !strings.Contains(a.text, test.want) {
				t.Errorf("%s, mustUnderstand %s: found %+v, expected %s", test.kind, test.must, a, test.want)
			}
		}
	})
}

// Behind a trusted proxy strangers are told apart, whatever they claim themselves; and
// they keep neither players nor the organiser from looking on.
func TestStrangersBehindProxy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openInBubble(t, t.TempDir(), func(c *serve.Config) {
			c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		})
		alice := s.player("alice")
		id := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "human:eve"}, "case": "2 1"})
		seat := get[remote.SeatInfo](s, "POST", "join", alice, map[string]any{})
		ctx, leave := context.WithCancel(t.Context())
		look := func(secret, through string) (status int) {
			t.Helper()
			r, err := http.NewRequestWithContext(ctx, "GET", s.server.URL+"/api/v1/matches/"+id+"/events", nil)
			must(t, err)
			r.Header.Set("Authorization", "Bearer "+secret)
			r.Header.Set("X-Forwarded-For", through)
			a, err := s.http.Do(r)
			must(t, err)
			go func() { _, _ = io.Copy(io.Discard, a.Body); a.Body.Close() }()
			return a.StatusCode
		}
		for n := range 500 {
			from := "192.0.2.1"
			if n >= 400 {
				from = "192.0.2.2, 127.0.0.9"
			}
			if status := look("", from); status != 200 {
				t.Fatalf("onlooker %d: found status %d", n, status)
			}
		}
		for _, test := range []struct {
			who, secret, through string
			want                 int
		}{
			{"one more of an address", "", "192.0.2.1", 429},
			{"one that claims another", "", "192.0.2.77, 192.0.2.1", 429},
			{"another stranger", "", "192.0.2.3", 503},
			{"the organiser", token, "192.0.2.1", 200},
			{"a player", alice, "192.0.2.1", 200},
			{"a seat", seat.Ticket, "192.0.2.1", 200},
		} {
			if status := look(test.secret, test.through); status != test.want {
				t.Errorf("%s: found status %d, expected %d", test.who, status, test.want)
			}
		}
		wrong := func(through string) int {
			return s.request("POST", "/api/v1/join", "wrong", "{}", func(r *http.Request) { r.Header.Set("X-Forwarded-For", through) }).status
		}
		for range 30 {
			wrong("192.0.2.1")
		}
		if one, other := wrong("192.0.2.1"), wrong("192.0.2.2"); one != 429 || other != 401 {
			t.Errorf("wrong secrets of an address, and of another: found %d and %d, expected 429 and 401", one, other)
		}
		leave()
		synctest.Wait()
	})
}

// A client that vanishes while it is answered is no failure of umpire.
func TestClientVanishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openInBubble(t, t.TempDir(), func(c *serve.Config) {
			c.Clients = fstest.MapFS{"bot.py": {Data: bytes.Repeat([]byte("# a remote player\n"), 10_000)}}
			c.Fleet = func() *status.Fleet { return new(status.Fleet) }
			c.Failed = func(err error) { t.Errorf("the organiser is told: %v", err) }
		})
		for _, path := range []string{"/api/v1/openapi.json", "/how-to-play/bot.py", "/how-to-play", "/healthz", "/metrics", "/soap?wsdl", "/web/pages.css"} {
			c := s.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			c.Close()
			synctest.Wait()
		}
	})
}
