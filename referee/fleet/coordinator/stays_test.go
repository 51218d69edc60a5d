package coordinator

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/worker"
)

// gated is a player that waits for a gate to open.
type gated struct {
	one
	gate chan struct{}
	sits *atomic.Int64 // matches that it has begun
}

func (g gated) Sit(ctx context.Context, s referee.Seating) (referee.Contestant, error) {
	g.sits.Add(1)
	select {
	case <-g.gate:
		return g.one.Sit(ctx, s)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// TestUnstored: a worker that can't store the records of a run waits no longer once that run
// is over, and plays for others.
func TestUnstored(t *testing.T) {
	t.Parallel()
	runs, ours := keysOf(t, "spring")
	s, err := broker.Start(t.TempDir(), "", nil, runs)
	must(t, err)
	t.Cleanup(s.Close)
	url := serve(t, s)
	first := standingRun(t, url, ours["spring"], "first", t.Logf)
	player := gated{gate: make(chan struct{}), sits: new(atomic.Int64)}
	w := &worker.Worker{URL: url, Token: s.Token, Local: arena.Local{Umpire: "test", Games: games, Players: []referee.Player{player}, Jobs: 1}, Note: notesOf(t)}
	go func() { _ = w.Run(t.Context(), t.Context()) }()
	start(t, first, arenatest.Sums(1))
	within(t, "the match", func() bool { return player.sits.Load() > 0 })
	must(t, first.js.DeleteStream(t.Context(), first.names.Results()))
	close(player.gate)
	within(t, "the end of the match", func() bool { f := first.Status(); return len(f.Workers) == 1 && f.Workers[0].Busy == 0 })
	first.Close(true)

	second := standingRun(t, url, ours["spring"], "second", t.Logf)
	run, got := start(t, second, arenatest.Sums(500))
	allPlayed(t, run, got, 500)
}

// TestServerGone: a run whose server has gone says so, and ends when it drains.
func TestServerGone(t *testing.T) {
	t.Parallel()
	runs, ours := keysOf(t, "spring")
	s, err := broker.Start(t.TempDir(), "", nil, runs)
	must(t, err)
	var notes atomic.Int64
	c := standingRun(t, serve(t, s), ours["spring"], "run", func(format string, args ...any) {
		if t.Logf(format, args...); strings.Contains(format, "can't be reached") {
			notes.Add(1)
		}
	})
	run, _ := start(t, c, arenatest.Sums(1))
	s.Close()
	within(t, "the note", func() bool { return notes.Load() == 1 })
	c.Drain()
	if err := ended(t, run); !errors.Is(err, errDrained) || notes.Load() != 1 {
		t.Errorf("found %v, and %d notes, expected 1", err, notes.Load())
	}
}

// TestIdleWorker: a worker that is to end when there is no run for some time does, without an
// error; one that runs refuse ends with an error then.
func TestIdleWorker(t *testing.T) {
	t.Parallel()
	runs, ours := keysOf(t, "spring")
	s, err := broker.Start(t.TempDir(), "", nil, runs)
	must(t, err)
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := &worker.Worker{URL: serve(t, s), Token: s.Token, Local: arena.Local{Umpire: "test", Jobs: 1}, Idle: time.Millisecond, Note: notesOf(t)}
	if err := w.Run(ctx, ctx); err != nil || ctx.Err() != nil {
		t.Errorf("found %v, expected no error", err)
	}
	run := standingRun(t, w.URL, ours["spring"], "first", t.Logf)
	defer run.Close(true)
	w.Local.Umpire = "other"
	why := "no run at " + w.URL + " has taken this worker for 1ms: it is umpire other, and this run is played with test"
	if err := w.Run(ctx, ctx); err == nil || err.Error() != why {
		t.Errorf("found %v, expected %s", err, why)
	}
}
