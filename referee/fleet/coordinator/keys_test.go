package coordinator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
	"umpire/referee/keys"
	"umpire/referee/program"
	"umpire/referee/record"
)

// keysOf makes keys of workers, by their names.
func keysOf(t *testing.T, names ...string) (*keys.File, map[string]string) {
	t.Helper()
	file, err := keys.Open(filepath.Join(t.TempDir(), "workers"), keys.Worker)
	must(t, err)
	made := make(map[string]string)
	for _, name := range names {
		made[name], err = file.Add(name)
		must(t, err)
	}
	return file, made
}

// TestKeyNames: a worker has the name of its key, whatever it calls itself, and nobody
// else has it. The user is told once that workers with the token are trusted.
func TestKeyNames(t *testing.T) {
	t.Parallel()
	file, key := keysOf(t, "lab")
	var mu sync.Mutex
	told := 0
	s, c := openWith(t, Config{Note: func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(fmt.Sprintf(format, args...), "who has the token is trusted") {
			told++
		}
	}}, file)
	for range 2 {
		if w := newByHandAs(t, s, "lab", ""); w.name == "lab" {
			t.Error("a worker with the token has the name of a key")
		} else {
			w.say(fleet.Beat{})
		}
	}
	if w := newByHandWith(t, s, key["lab"], "anything", ""); w.name != "lab" {
		t.Errorf("found name %s, expected that of the key", w.name)
	} else {
		w.say(fleet.Beat{})
	}
	for _, w := range c.Now().Workers {
		if w.Key != (w.Name == "lab") {
			t.Errorf("worker %s: found that it has a key: %v", w.Name, w.Key)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if told != 1 {
		t.Errorf("found %d lines that say that the token is trusted", told)
	}
}

// TestNewerConnection: a worker that joins again with its key replaces the one before,
// which is told so. What that held is given to others, and a secret serves one key.
func TestNewerConnection(t *testing.T) {
	t.Parallel()
	file, key := keysOf(t, "lab", "mill")
	s, c := openWith(t, Config{}, file)
	old := newByHandWith(t, s, key["lab"], "", "")
	run, got := start(t, c, arenatest.Sums(1))
	old.take()
	newer := newByHandWith(t, s, key["lab"], "", "")
	if newer.name != "lab" {
		t.Errorf("found name %s", newer.name)
	}
	if why := old.dropped(); why != fleet.Replaced {
		t.Errorf("the older: found %q", why)
	}
	j := newer.take()
	newer.store(message(t, newer, j.id, j.fixtures[0].Record()))
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Error != "" {
		t.Errorf("found %+v, error %v", *got, err)
	}
	if why := old.hello("lab", "").Refused; why != fleet.Replaced {
		t.Errorf("the older says hello: found %q", why)
	}
	secret := fleet.NewSecret()
	if _, err := stranger(t, s, key["mill"], secret); err != nil {
		t.Fatal(err)
	}
	if _, err := stranger(t, s, key["lab"], secret); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("another key with the same secret: found %v, expected a refusal", err)
	}
}

// TestKeyEnds: a worker whose key is removed ends; if it is revoked, what it has played
// must be played again.
func TestKeyEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end     func(file *keys.File) error
		exclude []string
	}{
		"removed": {func(file *keys.File) error { return file.Remove("lab") }, nil},
		"revoked": {func(file *keys.File) error { return file.Revoke("lab") }, []string{"lab"}},
	} {
		t.Run(name, func(t *testing.T) {
			file, key := keysOf(t, "lab")
			var kept []string
			s, c := openWith(t, Config{Exclude: func(worker string) error { kept = append(kept, worker); return nil }}, file)
			w := newByHandWith(t, s, key["lab"], "", "")
			run, got := start(t, c, arenatest.Sums(2))
			j := w.take()
			w.store(message(t, w, j.id, j.fixtures[0].Record()))
			within(t, "its record", func() bool { return c.Status().Records == 1 })
			must(t, test.end(file))
			if why := w.dropped(); why != "its key has been removed" {
				t.Errorf("found %q", why)
			}
			if _, err := stranger(t, s, key["lab"], fleet.NewSecret()); !errors.Is(err, nats.ErrAuthorization) {
				t.Errorf("it comes again: found %v, expected a refusal", err)
			}
			honestJoins(t, s)
			err := ended(t, run)
			var excluded *ExcludedError
			if errors.As(err, &excluded); test.exclude == nil && err != nil || test.exclude != nil && (excluded == nil || !slices.Equal(excluded.Workers, test.exclude)) {
				t.Errorf("found %v", err)
			}
			if len(*got) != 2 || !slices.Equal(kept, test.exclude) {
				t.Errorf("found %d records, and %q noted as excluded", len(*got), kept)
			}
			again, played := start(t, c, arenatest.Sums(2))
			if err := ended(t, again); err != nil || len(*played) != 2 {
				t.Errorf("played again: %v, %d records", err, len(*played))
			}
		})
	}
}

// TestOlderConnection: a connection stays that of its key when there is a newer one, also if it has
// not said hello yet: when the key is removed, it ends as well.
func TestOlderConnection(t *testing.T) {
	t.Parallel()
	file, key := keysOf(t, "lab")
	s, c := openWith(t, Config{}, file)
	older := connects(t, s, key["lab"])
	newer := newByHandWith(t, s, key["lab"], "", "")
	start(t, c, arenatest.Sums(1))
	must(t, file.Remove("lab"))
	newer.dropped()
	if answer := older.hello("another", ""); answer.Refused != "its key has been removed" {
		t.Errorf("found %+v, expected that its key has been removed", answer)
	}
}

// TestControl: a worker that does not reply as a built-in bot must, in a match that is
// played for this alone or in another, is excluded; one that does plays on.
func TestControl(t *testing.T) {
	t.Parallel()
	wrong := errors.New("built-in bot six, reply 1: found 2, expected 1")
	for name, controls := range map[string][]arena.Fixture{"control matches": arenatest.Sums(3)[2:], "others": nil} {
		t.Run(name, func(t *testing.T) {
			s, c := open(t, Config{Games: games, Dispatch: dispatch.Config{Controls: controls, ControlShare: 0.5}, Control: func(r *record.Record, all bool) error {
				if reply := r.Events[0].Reply; all && *reply != "1" {
					return wrong
				}
				return nil
			}})
			run, got := start(t, c, arenatest.Sums(40))
			liar := &worker.Worker{URL: serve(t, s), Token: s.Token, Local: arena.Local{Umpire: "test", Games: games, Players: []referee.Player{playerOf("2")}, Jobs: 1}}
			var refused *fleet.RefusedError
			if err := liar.Run(t.Context(), t.Context()); !errors.As(err, &refused) || refused.Why != wrong.Error() {
				t.Errorf("the liar ends with %v, expected: %v", err, wrong)
			}
			honestJoins(t, s)
			var excluded *ExcludedError
			if err := ended(t, run); err != nil && !errors.As(err, &excluded) || len(*got) != 40 {
				t.Errorf("found %v and %d records", err, len(*got))
			}
			if excluded == nil {
				return // it had played nothing else
			}
			again, played := start(t, c, arenatest.Sums(40))
			if err := ended(t, again); err != nil || len(*played) != 40 {
				t.Errorf("again: found %v and %d records", err, len(*played))
			}
		})
	}
}

// TestFailsBot: a match in which a worker's machine had a built-in bot fail does not count, in whatever
// share, and another worker plays it.
func TestFailsBot(t *testing.T) {
	t.Parallel()
	var failed atomic.Bool
	s, c := open(t, Config{Games: games, Control: func(r *record.Record, _ bool) error {
		if *r.Events[0].Reply != "1" {
			failed.Store(true)
			r.Fail(errors.New("built-in bot six: crash"))
		}
		return nil
	}})
	run, got := start(t, c, arenatest.Sums(40))
	broken := &worker.Worker{URL: serve(t, s), Token: s.Token, Local: arena.Local{Umpire: "test", Games: games, Players: []referee.Player{playerOf("2")}, Jobs: 1}}
	go func() { _ = broken.Run(t.Context(), t.Context()) }()
	within(t, "a match that does not count", failed.Load)
	honestJoins(t, s)
	allPlayed(t, run, got, 40)
	for _, r := range *got {
		if r.Error != "" || *r.Events[0].Reply != "1" {
			t.Errorf("found error %q", r.Error)
		}
	}
}

// TestProvenLiar: what a worker played before it was found to lie must be played again.
func TestProvenLiar(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Games: games})
	liar := newByHandAs(t, s, "liar", "box")
	run, got := start(t, c, arenatest.Sums(2))
	j := liar.take()
	liar.store(message(t, liar, j.id, played(t, j.fixtures[0])))
	j = liar.take()
	forged := played(t, j.fixtures[0])
	forged.Seats[0].Score = protocols.Points(1000)
	liar.store(message(t, liar, j.id, forged))
	if why := liar.dropped(); !strings.Contains(why, "score: found 1000") {
		t.Errorf("dropped since %s", why)
	}
	honestJoins(t, s)
	var excluded *ExcludedError
	if err := ended(t, run); !errors.As(err, &excluded) || !slices.Equal(excluded.Workers, []string{"liar"}) || len(*got) != 2 {
		t.Errorf("found %v and %d records", err, len(*got))
	}
}

// uncompiled is the player of sums on a machine whose compiler fails.
type uncompiled struct{ one }

func (u uncompiled) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return u, nil }
func (uncompiled) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	return referee.Reply{}, &protocols.Failure{Kind: protocols.KindCompile, Detail: "as: input/output error"}
}

// TestUncompiled: a match for which a worker could not compile a bot that this machine has compiled does not
// count, and another worker plays it.
func TestUncompiled(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{Games: games, Dispatch: dispatch.Config{Packages: map[string]*program.Package{"6": {}}}})
	run, got := start(t, c, arenatest.Sums(40))
	broken := &worker.Worker{URL: serve(t, s), Token: s.Token, Local: arena.Local{Umpire: "test", Games: games, Players: []referee.Player{uncompiled{}}, Jobs: 1}}
	go func() { _ = broken.Run(t.Context(), t.Context()) }()
	within(t, "its record", func() bool { return c.results.taken.Load() > 0 })
	honestJoins(t, s)
	allPlayed(t, run, got, 40)
	for _, r := range *got {
		if r.Error == "" && r.Events[0].Reply == nil {
			t.Errorf("found verdict %s", r.Seats[0].Verdict)
		}
	}
}

// TestSaysUncompiled: where this machine can't tell whether a bot can be compiled, a worker's word counts,
// and whose it is is said once; so it does for a bot that this machine could not compile, of which is nothing
// to be said.
func TestSaysUncompiled(t *testing.T) {
	t.Parallel()
	var notes []string
	c := &Coordinator{config: Config{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }}}
	c.config.Dispatch.Packages = map[string]*program.Package{"6": {Lack: "no compiler"}, "7": {Broken: "no main"}}
	for _, digest := range []string{"6", "7", "6"} {
		r := record.Record{Seats: []record.Seat{{Bot: "six", Digest: digest, Verdict: "compile"}}}
		if err := c.compareWorker(&dispatch.Giver{Name: "lab"}, false, &r); err != nil || r.Error != "" {
			t.Errorf("bot %s: found error %q, %v", digest, r.Error, err)
		}
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "umpire: bot six can't be compiled or started on worker lab, it says; ") {
		t.Errorf("found %q", notes)
	}
}
