package broker

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/keys"
)

// standingServer starts a server that outlives its runs.
func standingServer(t *testing.T) *Server {
	t.Helper()
	runs, err := keys.Open(filepath.Join(t.TempDir(), "runs"), keys.Run)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(t.TempDir(), "", nil, runs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestForgets: a server that outlives its runs remembers those that are connected, and no others.
func TestForgets(t *testing.T) {
	s := standingServer(t)
	key, err := s.runs.Add("spring")
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	defer web.Close()
	known := func() int {
		s.EndRemoved()
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.clients)
	}
	nc, err := nats.Connect(strings.Replace(web.URL, "http:", "ws:", 1), nats.Token(key))
	if err != nil {
		t.Fatal(err)
	}
	if n := known(); n != 1 {
		t.Errorf("found %d runs, expected 1", n)
	}
	nc.Close()
	for until := time.Now().Add(time.Minute); known() > 0; runtime.Gosched() {
		if time.Now().After(until) {
			t.Fatal("a run that has left is remembered")
		}
	}
}

// TestPortOfAnother: who comes to a server that has ended is not sent to who has its port now.
func TestPortOfAnother(t *testing.T) {
	s := standingServer(t)
	web := httptest.NewUnstartedServer(s.Handler())
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.Start()
	defer web.Close()
	address := strings.TrimPrefix(s.nats.WebsocketURL(), "ws://")
	s.Close()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip(err)
	}
	other := httptest.NewUnstartedServer(http.NotFoundHandler())
	other.Listener.Close()
	other.Listener = l
	other.Start()
	defer other.Close()
	answer, err := http.Get(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusBadGateway {
		t.Errorf("found %s", answer.Status)
	}
}

// TestOneServerInAFolder: two servers would write to one store.
func TestOneServerInAFolder(t *testing.T) {
	dir := t.TempDir()
	start := func() (*Server, error) { return Start(dir, "", nil, nil) }
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := start(); err == nil || !strings.Contains(err.Error(), dir+": another umpire keeps its server there") {
		t.Errorf("found error %v", err)
	}
	s.Close()
	again, err := start()
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
