package coordinator

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// badLine passes connections on with a delay each way. After some kilobytes, so
// often, it cuts a connection or passes nothing on for a time, which is how loss
// looks from above TCP.
type badLine struct {
	delay  time.Duration
	faults int
	stall  time.Duration // 0: it only cuts
	random *rand.Rand

	mu         sync.Mutex
	cut, stuck int // connections so far
}

// to listens, and passes what comes on to an address. It returns where.
func (l *badLine) to(t *testing.T, address string) string {
	t.Helper()
	in, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { in.Close() })
	go func() {
		for {
			a, err := in.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", address)
			if err != nil {
				a.Close()
				continue
			}
			go l.pass(a, b)
			go l.pass(b, a)
		}
	}()
	return in.Addr().String()
}

// pass passes on what comes from a connection to another, until it is cut.
func (l *badLine) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 16<<10)
	for left := l.next(); ; {
		n, err := from.Read(buffer)
		time.Sleep(l.delay)
		if left -= n; left < 0 {
			left = l.next()
			if l.fault() {
				return
			}
		}
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}

// next is after how many bytes the next fault comes.
func (l *badLine) next() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return 4<<10 + l.random.IntN(8<<10)
}

// fault stalls, or reports that the connection is to be cut.
func (l *badLine) fault() (cuts bool) {
	l.mu.Lock()
	if l.cut+l.stuck >= l.faults {
		l.mu.Unlock()
		return false
	}
	if l.stall == 0 || l.random.IntN(2) == 0 {
		l.cut++
		l.mu.Unlock()
		return true
	}
	l.stuck++
	l.mu.Unlock()
	time.Sleep(l.stall)
	return false
}

// TestBadLine: a worker whose connection is slow, and is cut now and then, plays
// each match, and each is recorded once.
func TestBadLine(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	l := &badLine{delay: 5 * time.Millisecond, faults: testlevel.Times(1, 1, 2, 3), random: rand.New(rand.NewPCG(1, 2))}
	playOver(t, l, 1, 40)
	if l.cut != l.faults {
		t.Errorf("found %d cuts, expected %d", l.cut, l.faults)
	}
}

// TestBadLines: so do several workers, whose connections also stall for so long
// that their jobs are given to others meanwhile.
func TestBadLines(t *testing.T) {
	t.Parallel()
	testlevel.Needs(t, testlevel.Thorough)
	faults := 12
	if testlevel.Current() == testlevel.Release {
		faults = 60
	}
	l := &badLine{delay: 30 * time.Millisecond, faults: faults, stall: 4 * time.Second, random: rand.New(rand.NewPCG(3, 4))}
	playOver(t, l, 3, 100*faults)
	if least := faults / 6; l.cut < least || l.stuck < least {
		t.Errorf("found %d cuts and %d stalls, expected %d of each at least", l.cut, l.stuck, least)
	}
}

// playOver has workers beyond a bad line play so many matches.
func playOver(t *testing.T, l *badLine, workers, matches int) {
	t.Helper()
	s, err := broker.Start(t.TempDir(), "", nil, nil)
	must(t, err)
	t.Cleanup(s.Close)
	c, err := Open(t.Context(), Config{Server: s, Dispatch: dispatch.Config{Version: "test", Silence: 2 * time.Second}, Note: t.Logf})
	must(t, err)
	t.Cleanup(func() { c.Close(false) })
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	at := l.to(t, strings.TrimPrefix(web.URL, "http://"))
	for range workers {
		joinAt(t, "http://"+at, s.Token)
	}
	got := make(map[int]int)
	bound, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	if err := c.Run(bound, slices.Values(arenatest.Sums(matches)), func(n int, r record.Record) error {
		got[n]++
		if r.Error != "" {
			t.Errorf("match %d: %s", n, r.Error)
		}
		return nil
	}); err != nil {
		t.Fatalf("%v: %d of %d matches after at most %v", err, len(got), matches, patience)
	}
	for n, records := range got {
		if records != 1 {
			t.Errorf("match %d has %d records", n, records)
		}
	}
	if len(got) != matches {
		t.Errorf("found %d matches, expected %d", len(got), matches)
	}
}

// joinAt has a worker join at a URL and play until the test ends, with a player if it
// is given none.
func joinAt(t *testing.T, url, token string, players ...referee.Player) {
	t.Helper()
	w := &worker.Worker{
		URL: url, Token: token, Note: t.Logf,
		Local: arena.Local{Umpire: "test", Games: []protocols.Game{protocoltest.Sum()}, Players: append(players, one{}), Jobs: 2},
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx, ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) { // it may have left first
			t.Errorf("the worker: %v", err)
		}
	})
}
