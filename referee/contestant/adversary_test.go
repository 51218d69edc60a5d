//go:build linux

package contestant_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/ioiwari"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/sandbox"
	"umpire/referee/testlevel"
)

// adversary is a contestant and what it must get, in the first seat of a match.
type adversary struct {
	name    string
	play    func(t *testing.T, a *arena) program.Bot
	want    string // verdicts, between bars
	says    string // a part of the detail, or of standard error
	limits  protocols.Limits
	leaves  bool // the opponent fails at its first move
	runtime bool // a large one: not a hundred times
}

// Budgets. Who is not to be stopped by the clock gets plenty of it.
var (
	plenty = protocols.Limits{Time: time.Minute}
	wall   = protocols.Limits{Time: 150 * time.Millisecond}
	cpu    = protocols.Limits{Time: 40 * time.Millisecond, CPU: true}
	// hidden is for runtimes whose waiting can't be told from thinking.
	hidden = protocols.Limits{Time: 8 * time.Second}
)

// adversaries are the rows of the table. A behaviour is a function of
// testdata/adversary.c.
var adversaries = []adversary{
	{name: "plays as it should", play: behaving("honest"), want: "ok"},
	{name: "never reads its input", play: behaving("never_reads"), want: "ok"},
	{name: "answers two moves at once", play: behaving("two_at_once"), want: "ok"},
	{name: "answers before being asked", play: behaving("before_asked"), want: "ok"},
	{name: "closes its standard input", play: behaving("closes_input"), want: "ok"},
	{name: "exits with 0 after its last reply", play: behaving("leaves_with_0"), want: "ok"},
	{name: "exits with 3 after its last reply", play: behaving("leaves_with_3"), want: "ok"},
	{name: "prints CRLF", play: behaving("crlf"), want: "ok"},
	{name: "prints leading zeros", play: behaving("leading_zeros"), want: "ok"},
	{name: "prints extra blanks and blank lines", play: behaving("extra_blanks"), want: "ok"},
	{name: "chatters on standard error", play: behaving("chatters"), want: "ok"},
	{name: "ignores SIGTERM and lingers", play: behaving("lingers"), want: "ok"},
	{name: "its opponent leaves first", play: behaving("honest"), want: "ok", leaves: true},

	{name: "NUL", play: behaving("nul"), want: "foul"},
	{name: "escape sequences", play: saying("\x1b[31m1\x1b[0m"), want: "foul"},
	{name: "+3", play: saying("+3"), want: "foul"},
	{name: "3 3", play: saying("3 3"), want: "foul"},
	{name: "an empty answer", play: saying(""), want: "foul"},
	{name: "a number past int64", play: saying("9223372036854775809"), want: "foul"},
	{name: "an empty pit", play: saying("1", "1"), want: "foul", says: "pit 1 is empty"},
	{name: "pit 8", play: saying("8"), want: "foul"},
	{name: "text", play: saying("I play pit 3"), want: "foul"},
	{name: "a flood of lines that are no move", play: behaving("floods_lines"), want: "foul"},

	{name: "a megabyte without a newline", play: behaving("megabyte"), want: "output"},
	{name: "a flood without a newline", play: behaving("floods"), want: "output"},
	{name: "a flood of blank lines", play: behaving("floods_blank_lines"), want: "output"},
	{name: "a flood on standard error", play: behaving("floods_errors"), want: "output", says: "standard error"},

	{name: "exits with 0 while it owes a reply", play: behaving("exits_with_0"), want: "crash", says: "exit status 0"},
	{name: "exits with 3 while it owes a reply", play: behaving("exits_with_3"), want: "crash", says: "exit status 3"},
	{name: "exits in the middle of a line", play: behaving("no_newline"), want: "crash", says: "without a newline"},
	{name: "SIGSEGV", play: behaving("segfaults"), want: "crash", says: "SIGSEGV"},
	{name: "abort", play: behaving("aborts"), want: "crash", says: "SIGABRT"},
	{name: "closes standard output and stays", play: behaving("closes_output"), want: "crash", says: "closed its standard output"},
	{name: "an exception in Python", play: source("raises.py"), want: "crash", says: "ZeroDivisionError"},

	{name: "sleeps past its budget", play: behaving("sleeps"), want: "time", limits: wall},
	{name: "spins past its wall budget", play: behaving("spins"), want: "time", limits: wall},
	{name: "spins past its CPU budget", play: behaving("spins"), want: "time", says: "CPU time", limits: cpu},
	{name: "answers byte by byte", play: behaving("byte_by_byte"), want: "time", limits: wall},
	{name: "never ends its line", play: behaving("never_ends_its_line"), want: "time", limits: wall},

	{name: "does not flush (C)", play: unflushed, want: "idle", says: "flushed?"},
	{name: "does not flush (C++)", play: source("unflushed.cpp"), want: "idle", says: "flushed?"},
	{name: "does not flush (Python)", play: source("unflushed.py"), want: "idle", says: "flushed?"},
	{name: "does not flush (Java)", play: source("Unflushed.java"), want: "idle|time", says: "flushed?", limits: hidden, runtime: true},
	{name: "does not flush (Node)", play: source("unflushed.js"), want: "idle|time", says: "flushed?", limits: hidden, runtime: true},
	{name: "reads for ever", play: behaving("reads_for_ever"), want: "idle", says: "flushed?"},
	{name: "polls for ever", play: behaving("polls_for_ever"), want: "idle", says: "flushed?"},
	{name: "waits by select for ever", play: behaving("selects_for_ever"), want: "idle", says: "flushed?"},
	{name: "stops itself", play: behaving("stops_itself"), want: "idle", says: "stopped"},

	{name: "a child keeps the pipes, it leaves", play: behaving("child_keeps_pipes"), want: "crash", says: "exit status 0"},
	{name: "a child keeps the pipes at the end", play: behaving("child_keeps_pipes_at_the_end"), want: "ok"},
	{name: "forks twice", play: behaving("double_fork"), want: "ok"},
	{name: "a child spins", play: behaving("child_spins"), want: "ok"},
}

// behaving makes a bot of a behaviour, with the replies that are right.
func behaving(behaviour string) func(*testing.T, *arena) program.Bot {
	return func(_ *testing.T, a *arena) program.Bot { return a.native(behaviour, a.moves...) }
}

// saying makes a bot that says certain things.
func saying(replies ...string) func(*testing.T, *arena) program.Bot {
	return func(_ *testing.T, a *arena) program.Bot { return a.native("says", replies...) }
}

func unflushed(_ *testing.T, a *arena) program.Bot {
	return a.native("forgets_to_flush", a.moves...)
}

// source makes a bot of a source file in testdata, and skips the row where its
// language is not installed.
func source(name string) func(*testing.T, *arena) program.Bot {
	return func(t *testing.T, a *arena) program.Bot {
		bot, err := program.Resolver{Builder: a.builder}.Resolve(t.Context(), program.ParseEntrant("", filepath.Join("testdata", name)))
		if err != nil && strings.Contains(err.Error(), "not installed") {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		return bot
	}
}

// arena is where adversaries play.
type arena struct {
	launcher sandbox.Launcher
	builder  *build.Builder
	path     string   // of the program in C
	moves    []string // of seat 1, in the match that is played
	answers  []string // of seat 2
	used     sync.Map // behaviours
}

// board is the case that is played.
const board = "4 4 4 2 2 2 2"

func newArena(t *testing.T) *arena {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no table of the user's
	t.Setenv("PYTHONUNBUFFERED", "")         // which would flush in Python's place
	languages, err := build.LoadLanguages(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	a := &arena{launcher: launcher, builder: &build.Builder{Languages: languages, Cache: contestant.BuildCache}}
	p, err := a.builder.Source(t.Context(), "testdata/adversary.c", build.Extra{})
	if err != nil {
		t.Fatal(err)
	}
	a.path = p.Args[0]
	m := start(t)
	for step := m.Next(); len(step.Await) > 0; step = m.Next() {
		a.firstMove(t, m, step.Await[0])
	}
	return a
}

func start(t *testing.T) protocols.Match {
	t.Helper()
	c, err := ioiwari.Game().Parse(board)
	if err != nil {
		t.Fatal(err)
	}
	return c.Start(2)
}

// firstMove plays the lowest pit that is not empty, and notes it.
func (a *arena) firstMove(t *testing.T, m protocols.Match, seat int) {
	t.Helper()
	for pit := '1'; pit <= '7'; pit++ {
		if m.Reply(seat, string(pit)) != nil {
			continue
		}
		if seat == 1 {
			a.moves = append(a.moves, string(pit))
		} else {
			a.answers = append(a.answers, string(pit))
		}
		return
	}
	t.Fatal("no pit can be played")
}

func (a *arena) native(behaviour string, replies ...string) program.Bot {
	a.used.Store(behaviour, true)
	return program.Bot{Name: behaviour, Path: a.path, Args: append([]string{a.path, behaviour}, replies...)}
}

// tape is the opponent: it plays from a list.
type tape struct{ moves []string }

func (*tape) Send(string)         {}
func (*tape) CloseInput()         {}
func (*tape) Stop() referee.Usage { return referee.Usage{} }

func (o *tape) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	if len(o.moves) == 0 {
		return referee.Reply{}, &protocols.Failure{Kind: protocols.KindCrash, Detail: "left"}
	}
	move := o.moves[0]
	o.moves = o.moves[1:]
	return referee.Reply{Text: move}, nil
}

// started starts a bot that is marked, so that all it leaves behind is found.
func (a *arena) started(bot program.Bot, seat int, mark string) (*contestant.Contestant, error) {
	return contestant.Start(a.launcher, bot.Command(a.launcher.Level(), sandbox.Limits{Memory: 256 << 20}, []string{mark}), seat)
}

// once plays one match of an adversary. It returns the verdict, what is said
// with it, and how many processes are left.
func (a *arena) once(t *testing.T, row adversary, bot program.Bot, mark string) (referee.Seat, int, error) {
	t.Helper()
	defer locked()()
	c, err := a.started(bot, 1, mark)
	if err != nil {
		return referee.Seat{}, 0, err
	}
	opponent := &tape{moves: a.answers}
	if row.leaves {
		opponent.moves = nil
	}
	if row.limits == (protocols.Limits{}) {
		row.limits = plenty
	}
	played, err := referee.Lines{Match: start(t)}.Conduct(t.Context(), []referee.Contestant{c, opponent}, row.limits, referee.Watcher{})
	return played.Seats[0], left(mark), err
}

// result is the outcome of all matches of a row.
type result struct {
	mu       sync.Mutex
	verdicts map[string]int
	example  string
	left     int
	matches  int
}

func (r *result) add(s referee.Seat, left int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.verdicts[string(s.Verdict)]++
	r.example = s.Detail
	r.left += left
	r.matches++
}

// TestAdversaries plays every adversary alone, and every two kinds of broken contestants at one
// table. Most of them wait, so that both are done at the same time.
func TestAdversaries(t *testing.T) {
	a := newArena(t)
	t.Cleanup(a.nothingLeft(t))
	t.Run("alone", func(t *testing.T) { testAlone(t, a) })
	t.Run("two at once", func(t *testing.T) { testTwoAtOnce(t, a) })
}

// testAlone plays every adversary once, several concurrently; for a release three
// times, and once more while all processors are busy. The environment variable
// ADVERSARIES says how often, and TABLE to which file the table is written:
// scripts/adversaries sets both.
func testAlone(t *testing.T, a *arena) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	times, busy := testlevel.Times(1, 1, 1, 3), testlevel.Times(0, 0, 0, 1) // scripts/adversaries plays more
	if n, err := strconv.Atoi(os.Getenv("ADVERSARIES")); err == nil {
		times, busy = n, max(2, n/5)
	}
	results := make([]*result, len(adversaries))
	bots := make([]*program.Bot, len(adversaries))
	for i, row := range adversaries {
		results[i] = &result{verdicts: make(map[string]int)}
		t.Run("prepare "+row.name, func(t *testing.T) {
			bot := row.play(t, a)
			bots[i] = &bot
		})
	}
	a.allUsed(t)
	a.all(t, bots, results, times)
	if busy > 0 {
		unload := a.load(t)
		a.all(t, bots, results, busy)
		unload()
	}
	if path := os.Getenv("TABLE"); path != "" {
		if err := os.WriteFile(path, table(results), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// allUsed makes sure that every behaviour of the program is played.
func (a *arena) allUsed(t *testing.T) {
	t.Helper()
	for _, behaviour := range a.behaviours(t) {
		if _, used := a.used.Load(behaviour); !used && behaviour != "load" && !strings.HasPrefix(behaviour, slow) && !strings.HasPrefix(behaviour, hogs) {
			t.Errorf("behaviour %s is played by nobody", behaviour)
		}
	}
}

// all plays every adversary so many times.
func (a *arena) all(t *testing.T, bots []*program.Bot, results []*result, times int) {
	type job struct{ row, n int }
	jobs := make(chan job)
	var group sync.WaitGroup
	const workers = 12
	for range workers {
		group.Go(func() {
			for j := range jobs {
				row := adversaries[j.row]
				seat, left, err := a.once(t, row, *bots[j.row], fmt.Sprintf("ADVERSARY=%p.%d.%d", results, j.row, j.n))
				if err != nil {
					t.Errorf("%s: %v", row.name, err)
					continue
				}
				results[j.row].add(seat, left)
				if problem := row.check(seat, left); problem != "" {
					t.Errorf("%s: %s", row.name, problem)
				}
			}
		})
	}
	for n := range times {
		for i, row := range adversaries {
			if bots[i] != nil && (n < 1 || !row.runtime) {
				jobs <- job{i, n}
			}
		}
	}
	close(jobs)
	group.Wait()
}

// check says what is wrong with how a match ended for the adversary.
func (row adversary) check(s referee.Seat, left int) string {
	switch {
	case !strings.Contains("|"+row.want+"|", "|"+string(s.Verdict)+"|"):
		return fmt.Sprintf("%s (%s), want %s", s.Verdict, s.Detail, row.want)
	case !strings.Contains(s.Detail+string(s.Usage.Stderr), row.says):
		return fmt.Sprintf("%s (%s; standard error %q), want %q in it", s.Verdict, s.Detail, s.Usage.Stderr, row.says)
	case left > 0:
		return fmt.Sprintf("left %d processes behind", left)
	}
	return ""
}

// testTwoAtOnce sits every two kinds of broken contestants at one table,
// where both owe a reply at the same time: the verdict of each is its own.
func testTwoAtOnce(t *testing.T, a *arena) {
	t.Parallel()
	g := protocoltest.Morra()
	c, err := g.Parse("3 2")
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string][]string{
		"ok": {"honest", "1", "1", "1"}, "foul": {"says", "9"}, "output": {"floods"}, "crash": {"segfaults"},
		"idle": {"reads_for_ever"}, "time": {"sleeps"},
	}
	if testlevel.Current() == testlevel.Short {
		maps.DeleteFunc(broken, func(kind string, _ []string) bool { return !slices.Contains([]string{"ok", "crash", "idle"}, kind) })
	}
	var group sync.WaitGroup
	for first := range broken {
		for second := range broken {
			group.Go(func() {
				kinds := []string{first, second}
				mark := "BROKEN=" + first + "." + second
				limits := plenty
				if slices.Contains(kinds, "time") {
					limits.Time = 10 * time.Second // enough for the other on a busy machine
				}
				defer locked()()
				var seats []referee.Contestant
				for i, kind := range kinds {
					b := broken[kind]
					s, err := a.started(a.native(b[0], b[1:]...), i+1, mark)
					if err != nil {
						t.Error(err)
						return
					}
					seats = append(seats, s)
				}
				played, err := referee.Lines{Match: c.Start(2)}.Conduct(t.Context(), seats, limits, referee.Watcher{})
				if err != nil {
					t.Error(err)
				}
				for i, got := range played.Seats {
					if string(got.Verdict) != kinds[i] {
						t.Errorf("%q: seat %d got %s (%s)", kinds, i+1, got.Verdict, got.Detail)
					}
				}
				if n := left(mark); n > 0 {
					t.Errorf("%q: left %d processes behind", kinds, n)
				}
			})
		}
	}
	group.Wait()
}

func table(results []*result) []byte {
	t := report.Table{
		Header: []string{"contestant", "must get", "matches", "verdicts", "left behind", "for example"},
		Right:  []bool{false, false, true, false, true, false},
	}
	for i, row := range adversaries {
		r := results[i]
		var verdicts []string
		for v, n := range r.verdicts {
			verdicts = append(verdicts, fmt.Sprintf("%s × %d", v, n))
		}
		if r.matches == 0 {
			verdicts = []string{"not installed"}
		}
		t.Add(row.name, strings.ReplaceAll(row.want, "|", " or "), r.matches, strings.Join(verdicts, ", "), r.left, r.example)
	}
	var b bytes.Buffer
	_ = t.Write(&b, 0, nil)
	return b.Bytes()
}
