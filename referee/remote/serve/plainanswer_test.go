package serve_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"umpire/referee/remote/serve"
)

// What net/http itself answers, since it can give it to no handler, has the
// headers of all other answers: over TLS too, and after an answer of a handler.
func TestAnswersWithoutHandler(t *testing.T) {
	made := httptest.NewTLSServer(http.NotFoundHandler())
	made.Close()
	for _, secure := range []bool{false, true} {
		s := open(t, t.TempDir(), func(c *serve.Config) {
			if secure {
				c.TLS = &tls.Config{Certificates: made.TLS.Certificates}
			}
		})
		for _, test := range []struct {
			request string
			status  int
		}{
			{"GET / HTTP/1.1\r\n\r\n", 400},
			{"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
			{"nonsense\r\n\r\n", 400},
			{"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 32<<10) + "\r\n\r\n", 431},
			{"POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nExpect: much\r\nContent-Length: 1\r\n\r\n", 417},
			{"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
			{"POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n", 400},
			{"GET / HTTP/7.0\r\nHost: localhost\r\n\r\n", 505},
		} {
			const good = "GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
			for _, before := range []string{"", good, good + good} {
				answers := s.raw(secure, before+test.request, strings.Count(before, "GET")+1)
				for i, a := range answers {
					want := 200
					if i == len(answers)-1 {
						want = test.status
					}
					if a.status != want || len(a.header.Values("Content-Security-Policy")) != 1 ||
						!strings.HasPrefix(a.header.Get("Content-Security-Policy"), "default-src 'none';") || a.header.Get("X-Content-Type-Options") != "nosniff" {
						t.Errorf("TLS %v, %.40q, answer %d: found %d with %v, expected %d with a policy", secure, before+test.request, i+1, a.status, a.header, want)
					}
				}
			}
		}
		if a := s.raw(secure, "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", 1)[0]; a.status != 404 || a.code() != "address" {
			t.Errorf("CONNECT: found %+v", a)
		}
		if secure {
			a := s.raw(false, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 1)[0]
			if a.status != 400 || !strings.Contains(a.text, "https") || a.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("plain HTTP to a server of HTTPS: found %+v", a)
			}
		}
	}
}

// raw sends bytes over a connection of its own, and reads so many answers.
func (s *site) raw(secure bool, bytes string, answers int) []answer {
	s.t.Helper()
	c, err := net.Dial("tcp", s.server.Addr().String())
	must(s.t, err)
	if secure {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true})
	}
	defer c.Close()
	go func() { _, _ = io.WriteString(c, bytes) }() // the server may have closed before it has read all
	in := bufio.NewReader(c)
	list := make([]answer, answers)
	for i := range list {
		got, err := http.ReadResponse(in, nil)
		if err != nil {
			s.t.Errorf("answer %d to %.40q: %v", i+1, bytes, err)
			return list
		}
		text, err := io.ReadAll(got.Body)
		if err != nil {
			s.t.Error(err)
		}
		list[i] = answer{got.StatusCode, got.Header, string(text)}
	}
	return list
}
