package coordinator

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/worker"
	"umpire/referee/keys"
)

// open starts a server in a fresh folder, and a coordinator that plays with own.
func open(t *testing.T, config Config) (*broker.Server, *Coordinator) {
	t.Helper()
	return openWith(t, config, nil)
}

// openWith is open with the keys of workers.
func openWith(t *testing.T, config Config, keys *keys.File) (*broker.Server, *Coordinator) {
	t.Helper()
	s, err := broker.Start(t.TempDir(), "", keys, nil)
	must(t, err)
	t.Cleanup(s.Close)
	config.Server, config.Dispatch.Version = s, "test"
	if config.Note == nil {
		config.Note = t.Logf
	}
	c, err := Open(t.Context(), config)
	must(t, err)
	t.Cleanup(func() { c.Close(false) })
	return s, c
}

// join has a worker play in the background until the test ends.
func join(t *testing.T, s *broker.Server, local arena.Local) {
	t.Helper()
	joinWith(t, s, s.Token, local)
}

// joinWith joins with a key, or the token.
func joinWith(t *testing.T, s *broker.Server, key string, local arena.Local) {
	t.Helper()
	web := httptest.NewServer(s.Handler())
	local.Umpire = "test"
	w := &worker.Worker{URL: web.URL, Token: key, Local: local, Note: notesOf(t)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		web.Close()
	})
}

// TestOwn: a coordinator that plays alone is a Runner like any other.
func TestOwn(t *testing.T) {
	t.Parallel()
	arenatest.Test(t, func(t *testing.T, games []protocols.Game, players []referee.Player) arena.Runner {
		_, c := open(t, Config{Own: &arena.Local{Umpire: "test", Games: games, Players: players, Jobs: 4}})
		return c
	})
}

// TestWorkers: so is one that only gives matches to workers.
func TestWorkers(t *testing.T) {
	t.Parallel()
	arenatest.Test(t, func(t *testing.T, games []protocols.Game, players []referee.Player) arena.Runner {
		s, c := open(t, Config{})
		for range 2 {
			join(t, s, arena.Local{Games: games, Players: players, Jobs: 2})
		}
		return c
	})
}

// notesOf logs what a worker notes, of which nothing may be that the server refuses it
// something: it asks for no more than it may have.
func notesOf(t *testing.T) func(format string, args ...any) {
	return func(format string, args ...any) {
		if note := fmt.Sprintf(format, args...); strings.Contains(note, "does not allow") {
			t.Errorf("the worker notes: %s", note)
		} else {
			t.Log(note)
		}
	}
}
