//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/external/judging"
	"umpire/referee/external/problem"
	"umpire/referee/interaction"
	"umpire/referee/sandbox"
)

// relayed measures row (m).
func (b *bench) relayed() error {
	var unit, turn, own []cost
	for range b.rounds {
		u, err := b.unit()
		if err != nil {
			return err
		}
		few, fewOwn, err := b.relay(plies / 10)
		if err != nil {
			return err
		}
		many, manyOwn, err := b.relay(plies)
		if err != nil {
			return err
		}
		const n = plies - plies/10
		unit, turn = append(unit, u...), append(turn, cost{(many.wall - few.wall) / n, (many.cpu - few.cpu) / n})
		own = append(own, cost{cpu: (manyOwn - fewOwn) / n})
	}
	u, t, o := median(unit), median(turn), median(own)
	fmt.Printf("(m) a relayed turn                        %6.2f µs, CPU %6.2f µs: %.2f U, CPU %.2f U (goal 2.50), umpire's part %.2f U\n\n",
		us(t.wall), us(t.cpu), ratio(t.wall, u.wall), ratio(t.cpu, u.cpu), ratio(o.cpu, u.cpu))
	return nil
}

// reaped is a launcher that adds up the CPU time of what it has started, when that has
// ended.
type reaped struct {
	sandbox.Launcher
	used time.Duration
}

func (r *reaped) Start(command sandbox.Command) (sandbox.Process, error) {
	p, err := r.Launcher.Start(command)
	return reapedProcess{p, r}, err
}

type reapedProcess struct {
	sandbox.Process
	by *reaped
}

func (p reapedProcess) Wait() sandbox.Exit {
	exit := p.Process.Wait()
	p.by.used += exit.CPU
	return exit
}

// relay plays a match of a problem package in which judge and submission take turns, and
// returns what it costs with both, and umpire's own CPU time.
func (b *bench) relay(turns int) (all cost, own time.Duration, err error) {
	programs := &reaped{Launcher: b.launcher}
	file := filepath.Join(filepath.Dir(b.pair), "turns")
	if err := os.WriteFile(file, []byte(strconv.Itoa(turns)), 0o644); err != nil {
		return all, 0, err
	}
	relay := judging.Relay{
		Launcher: programs, Judge: b.bot("judge"), Case: problem.Case{Input: file, Answer: file},
		Problem: &problem.Problem{
			Format: interaction.Kattis, Interactive: true, Passes: 1, Argv: []string{"{in}"}, Output: 1 << 30, JudgeTime: time.Hour, JudgeMemory: limits.Memory,
		},
	}
	err = pinned(func() error {
		bot, err := contestant.Start(programs, b.bot("echo").Command(b.launcher.Level(), limits, nil), 1)
		if err != nil {
			return err
		}
		start := begin(threadCPU)
		result, err := relay.Conduct(context.Background(), []referee.Contestant{bot}, protocols.Limits{Time: time.Hour}, referee.Watcher{})
		all = start.each(1)
		own = all.cpu
		all.cpu += programs.used
		if err == nil && result.Seats[0].Verdict != referee.OK {
			err = fmt.Errorf("the match went wrong: %+v", result.Seats[0])
		}
		return err
	})
	return all, own, err
}
