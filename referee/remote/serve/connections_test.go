package serve

import (
	"net"
	"testing"
)

// Connections of players leave room for strangers; beyond their own bound they
// count as strangers, of whom no more are accepted than there may be.
func TestConnections(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limitConnections(plain, 2, 1).(*limitedListener)
	defer l.Close()
	accept := func() *limitedConn {
		t.Helper()
		client, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c.(*limitedConn)
	}
	is := func(strangers, players int) {
		t.Helper()
		if len(l.strangers) != strangers || len(l.players) != players {
			t.Errorf("found %d strangers and %d players, expected %d and %d", len(l.strangers), len(l.players), strangers, players)
		}
	}
	alice, bob := accept(), accept()
	is(2, 0)
	alice.admit()
	alice.admit()
	is(1, 1)
	bob.admit() // there is no room
	is(1, 1)
	carol := accept()
	is(2, 1)
	for _, c := range []*limitedConn{alice, alice, bob} {
		_ = c.Close() // the second time it is closed already
	}
	is(1, 0)
	alice.admit() // too late
	is(1, 0)
	carol.admit()
	is(0, 1)
	accepted := make(chan error)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				accepted <- err
				return
			}
			defer c.Close()
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	_ = l.Close()
	if err := <-accepted; err == nil {
		t.Error("a closed listener accepts")
	}
	_ = carol.Close()
}
