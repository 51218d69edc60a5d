//go:build linux

package tournament

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/ioiwari"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/cgroup"
)

// TestMain lets the test binary be the helper that launched programs need.
func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// BenchmarkInstant plays matches of two bots that end at the first reply, and
// starts as many processes without anything around them, turn by turn: with one
// job and with one a CPU. Spawns/match is the time of a match's bare spawns as a
// part of the time of the match, records and standings included, and
// cpu-spawns/match the same of CPU time of all involved, which other load on the machine does
// not change as much. Run it with -benchtime 1x.
func BenchmarkInstant(b *testing.B) {
	bot := instant(b)
	meter, err := cgroup.NewMeter() // before a launcher starts its helper
	if err != nil {
		b.Skipf("CPU time can't be measured: %v", err)
	}
	defer meter.Close()
	for jobs := 1; jobs <= max(1, len(arena.CPUs())); jobs *= 2 {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			const turns, matches = 10, 200
			var bare, played, bareCPU, playedCPU time.Duration
			for b.Loop() {
				for range turns {
					start := meter.Read()
					bare += spawns(b, bot, jobs, 2*matches)
					middle := meter.Read()
					played += instantMatches(b, bot, jobs, matches)
					bareCPU += middle - start
					playedCPU += meter.Read() - middle
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(b.N*turns*matches)/played.Seconds(), "matches/s")
			b.ReportMetric(float64(bare)/float64(played), "spawns/match")
			b.ReportMetric(float64(bareCPU)/float64(playedCPU), "cpu-spawns/match")
		})
	}
}

// instant builds the bot that does nothing.
func instant(b *testing.B) program.Bot {
	path := filepath.Join(b.TempDir(), "instant")
	if out, err := exec.Command("cc", "-O2", "-static", "-o", path, "../../scripts/bench/programs/instant.c").CombinedOutput(); err != nil {
		b.Skipf("no C compiler: %v\n%s", err, out)
	}
	bot, err := program.Resolver{Builder: new(build.Builder)}.Resolve(context.Background(), program.ParseEntrant("", path))
	must(b, err)
	return bot
}

// spawns starts n processes on jobs CPUs and waits for each, and tells how long
// that took.
func spawns(b *testing.B, bot program.Bot, jobs, n int) time.Duration {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	must(b, err)
	defer null.Close()
	started := time.Now()
	var wait sync.WaitGroup
	for job := range jobs {
		wait.Go(func() {
			defer arena.Pin(cpusOf(job))()
			for range n / jobs {
				pid, err := syscall.ForkExec(bot.Path, bot.Args, &syscall.ProcAttr{
					Env: os.Environ(), Files: []uintptr{null.Fd(), null.Fd(), null.Fd()},
				})
				if err == nil {
					_, err = syscall.Wait4(pid, nil, 0, nil)
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wait.Wait()
	return time.Since(started)
}

// cpusOf is the processor of a job.
func cpusOf(job int) []int {
	cpus := arena.CPUs()
	if len(cpus) == 0 {
		return nil
	}
	return cpus[job%len(cpus):][:1]
}

// instantMatches plays a tournament of n matches, and tells how long it took.
func instantMatches(b *testing.B, bot program.Bot, jobs, n int) time.Duration {
	launcher, err := sandbox.NewNone()
	must(b, err)
	game := ioiwari.Game()
	var list []arena.Fixture
	var texts []string
	for i := range n / 2 {
		c, err := cases.Generate(game, "", 1, i+1)
		must(b, err)
		f := arena.Fixture{Game: game.Name, Case: c.Record(), Limits: record.NewLimits(c.Limits(2), "")}
		list, texts = append(list, f), append(texts, c.String())
	}
	player := arena.Program{Bot: bot, Launcher: launcher}
	bots := []referee.Identity{player.Identity(), player.Identity()}
	bots[1].Name += "-2"
	runner := &arena.Local{Games: []protocols.Game{game}, Players: []referee.Player{player}, Jobs: jobs, CPUs: arena.CPUs()}
	plan := Plan{Format: RoundRobin, Bots: 2, Seats: 2, Plays: Plays(texts, 0, 1), Rank: game.Rank}
	w, err := record.Append(filepath.Join(b.TempDir(), "results.jsonl"))
	must(b, err)
	defer w.Close()
	c := NewRun(plan, bots, list)
	c.Runner = runner
	c.Store = w.WriteLine
	runtime.GC()
	started := time.Now()
	must(b, c.Play(context.Background()))
	if s := c.Tally.Standings(nil); s.Matches != n {
		b.Fatalf("played %d matches, expected %d", s.Matches, n)
	}
	return time.Since(started)
}
