package fleet

import (
	"context"
	"errors"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// badLine passes connections on to an address with a delay each way, and cuts
// each of the first ones after some kilobytes.
func badLine(t *testing.T, to string) (at string, cut *atomic.Int32) {
	t.Helper()
	const delay, cuts = 20 * time.Millisecond, 3
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	cut = new(atomic.Int32)
	go func() {
		for n := 0; ; n++ {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
				go func() {
					defer in.Close()
					defer out.Close()
					buffer := make([]byte, 16<<10)
					for passed := 0; ; {
						k, err := way[0].Read(buffer)
						time.Sleep(delay)
						if passed += k; n < cuts && passed > 8<<10 {
							cut.Add(1)
							return
						}
						if _, failed := way[1].Write(buffer[:k]); err != nil || failed != nil {
							return
						}
					}
				}()
			}
		}
	}()
	return l.Addr().String(), cut
}

// TestBadLine: a worker whose connection is slow, and is cut several times, plays
// each match, and each is recorded once.
func TestBadLine(t *testing.T) {
	t.Parallel()
	s, err := StartServer(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := Open(t.Context(), Config{Server: s, Version: "test", Silence: 2 * time.Second, Note: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(false) })
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	at, cut := badLine(t, strings.TrimPrefix(web.URL, "http://"))
	games := []protocols.Game{protocoltest.Sum()}
	w := &Worker{
		URL: "http://" + at, Token: s.Token, Version: "test", Note: t.Logf,
		Local: arena.Local{Games: games, Players: []referee.Player{one{}}, Jobs: 2},
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the worker: %v", err)
		}
	})
	const matches = 100
	got := make(map[int]int)
	const hangTime = 5 * time.Minute // for a busy machine: it takes seconds
	bound, stop := context.WithTimeout(t.Context(), hangTime)
	defer stop()
	if err := c.Run(bound, slices.Values(sums(matches)), func(n int, r record.Record) error {
		got[n]++
		return nil
	}); err != nil {
		t.Fatalf("%v: %d of %d matches after at most %v", err, len(got), matches, hangTime)
	}
	for n, records := range got {
		if records != 1 {
			t.Errorf("match %d has %d records", n, records)
		}
	}
	if len(got) != matches || cut.Load() == 0 {
		t.Errorf("found %d matches and %d cuts, expected %d and at least one", len(got), cut.Load(), matches)
	}
}
