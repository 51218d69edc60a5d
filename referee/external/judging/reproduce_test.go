//go:build unix

package judging_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external/cms"
	"umpire/referee/external/judging"
	"umpire/referee/interaction"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/sandbox"
	"umpire/referee/testlevel"
)

// table is where submissions to a package are judged, and reproduced.
type table struct {
	judging.Relay
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
	p, err := cms.Load(t.Context(), "../testdata/packages/"+name)
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
	on := table{judging.Relay{Problem: p, Case: p.Cases[0], Launcher: launcher}, program.Resolver{
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
		Conductor: func(_ protocols.Case, again func(context.Context) (referee.Contestant, error)) (referee.Conductor, error) {
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
func (on table) reproduced(t *testing.T, bot program.Bot, seen []referee.Exchange, through bool) judging.Reproduced {
	t.Helper()
	out, err := judging.Reproduction{
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
		times := testlevel.Times(1, 1, 10, 20)
		if want == "time" {
			times = testlevel.Times(1, 1, 2, 20) // each takes what both have together
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
			t.Errorf("%s: the solution fails, too: %+v; recorded:\n%+v", name, out.End, played.Exchanges)
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

// TestForgeries has records of two processes changed, of which one is found by what the record
// itself holds, or by who knows how many processes there are and what the judge says.
func TestForgeries(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	on := newTable(t, "pair-cms")
	played := func(name string) []referee.Exchange {
		return on.judged(t, on.bot(t, filepath.Join(on.Problem.Dir, "sol", name))).Exchanges
	}
	well, crashed := played("solution.py"), played("second_crashes.py")
	of := func(process int) func(referee.Exchange) bool {
		return func(e referee.Exchange) bool { return e.Seat == process || e.To == process }
	}
	ends := func(process int) func(referee.Exchange) bool {
		return func(e referee.Exchange) bool { return e.Seat == process && e.Ended }
	}
	without := func(seen []referee.Exchange, gone func(referee.Exchange) bool) []referee.Exchange {
		return slices.DeleteFunc(slices.Clone(seen), gone)
	}
	changed := func(seen []referee.Exchange, change func(e *referee.Exchange)) []referee.Exchange {
		seen = slices.Clone(seen)
		for i := range seen {
			change(&seen[i])
		}
		return seen
	}
	const unended = "the contestant has not ended"
	for _, row := range []struct {
		name  string
		seen  []referee.Exchange
		plain string // the verdict, or what is wrong
		again string // what is wrong where the package is known
	}{
		{"nothing", well, "ok", ""},
		{"nothing, of one that crashed", crashed, "crash", ""},
		{"the first process left out", without(well, of(1)), unended, unended},
		{"the second process left out", without(well, of(2)), "ok", unended},
		{"the first one's end left out", without(well, ends(1)), unended, unended},
		{"the second one's end left out", without(well, ends(2)), unended, unended},
		{"a crash left out, as if the judge had ended first", without(crashed, ends(2)), "wrong", ""},
		{"a crash and its process left out", without(crashed, of(2)), "wrong", "judged again: "},
		{"another status", changed(well, func(e *referee.Exchange) {
			if ends(2)(*e) {
				e.Exit = 3
			}
		}), "crash", ""},
		{"all from the other process", changed(well, func(e *referee.Exchange) {
			if e.Seat > 0 {
				e.Seat = 3 - e.Seat
			}
		}), "ok", "judged again: "},
		{"all words to the other process", changed(well, func(e *referee.Exchange) {
			if e.To > 0 && e.Text != "" {
				e.To = 3 - e.To
			}
		}), "ok", "judged again: line 2 of what the judge says"},
		{"a word after the end", append(slices.Clone(well), referee.Exchange{Seat: 2, Text: "5\n"}), "goes on after its end", "goes on after its end"},
		{"a third process", append(slices.Clone(well), referee.Exchange{Seat: 3, Ended: true}), "ok", "found seat 3, expected 1 to 2 or the judge"},
		{"a word to a third process", append(without(well, ends(3)), referee.Exchange{To: 3, Text: "5\n"}), unended, "found 3 as that which the judge tells something"},
	} {
		ruling, err := interaction.Judge(on.Problem.Format, 0, row.seen)
		found := string(ruling.Verdict)
		if err != nil {
			found = err.Error()
		}
		if !strings.Contains(found, row.plain) {
			t.Errorf("%s: found %q, expected %q", row.name, found, row.plain)
		}
		err = on.JudgeAgain(t.Context(), row.seen)
		if (err == nil) != (row.again == "") || err != nil && !strings.Contains(err.Error(), row.again) {
			t.Errorf("%s: judged again: found %v, expected %q", row.name, err, row.again)
		}
	}
}
