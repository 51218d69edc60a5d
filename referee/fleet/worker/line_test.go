package worker

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
)

// aLine is a worker with slots that no server knows.
func aLine(slots int) *line {
	return &line{w: new(Worker), taking: context.Background(), runs: make(map[string]*playing), slots: make([]*playing, slots)}
}

// joins has a line play for a run that has many jobs.
func (l *line) joins(run string, priority int) *playing {
	p := l.newPlaying(l.taking, fleet.Welcome{Run: run, Priority: priority})
	p.waiting = 1000
	l.runs[run] = p
	return p
}

// play has each free slot take a job of a second, several times, and returns how many jobs
// of each run were played.
func (l *line) play(rounds int) map[string]int {
	played := make(map[string]int)
	for range rounds {
		var taken []*playing
		for slot := range l.slots {
			p := l.choose(slot)
			l.slots[slot] = nil // it plays
			taken = append(taken, p)
		}
		for slot, p := range taken {
			l.done(slot, p, time.Second)
			played[p.names.Run]++
		}
	}
	return played
}

// TestShares: runs that have work share a worker's time by their priorities, as if each
// had been there all the time; one without work has no claim on what others had meanwhile.
func TestShares(t *testing.T) {
	l := aLine(4)
	l.joins("a", 3)
	if got := l.play(50); got["a"] != 200 {
		t.Errorf("alone: found %v", got)
	}
	b := l.joins("b", 1)
	if got := l.play(100); got["a"] < 295 || got["a"] > 305 || got["a"]+got["b"] != 400 {
		t.Errorf("3 to 1: found %v, expected 300 and 100", got)
	}
	b.waiting = 0
	if got := l.play(10); got["a"] != 40 {
		t.Errorf("the other has no work: found %v", got)
	}
	l.runs["a"].waiting, b.hadWork = 0, false
	if got := l.play(5); got["a"] != 20 {
		t.Errorf("one had work at the last beat, the other none: found %v", got)
	}
	l.runs["a"].waiting = 1000
	l.hasWork(b, 1000)
	if got := l.play(20); got["b"] < 15 || got["b"] > 25 {
		t.Errorf("it has work again: found %v, expected 60 and 20", got)
	}
	l.runs["a"].waiting = -1
	if got := l.play(5); got["b"] != 20 {
		t.Errorf("one is away: found %v", got)
	}
}

// nowhere is a connection to a server that is not there.
func nowhere(t *testing.T) *nats.Conn {
	nc, err := nats.Connect("nats://127.0.0.1:1", nats.RetryOnFailedConnect(true))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// TestIdle: a worker that has just said hello isn't idle, though no run has answered yet.
func TestIdle(t *testing.T) {
	l := aLine(1)
	l.w.Idle, l.w.Note = time.Minute, t.Logf
	l.nc, l.since = nowhere(t), time.Now().Add(-time.Hour)
	if _, err := l.introduce("inbox", false); err != nil {
		t.Errorf("it has just said hello: %v", err)
	}
	if _, err := l.introduce("inbox", true); !errors.Is(err, errLeft) {
		t.Errorf("nobody answers: found %v, expected %v", err, errLeft)
	}
}

// TestLost: a server that goes is waited for as long as any, also where there has been no run
// for longer.
func TestLost(t *testing.T) {
	l, nc := aLine(1), nowhere(t)
	l.w.Patience, l.w.Note = time.Minute, t.Logf
	l.nc, l.since = nc, time.Now().Add(-time.Hour)
	l.watch(t.Context())
	nc.DisconnectErrHandler()(nc, io.EOF)
	if _, err := l.introduce("inbox", true); err != nil {
		t.Errorf("the server has just gone: %v", err)
	}
	l.lost = l.since
	if _, err := l.introduce("inbox", true); err == nil {
		t.Error("the server has been gone for an hour: found no error")
	}
}
