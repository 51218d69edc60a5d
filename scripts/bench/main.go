//go:build linux

// Command bench measures the price of a turn, of a contestant and of a match,
// as ratios to a baseline in the same run: README.md beside this file explains
// the rows and keeps results. It needs a C compiler.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/talk"
)

//go:embed programs/pair.c
var pairSource []byte

// limits are a contestant's limits, as in a match.
var limits = sandbox.Limits{Memory: 256 << 20}

func main() {
	sandbox.Main()
	if len(os.Args) == 4 && os.Args[1] == clientArg {
		if err := playRemote(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	rounds := flag.Int("rounds", 9, "how often each row is measured; medians are printed")
	rows := flag.String("rows", "abcdefghilm", "the rows to measure; (a) and (d), and (f) and (g), go together; (j) and (k) take minutes")
	umpire := flag.String("umpire", "", "the `program` that row (k) measures (default: it is built)")
	flag.Parse()
	if err := run(*rounds, *rows, *umpire); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench holds what the rows share.
type bench struct {
	pair     string // the compiled pair.c
	launcher sandbox.Launcher
	rounds   int
	meter    *cgroup.Meter // of rows (h), (j) and (k)
	umpire   string        // the program that row (k) measures; "": it is built
}

func run(rounds int, rows, umpire string) error {
	dir, err := os.MkdirTemp("", "umpire-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{pair: filepath.Join(dir, "pair"), rounds: rounds, umpire: umpire}
	if err := compile(b.pair, pairSource); err != nil {
		return err
	}
	if strings.ContainsAny(rows, "hjk") { // before the launcher starts its helper
		if b.meter, err = cgroup.NewMeter(); err != nil {
			return fmt.Errorf("measure CPU time: %w", err)
		}
		defer b.meter.Close()
	}
	if b.launcher, err = sandbox.NewNone(); err != nil {
		return err
	}
	fmt.Printf("%s, %d CPUs, medians of %d rounds\n\n", runtime.Version(), runtime.NumCPU(), rounds)
	for _, row := range []struct {
		names   string
		measure func() error
	}{{"ad", b.turns}, {"b", b.starts}, {"c", b.matches}, {"e", b.charges}, {"fg", b.records}, {"h", b.levels}, {"i", b.remoteTurns}, {"j", b.storm}, {"k", b.fleet}, {"l", b.judged}, {"m", b.relayed}} {
		if !strings.ContainsAny(rows, row.names) {
			continue
		}
		if err := row.measure(); err != nil {
			return err
		}
	}
	return nil
}

// compile compiles a C program, whose source it leaves beside it.
func compile(path string, source []byte, flags ...string) error {
	if err := os.WriteFile(path+".c", source, 0o644); err != nil {
		return err
	}
	flags = append([]string{"-O2", "-o", path, path + ".c"}, flags...)
	if out, err := exec.Command("cc", flags...).CombinedOutput(); err != nil {
		return fmt.Errorf("compile %s.c: %w\n%s", filepath.Base(path), err, out)
	}
	return nil
}

func (b *bench) bot(args ...string) program.Bot {
	return program.Bot{Name: "pair", Path: b.pair, Args: append([]string{"pair"}, args...)}
}

// cost is the time taken by one turn or one match.
type cost struct{ wall, cpu time.Duration }

// reading is the wall time, and a CPU time, at which something begins.
type reading struct {
	clock func() time.Duration // reads the CPU time
	cpu   time.Duration
	at    time.Time
}

// begin reads the times; the CPU time is that of a clock.
func begin(clock func() time.Duration) reading { return reading{clock, clock(), time.Now()} }

// each returns the cost since then of each of n.
func (r reading) each(n int) cost {
	wall, cpu := time.Since(r.at), r.clock()-r.cpu
	return cost{wall / time.Duration(n), cpu / time.Duration(n)}
}

// median returns the median costs of the rounds.
func median(costs []cost) cost {
	var wall, cpu []time.Duration
	for _, c := range costs {
		wall, cpu = append(wall, c.wall), append(cpu, c.cpu)
	}
	return cost{middle(wall), middle(cpu)}
}

// middle returns the median of a list, which it sorts.
func middle[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

// pinned runs f on its own thread, bound to the first CPU.
func pinned(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with us
		var set unix.CPUSet
		set.Set(arena.CPUs()[0])
		err := unix.SchedSetaffinity(0, &set)
		if err == nil {
			err = f()
		}
		done <- err
	}()
	return <-done
}

func threadCPU() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano())
}

// Turns are measured in batches shorter than the scheduler's slices, most of
// which the machine's other work leaves alone.
const plies, pliesBatch = 20000, 250

// turns measures rows (a) and (d).
func (b *bench) turns() error {
	var unit, one, two []cost
	var allocs float64
	for range b.rounds {
		u, err := b.unit()
		if err != nil {
			return err
		}
		o, a, err := b.play(1, false)
		if err != nil {
			return err
		}
		t, a2, err := b.play(2, false)
		if err != nil {
			return err
		}
		unit, one, two = append(unit, u...), append(one, o...), append(two, t...)
		allocs = max(allocs, a, a2)
	}
	u, o, t := median(unit), median(one), median(two)
	fmt.Printf("U: a round trip between two C programs    %6.2f µs, CPU %6.2f µs\n", us(u.wall), us(u.cpu))
	row := func(name string, c cost, goal float64) {
		fmt.Printf("%-41s %6.2f µs, CPU %6.2f µs: %.2f U, CPU %.2f U (goal %.2f)\n", name,
			us(c.wall), us(c.cpu), ratio(c.wall, u.wall), ratio(c.cpu, u.cpu), goal)
	}
	row("(a) a turn of a one-seat match", o, 1.35)
	row("(a) a ply of a two-seat match", t, 1.6)
	fmt.Printf("(d) allocations a turn                    %6.4f\n\n", allocs)
	return nil
}

func us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// unit returns the cost of a round trip in each batch.
func (b *bench) unit() (costs []cost, err error) {
	out, err := exec.Command(b.pair, fmt.Sprint(arena.CPUs()[0]), fmt.Sprint(plies), fmt.Sprint(pliesBatch)).Output()
	if err != nil {
		return nil, fmt.Errorf("run pair: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		var wall, cpu float64
		if _, err := fmt.Sscan(line, &wall, &cpu); err != nil {
			return nil, err
		}
		costs = append(costs, cost{time.Duration(wall), time.Duration(cpu)})
	}
	return costs, nil
}

// play plays between seats contestants, pinned and under the default conditions,
// and returns the cost of a ply in each batch. It includes the contestants' own
// cost.
func (b *bench) play(seats int, judged bool) (costs []cost, allocs float64, err error) {
	bots := &counted{Launcher: b.launcher}
	m := b.match(seats, plies, bots)
	m.Limits.Time = time.Hour
	if seats > 1 {
		m.Pondering = referee.PonderFreeze
	}
	if judged {
		judge, err := b.judge(bots, false)
		if err != nil {
			return nil, 0, err
		}
		c := talk.NewCase(judge.Folder.Facts, strconv.Itoa(plies), protocols.Limits{})
		m.Judge = func() (protocols.Match, func()) {
			return judge.Judges().Match(arena.Fixture{Seats: make([]arena.Seat, seats)}, c)
		}
	}
	costs = make([]cost, 0, plies/pliesBatch)
	var played int
	clock := func() time.Duration { return threadCPU() + bots.cpu() }
	var start reading
	m.Watch.Event = func(referee.Event, *protocols.Foul, protocols.Match) {
		if played++; played%pliesBatch > 0 {
			return
		}
		if played > pliesBatch { // the first batch has the start in it
			costs = append(costs, start.each(pliesBatch))
		}
		start = begin(clock)
	}
	err = pinned(func() error {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := m.Play(context.Background())
		runtime.ReadMemStats(&after)
		if err == nil && played != plies {
			err = fmt.Errorf("played %d plies, expected %d", played, plies)
		}
		allocs = float64(after.Mallocs-before.Mallocs) / plies
		return err
	})
	return costs, allocs, err
}

// counted is a launcher that keeps count of the CPU time of what it has started.
type counted struct {
	sandbox.Launcher
	started []sandbox.Process
}

func (c *counted) Start(command sandbox.Command) (sandbox.Process, error) {
	p, err := c.Launcher.Start(command)
	if err == nil {
		c.started = append(c.started, p)
	}
	return p, err
}

func (c *counted) cpu() (sum time.Duration) {
	for _, p := range c.started {
		sum += p.CPU()
	}
	return sum
}

// starts measures row (b).
func (b *bench) starts() error {
	const n = 200
	var bare, match []cost
	for range b.rounds {
		err := pinned(func() error {
			start := begin(threadCPU)
			for range n {
				if err := spawn(b.pair, "echo"); err != nil {
					return err
				}
			}
			bare = append(bare, start.each(n))
			start = begin(threadCPU)
			for range n {
				m := b.match(2, 2, b.launcher)
				if _, err := m.Play(context.Background()); err != nil {
					return err
				}
			}
			match = append(match, start.each(2*n))
			return nil
		})
		if err != nil {
			return err
		}
	}
	s, m := median(bare).wall, median(match).wall
	fmt.Printf("bare spawn and wait, from Go              %6.0f µs\n", us(s))
	fmt.Printf("(b) start, one turn and end, a contestant %6.0f µs: %.2f spawns (goal 1.2)\n\n", us(m), ratio(m, s))
	return nil
}

// spawn starts a program with empty input, and waits for it to exit.
func spawn(path string, args ...string) error {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(null)
	fd := uintptr(null)
	pid, err := syscall.ForkExec(path, append([]string{filepath.Base(path)}, args...), &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{fd, fd, fd}})
	if err != nil {
		return err
	}
	_, err = syscall.Wait4(pid, nil, 0, nil)
	return err
}

func (b *bench) match(seats, plies int, launcher sandbox.Launcher) arena.Match {
	m := arena.Match{Setup: referee.Setup{
		Game: pingGame, Case: ping(plies), Seats: seats, Limits: protocols.Limits{Time: time.Minute},
	}}
	for range seats {
		m.Players = append(m.Players, arena.Program{Bot: b.bot("echo"), Launcher: launcher})
	}
	return m
}

// matches measures row (c).
func (b *bench) matches() error {
	const n = 300
	rate := map[int][]cost{}
	for range b.rounds {
		for _, jobs := range []int{1, 2} {
			start := begin(processCPU)
			if err := b.tournament(jobs, n, nil); err != nil {
				return err
			}
			rate[jobs] = append(rate[jobs], start.each(n))
		}
	}
	one, two := median(rate[1]).wall, median(rate[2]).wall
	fmt.Printf("(c) matches of 8 plies, 1 job             %6.0f a second\n", 1/one.Seconds())
	fmt.Printf("(c) the same with 2 jobs                  %6.0f a second: %.2f times (goal 1.85)\n\n", 1/two.Seconds(), ratio(one, two))
	return nil
}

// tournament plays n matches of 8 plies, through a judge if there is one.
func (b *bench) tournament(jobs, n int, judges func() arena.Judges) error {
	m := b.match(2, 8, b.launcher)
	game := pingGame
	if judges != nil {
		game = talk.Facts{MinSeats: 1, MaxSeats: 2}.Game(pingGame.Name)
	}
	id := m.Players[0].Identity()
	seat := arena.Seat{Bot: id.Name, Digest: id.Digest}
	return repeat(arena.Local{Games: []protocols.Game{game}, Players: m.Players[:1], Jobs: jobs, CPUs: arena.CPUs(), Judges: judges}, arena.Fixture{
		Game: game.Name, Case: record.Case{Text: m.Case.String()}, Limits: record.NewLimits(m.Limits, ""), Seats: []arena.Seat{seat, seat},
	}, n)
}

// repeat plays the same match n times.
func repeat(r arena.Local, match arena.Fixture, n int) error {
	fixtures := slices.Repeat([]arena.Fixture{match}, n)
	return r.Run(context.Background(), slices.Values(fixtures), func(_ int, rec record.Record) error {
		if rec.Error != "" || rec.Seats[0].Verdict != string(referee.OK) {
			return fmt.Errorf("match went wrong: %+v", rec)
		}
		return nil
	})
}

// charges measures row (e).
func (b *bench) charges() error {
	var ratios []float64
	for range b.rounds {
		err := pinned(func() error {
			p, err := contestant.Start(b.launcher, b.bot("work", "5").Command(b.launcher.Level(), limits, nil), 1)
			if err != nil {
				return err
			}
			played, err := referee.Lines{Match: ping(20).Start(1)}.Conduct(context.Background(), []referee.Contestant{p}, protocols.Limits{Time: time.Hour}, referee.Watcher{})
			for _, e := range played.Events {
				ratios = append(ratios, ratio(e.Charged, e.CPU))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("(e) charged for 5 ms of computing         %6.3f times its CPU time (goal 1.02)\n", middle(ratios))
	return nil
}
