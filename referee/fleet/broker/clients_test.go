package broker

import (
	"cmp"
	"errors"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
	"umpire/referee/keys"
)

// TestHost: the server knows from which host a worker comes, and a worker that says so itself is
// not let in. Nor is one that has been kicked.
func TestHost(t *testing.T) {
	s, err := Start(t.TempDir(), "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	web := httptest.NewServer(s.Handler())
	defer web.Close()
	secret := fleet.NewSecret()
	connect := func(options ...nats.Option) error {
		options = append(options, nats.Name(secret), nats.Token(s.Token))
		nc, err := nats.Connect(strings.Replace(web.URL, "http:", "ws:", 1), options...)
		if err == nil {
			nc.Close()
		}
		return err
	}
	cookie := nats.WebSocketConnectionHeaders(map[string][]string{"Cookie": {hostCookie + "=192.0.2.1"}})
	var first time.Time
	for _, options := range [][]nats.Option{nil, {cookie}} {
		if err := connect(options...); err != nil {
			t.Fatal(err)
		}
		if at := s.Origins([]string{fleet.IDOf(secret)})[fleet.IDOf(secret)]; at.Host != "127.0.0.1" {
			t.Errorf("found host %q, expected 127.0.0.1", at.Host)
		} else if first = cmp.Or(first, at.First); first.IsZero() || at.First != first {
			t.Errorf("found %v for the first connection, expected %v", at.First, first)
		}
	}
	for _, user := range []string{"192.0.2.1", "127.0.0.1"} {
		if err := connect(nats.UserInfo(user, "")); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("user %q: found error %v, expected %v", user, err, nats.ErrAuthorization)
		}
	}
	s.Kick(fleet.IDOf(secret))
	if err := connect(); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("kicked: found error %v, expected %v", err, nats.ErrAuthorization)
	}
}

// TestConnections: a worker has one connection, a key some, and each only so many subscriptions; the newest
// stay.
func TestConnections(t *testing.T) {
	file, err := keys.Open(filepath.Join(t.TempDir(), "workers"), keys.Worker)
	must(t, err)
	key, err := file.Add("lab")
	must(t, err)
	s, err := Start(t.TempDir(), "", file, nil)
	must(t, err)
	defer s.Close()
	web := httptest.NewServer(s.Handler())
	defer web.Close()
	connect := func(name string) *nats.Conn {
		nc, err := nats.Connect(strings.Replace(web.URL, "http:", "ws:", 1), nats.Name(name), nats.Token(key), nats.NoReconnect())
		must(t, err)
		t.Cleanup(nc.Close)
		return nc
	}
	ends := func(nc *nats.Conn) {
		t.Helper()
		for until := time.Now().Add(time.Minute); !nc.IsClosed(); runtime.Gosched() {
			if time.Now().After(until) {
				t.Fatal("a connection goes on")
			}
		}
	}
	secret := fleet.NewSecret()
	first := connect(secret)
	list := []*nats.Conn{connect(secret)}
	ends(first)
	for range maxConnections {
		list = append(list, connect(fleet.NewOnlooker()))
	}
	ends(list[0])
	for _, nc := range list[1:] {
		must(t, nc.Flush())
	}
	refused := make(chan error, 1)
	last := connect(secret)
	last.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
	for n := range maxSubs + 1 {
		_, err := last.SubscribeSync(fmt.Sprint(fleet.Inbox(fleet.IDOf(secret)), ".", n))
		must(t, err)
	}
	if err := <-refused; !errors.Is(err, nats.ErrMaxSubscriptionsExceeded) {
		t.Errorf("found error %v for %d subscriptions", err, maxSubs+1)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
