package coordinator

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet/worker"
	"umpire/referee/program"
)

// TestUnfitWorker: a worker whose machine can't play, such as one whose disk is
// full, ends and says why. Its matches are played by others: none ends as a
// record with an error.
func TestUnfitWorker(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Packages: map[string]*program.Package{"6": {}}})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	full := errors.New("the disk is full")
	unfit := &worker.Worker{
		URL: web.URL, Token: s.Token, Version: "test", Note: t.Logf, Local: arena.Local{Jobs: 2},
		Player: func(context.Context, string, *program.Package) (referee.Player, error) {
			return nil, errors.New("write bot: no room")
		},
		Check: func() error { return full },
	}
	run, got := start(t, c, sums(5))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := unfit.Run(ctx); !errors.Is(err, full) {
		t.Errorf("the worker ends with %v, expected %v", err, full)
	}
	join(t, s, arena.Local{Games: []protocols.Game{protocoltest.Sum()}, Players: []referee.Player{one{}}, Jobs: 1})
	if err := ended(t, run); err != nil || len(*got) != 5 {
		t.Fatalf("found %d records and error %v, expected 5", len(*got), err)
	}
	for _, r := range *got {
		if r.Error != "" {
			t.Errorf("match %d: found error %q, expected another worker's record", r.Repetition, r.Error)
		}
	}
}
