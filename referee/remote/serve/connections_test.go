package serve

import (
	"fmt"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// crowded is a listener for tests of its limits.
type crowded struct {
	t *testing.T
	*limitedListener
}

func newCrowded(t *testing.T, most connectionLimits) crowded {
	return crowded{t, limitConnections(NewNetwork(), most)}
}

// dial connects from an IP address.
func (l crowded) dial(from string) net.Conn {
	l.t.Helper()
	c, err := l.Listener.(*Network).Dial(from)
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
	if want := []int{surplus, strangers, players}; !slices.Equal(l.count[isSurplus:], want) {
		l.t.Errorf("found %v surplus, strangers' and players' connections, expected %v", l.count[isSurplus:], want)
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
	synctest.Test(t, func(t *testing.T) {
		const patience = 6 * time.Second
		l := newCrowded(t, connectionLimits{strangers: 3, address: 2, players: 9, player: 9, surplus: 4, patience: patience})
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
			began := time.Now()
			if err := c.wait(t.Context()); err == nil || err.Error() != want || time.Since(began) != patience {
				t.Errorf("found error %v after %v, expected %q after %v", err, time.Since(began), want, patience)
			}
		}
		// Beyond the bound of surplus connections a new one takes the place of the oldest, which is
		// that of its own address if half of the places are taken from there.
		l.accept("127.0.0.3")
		sixth := l.accept("127.0.0.3")
		if !fifth.is(isClosed) || third.is(isClosed) {
			t.Error("the oldest connection of a crowded address is not the one that is closed")
		}
		l.is(3, 3, 0)
		eighth := l.accept("127.0.0.4")
		l.is(4, 3, 0)
		ninth := l.accept("127.0.0.5")
		if !third.is(isClosed) {
			t.Error("the oldest connection is not closed")
		}
		l.is(4, 3, 0)
		ninth.admit("alice")
		l.is(3, 3, 1)
		if err := ninth.wait(t.Context()); err != nil {
			t.Errorf("a player's connection: %v", err)
		}
		waited := make(chan error, 1)
		go func() { waited <- eighth.wait(t.Context()) }()
		time.Sleep(patience - 1)
		if len(waited) > 0 || sixth.is(isClosed) {
			t.Error("a connection is not kept waiting")
		}
		_ = first.Close()
		if err := <-waited; err != nil {
			t.Error(err)
		}
		l.is(2, 3, 1)
	})
}

// TestThrottleForgets: whether something may happen is asked without counting, and the causes
// whose buckets are full again are forgotten.
func TestThrottleForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const burst, rate = 20, 10
		th := newThrottle(burst, rate)
		for range burst + 1 {
			if !th.may("bob") {
				t.Error("what was only asked for is counted")
			}
			th.take("alice")
		}
		if th.may("alice") {
			t.Error("it may happen more often than burst times")
		}
		for n := range 1000 {
			th.take(fmt.Sprint(n))
		}
		time.Sleep(burst/rate*time.Second - time.Nanosecond)
		for range burst {
			th.take("alice")
		}
		time.Sleep(time.Nanosecond)
		if !th.may("bob") || len(th.buckets) != 1 {
			t.Errorf("found %d causes, expected that alone whose bucket is not full again", len(th.buckets))
		}
	})
}
