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
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
	"umpire/referee/program"
)

// TestUnfitWorker: a worker whose machine can't play, such as one whose disk is
// full, ends and says why. Its matches are played by others: none ends as a
// record with an error.
func TestUnfitWorker(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Dispatch: dispatch.Config{Packages: map[string]*program.Package{"6": {}}}})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	full := errors.New("the disk is full")
	unfit := &worker.Worker{
		URL: web.URL, Token: s.Token, Note: t.Logf, Local: arena.Local{Umpire: "test", Jobs: 2},
		Player: func(context.Context, string, *program.Package) (referee.Player, error) {
			return nil, errors.New("write bot: no room")
		},
		Check: func() error { return full },
	}
	run, got := start(t, c, arenatest.Sums(5))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := unfit.Run(ctx, ctx); !errors.Is(err, full) {
		t.Errorf("the worker ends with %v, expected %v", err, full)
	}
	join(t, s, arena.Local{Games: []protocols.Game{protocoltest.Sum()}, Players: []referee.Player{one{}}, Jobs: 1})
	allPlayed(t, run, got, 5)
}

// TestProgramsAtATime: a worker makes several programs at a time.
func TestProgramsAtATime(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Dispatch: dispatch.Config{Packages: map[string]*program.Package{"6": {}, "7": {}}}})
	list := arenatest.Sums(2)
	list[1].Seats[0].Digest = "7"
	run, got := start(t, c, list)
	both := make(chan struct{}, 2)
	w := &worker.Worker{
		URL: serve(t, s), Token: s.Token, Local: arena.Local{Umpire: "test", Games: games, Jobs: 2},
		Player: func(ctx context.Context, digest string, _ *program.Package) (referee.Player, error) {
			for both <- struct{}{}; len(both) < 2; {
				if err := worker.Wait(ctx, time.Millisecond); err != nil {
					return nil, err
				}
			}
			return digested{digest: digest}, nil
		},
	}
	go func() { _ = w.Run(t.Context(), t.Context()) }()
	allPlayed(t, run, got, 2)
}

// digested is one under another digest.
type digested struct {
	one
	digest string
}

func (d digested) Identity() referee.Identity { return referee.Identity{Name: "six", Digest: d.digest} }
