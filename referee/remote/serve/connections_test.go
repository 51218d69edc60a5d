package serve

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"
)

// crowded is a listener for tests of its limits.
type crowded struct {
	t *testing.T
	*limitedListener
}

func newCrowded(t *testing.T, most connectionLimits) crowded {
	t.Helper()
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limitConnections(plain, most)
	t.Cleanup(func() { l.Close() })
	return crowded{t, l}
}

// dial connects from an address of this machine.
func (l crowded) dial(from string) net.Conn {
	l.t.Helper()
	c, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).Dial("tcp", l.Addr().String())
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { c.Close() })
	return c
}

func (l crowded) accept(from string) *limitedConn {
	l.t.Helper()
	l.dial(from)
	c, err := l.Accept()
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { c.Close() })
	return c.(*limitedConn)
}

// is checks how many connections of each kind there are.
func (l crowded) is(surplus, strangers, players int) {
	l.t.Helper()
	if want := [...]int{0, surplus, strangers, players}; l.count != want {
		l.t.Errorf("found %v surplus, strangers' and players' connections, expected %v", l.count[1:], want[1:])
	}
}

// Connections of players leave room for strangers; beyond the bounds of all
// players and of each they count as strangers'.
func TestConnections(t *testing.T) {
	l := newCrowded(t, connectionLimits{strangers: 5, address: 5, players: 3, player: 2})
	const here = "127.0.0.1"
	alice, bob := l.accept(here), l.accept(here)
	l.is(0, 2, 0)
	alice.admit("alice")
	alice.admit("alice")
	l.is(0, 1, 1)
	l.accept(here).admit("alice")
	l.accept(here).admit("alice") // she has her share
	l.is(0, 2, 2)
	bob.admit("bob")
	l.accept(here).admit("bob") // there is no room
	l.is(0, 2, 3)
	for _, c := range []*limitedConn{alice, alice, bob} {
		_ = c.Close() // the second time it is closed already
	}
	l.is(0, 2, 1)
	alice.admit("alice") // too late
	l.is(0, 2, 1)
}

// Beyond the bound of its address or of all, a stranger's connection waits until
// there is room, and is told which bound it meets; a player's does not wait, and
// others are not kept out.
func TestSurplusConnections(t *testing.T) {
	l := newCrowded(t, connectionLimits{strangers: 3, address: 2, players: 9, player: 9, surplus: 2})
	first, _ := l.accept("127.0.0.1"), l.accept("127.0.0.1")
	third := l.accept("127.0.0.1")
	l.is(1, 2, 0)
	l.accept("127.0.0.2")
	fifth := l.accept("127.0.0.3")
	l.is(2, 3, 0)
	for c, want := range map[*limitedConn]string{
		third: "rate: 2 connections from this address are open, the most there may be without a key or a ticket: close some",
		fifth: "full: 3 connections are open, the most there may be without a key or a ticket: try again later",
	} {
		if err := c.wait(t.Context()); err == nil || err.Error() != want {
			t.Errorf("found error %v, expected %q", err, want)
		}
	}
	// There is no room for a sixth: it is closed, and the next one accepted.
	sixth := l.dial("127.0.0.4")
	accepted := make(chan error, 1)
	go func() {
		_, err := l.Accept()
		accepted <- err
	}()
	_ = sixth.SetReadDeadline(time.Now().Add(time.Minute))
	var timeout net.Error
	if _, err := sixth.Read(make([]byte, 1)); err == nil || errors.As(err, &timeout) && timeout.Timeout() {
		t.Errorf("the sixth connection: found error %v, expected it to be closed", err)
	}
	fifth.admit("alice")
	l.is(1, 3, 1)
	if err := fifth.wait(t.Context()); err != nil {
		t.Errorf("a player's connection: %v", err)
	}
	l.dial("127.0.0.4")
	if err := <-accepted; err != nil {
		t.Error(err)
	}
	l.is(2, 3, 1)
	l.most.patience = time.Minute
	waited := make(chan error, 1)
	go func() { waited <- third.wait(context.Background()) }()
	_ = first.Close()
	if err := <-waited; err != nil {
		t.Error(err)
	}
	l.is(1, 3, 1)
}
