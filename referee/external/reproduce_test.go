//go:build unix

package external_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/external/cms"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/testlevel"
)

// table is where submissions to a package are judged, and reproduced.
type table struct {
	external.Relay
	programs program.Resolver
}

// newTable makes the judge of a package of CMS in testdata.
func newTable(t *testing.T, name string) table {
	t.Helper()
	for _, needed := range []string{"g++", "python3"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(err)
		}
	}
	p, err := cms.Load(t.Context(), "testdata/packages/"+name)
	if err != nil {
		t.Fatal(err)
	}
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	languages, err := build.LoadLanguages(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	on := table{external.Relay{Problem: p, Case: p.Cases[0], Launcher: launcher}, program.Resolver{
		Builder: &build.Builder{Languages: languages, Cache: t.TempDir()},
	}}
	on.Judge = on.bot(t, filepath.Join(p.Dir, p.Judge))
	return on
}

func (on table) bot(t *testing.T, file string) program.Bot {
	t.Helper()
	bot, err := on.programs.Resolve(t.Context(), program.ParseEntrant("", file))
	if err != nil {
		t.Fatal(err)
	}
	return bot
}

// judged returns what is seen when a submission is judged.
func (on table) judged(t *testing.T, bot program.Bot) referee.Result {
	t.Helper()
	game := on.Problem.Game()
	played, err := arena.Match{
		Setup:   referee.Setup{Game: game, Case: on.Case.Case, Seats: 1, Limits: on.Problem.Limits},
		Players: []referee.Player{arena.Program{Bot: bot, Launcher: on.Launcher}},
		Conductor: func(again func(context.Context) (referee.Contestant, error)) (referee.Conductor, error) {
			one := on.Relay
			one.Again = again
			return &one, nil
		},
	}.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// reproduced has a submission hear what was said in a match.
func (on table) reproduced(t *testing.T, bot program.Bot, seen []referee.Exchange, through bool) external.Reproduced {
	t.Helper()
	out, err := external.Reproduction{
		Seen: seen, Limits: on.Problem.Limits, Problem: on.Problem, Case: on.Case.Case, Through: through,
		Seat: func(ctx context.Context, given referee.Given) (referee.Contestant, error) {
			return arena.Program{Bot: bot, Launcher: on.Launcher}.Sit(ctx, referee.Seating{Seat: 1, Seats: 1, Limits: on.Problem.Limits, Given: given})
		},
	}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReproduceProcesses has processes that talk by FIFOs, and run side by side, hear again
// what they were told: each time they do the same, and what one does otherwise is found.
func TestReproduceProcesses(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	on := newTable(t, "pair-cms")
	solution := on.bot(t, on.Problem.Dir+"/sol/solution.py")
	var well []referee.Exchange
	for name, want := range map[string]protocols.Kind{"solution.py": "ok", "second_crashes.py": "crash", "no_flush.py": "idle", "both_slow.cpp": "time"} {
		bot := on.bot(t, filepath.Join(on.Problem.Dir, "sol", name))
		played := on.judged(t, bot)
		if got := played.Seats[0].Verdict; got != referee.Verdict(want) {
			t.Errorf("%s: found %s, expected %s", name, got, want)
		}
		if name == "solution.py" {
			well = played.Exchanges
		}
		times := testlevel.Times(3, 20, 20)
		if want == "time" {
			times = testlevel.Times(1, 2, 20) // each takes what both have together
		}
		for i := range times {
			if out := on.reproduced(t, bot, played.Exchanges, false); !out.Same {
				was, now, _ := out.Words()
				t.Fatalf("%s, time %d: process %d differs: %s, not %s", name, i+1, out.Process, now, was)
			}
		}
		if want == "ok" {
			continue
		}
		if out := on.reproduced(t, bot, played.Exchanges, true); !out.Failed {
			t.Errorf("%s: fails no longer", name)
		}
		if out := on.reproduced(t, solution, played.Exchanges, true); out.Failed {
			t.Errorf("%s: the solution fails, too: %+v", name, out.End)
		}
	}
	changed := on.changed(t, "** 2", "** 2 + (i == 1)")
	out := on.reproduced(t, changed, well, false)
	if was, now, _ := out.Words(); out.Same || out.Process != 2 || out.Lines != 1 || was != `"1"` || now != `"2"` {
		t.Errorf("found process %d after %d lines: %s, not %s", out.Process, out.Lines, now, was)
	}
}

// changed is the package's solution with a text in place of another.
func (on table) changed(t *testing.T, old, text string) program.Bot {
	t.Helper()
	source, err := os.ReadFile(on.Problem.Dir + "/sol/solution.py")
	file := filepath.Join(t.TempDir(), "changed.py")
	if err == nil {
		err = os.WriteFile(file, []byte(strings.ReplaceAll(string(source), old, text)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return on.bot(t, file)
}
