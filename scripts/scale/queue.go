//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"umpire/referee/record"
	"umpire/referee/tournament"
)

// queue plays a round robin of very many matches, and resumes it when all have
// been played.
func queue(args []string) error {
	flags := flag.NewFlagSet("queue", flag.ExitOnError)
	matches := flags.Int("matches", 1_000_000, "how many matches there are at least")
	plays := flags.Int("cases", 10, "cases of a pair, each played in both orders")
	resume := flags.Bool("resume", true, "resume the run when it has been played")
	_ = flags.Parse(args)
	n := enough(*matches, *plays)
	dir, err := os.MkdirTemp("", "umpire-scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list := bots(n)
	plan := tournament.Plan{Format: tournament.RoundRobin, Bots: n, Seats: 2}
	play := func(what string, before func(*tournament.Run) error) error {
		started := time.Now()
		run, w, err := contest(dir, plan, list, *plays, drawn{})
		if err != nil {
			return err
		}
		if err := before(run); err != nil {
			return err
		}
		played := 0
		run.Done = func() { played++ }
		if err := errors.Join(run.Play(context.Background()), w.Close()); err != nil {
			return err
		}
		fmt.Printf("%s: %d bots, %d matches, %d of them played, in %.1f s; peak memory so far %s\n", what, n, run.Tally.Matches, played, time.Since(started).Seconds(), peak())
		started = time.Now()
		st := run.Tally.Standings(nil)
		fmt.Printf("standings of %d pairs in %.1f s; peak memory so far %s\n", len(st.Pairs), time.Since(started).Seconds(), peak())
		return nil
	}
	fmt.Printf("at the start: peak memory %s\n", peak())
	if err := play("a new run", func(*tournament.Run) error { return nil }); err != nil || !*resume {
		return err
	}
	runtime.GC()
	path := filepath.Join(dir, record.ResultsFile)
	return play("resumed", func(run *tournament.Run) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = record.Summaries(path, f, runtime.GOMAXPROCS(0), run.AddPlayed)
		return err
	})
}
