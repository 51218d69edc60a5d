package broker

import (
	"cmp"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
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
