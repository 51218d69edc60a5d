//go:build linux

package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"time"
)

// mostSlowdown is by how much onlookers may change the time charged to bots for their CPU time.
const mostSlowdown = 1.1

// onlooked is a match between two programs of the server's machine.
type onlooked struct{ game, bot, name string }

// rounds is how often the match is played without onlookers, and with them.
const rounds = 20

// look plays a match without onlookers and with them, in turn, and compares the time charged to
// the bots with their CPU time. The onlookers take only CPU time that nobody else wants.
func (l *load) look(ctx context.Context) error {
	ratios := make(map[int][]float64)
	for i := range rounds {
		order := []int{0, l.onlookers}
		if i%2 == 1 {
			slices.Reverse(order)
		}
		for _, n := range order {
			ratio, err := l.watched(ctx, n)
			if err != nil {
				return err
			}
			ratios[n] = append(ratios[n], ratio)
		}
	}
	median := func(n int) float64 {
		slices.Sort(ratios[n])
		list := ratios[n]
		fmt.Printf("%d onlookers: time charged / CPU time: median %.3f, quartiles %.3f and %.3f\n", n, list[rounds/2], list[rounds/4], list[3*rounds/4])
		return list[rounds/2]
	}
	if without, with := median(0), median(l.onlookers); with > mostSlowdown*without {
		return fmt.Errorf("onlookers change the time charged by %.0f %%, expected at most %.0f %%", 100*(with/without-1), 100*(mostSlowdown-1))
	}
	return nil
}

// watched plays the match once, with n onlookers, and returns the time charged to its bots for
// their CPU time.
func (l *load) watched(ctx context.Context, n int) (float64, error) {
	m := l.match
	var match struct{ ID, State string }
	body := map[string]any{"game": m.game, "seats": []string{m.bot, m.bot}, "case": m.name, "time_ms": 0, "move_ms": 0}
	if err := l.request(ctx, "POST", "matches", l.token, body, &match); err != nil {
		return 0, err
	}
	if n > 0 {
		args := []string{"-i", "0", "curl", "-sNZ", "--parallel-immediate", "--parallel-max", strconv.Itoa(n)}
		for range n {
			args = append(args, "-o", "/dev/null", l.url+"/api/v1/matches/"+match.ID+"/events?page")
		}
		readers := exec.CommandContext(ctx, "chrt", args...)
		if err := readers.Start(); err != nil {
			return 0, err
		}
		defer func() { _ = readers.Process.Kill(); _ = readers.Wait() }()
	}
	for match.State != "over" && match.State != "void" {
		time.Sleep(100 * time.Millisecond)
		if err := l.request(ctx, "GET", "matches/"+match.ID, l.token, nil, &match); err != nil {
			return 0, err
		}
	}
	var r struct {
		Seats []struct {
			Charged int64 `json:"charged_us"`
			CPU     int64 `json:"cpu_us"`
		}
	}
	if err := l.request(ctx, "GET", "matches/"+match.ID+"/record", l.token, nil, &r); err != nil {
		return 0, err
	}
	var charged, cpu int64
	for _, s := range r.Seats {
		charged, cpu = charged+s.Charged, cpu+s.CPU
	}
	return float64(charged) / float64(cpu), nil
}
