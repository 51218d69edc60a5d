//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"umpire/referee/standings"
	"umpire/referee/strength"
	"umpire/referee/tournament"
)

// swiss plays a Swiss tournament of bots whose strengths are known, and says how
// well each number of rounds ranks them.
func swiss(args []string) error {
	flags := flag.NewFlagSet("swiss", flag.ExitOnError)
	n := flags.Int("bots", 10_000, "how many bots take part")
	rounds := flags.Int("rounds", 20, "how many rounds are played")
	plays := flags.Int("cases", 1, "cases of an encounter, each played in both orders")
	spread := flags.Float64("spread", 200, "standard deviation of the strengths, in Elo")
	dir := flags.String("o", "", "keep the run in this `folder`, for umpire standings and report")
	_ = flags.Parse(args)
	if *dir == "" {
		temp, err := os.MkdirTemp("", "umpire-scale-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		*dir = temp
	}
	list := bots(*n)
	field := drawn{strength: make(map[string]float64)}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, b := range list {
		field.strength[b.Name] = rng.NormFloat64() * *spread
	}
	run, w, err := contest(*dir, tournament.Plan{Format: tournament.Swiss, Bots: *n, Seats: 2, Rounds: *rounds}, list, *plays, field)
	if err != nil {
		return err
	}
	defer w.Close()
	fmt.Printf("%d bots, spread %.0f Elo, %d matches an encounter\n%6s %8s %8s %10s %9s\n", *n, *spread, 2**plays, "round", "tau", "tau Elo", "in ±95 %", "standings")
	run.Round = func(round, _, _ int) {
		if round > 1 {
			measure(run, field, round-1)
		}
	}
	started := time.Now()
	if err := run.Play(context.Background()); err != nil {
		return err
	}
	measure(run, field, *rounds)
	again, byes, twice := repeated(run)
	fmt.Printf("%d matches in %.1f s, the tables above included; peak memory %s\n", run.Tally.Matches, time.Since(started).Seconds(), peak())
	fmt.Printf("pairs that met again: %d; byes: %d, of which second ones: %d\n", again, byes, twice)
	return w.Sync()
}

// measure prints how near the standings after a round are to the strengths.
func measure(run *tournament.Run, field drawn, round int) {
	started := time.Now()
	st := run.Standings()
	took := time.Since(started)
	mean := 0.0
	for _, row := range st.Rows {
		mean += field.strength[row.Bot] / float64(len(st.Rows))
	}
	var strength, place, known, rating []float64 // of all; of those that are rated
	within := 0
	for _, row := range st.Rows {
		s := field.strength[row.Bot]
		strength, place = append(strength, s), append(place, float64(-row.Rank))
		if row.Rating == nil {
			continue
		}
		known, rating = append(known, s), append(rating, row.Rating.Value)
		if at := 1500 + s - mean; *row.Rating.Low <= at && at <= *row.Rating.High {
			within++
		}
	}
	fmt.Printf("%6d %8.3f %8.3f %8.1f %% %8.2fs\n", round, kendall(strength, place), kendall(known, rating), 100*float64(within)/float64(len(rating)), took.Seconds())
}

// kendall returns Kendall's tau of two orders: of all pairs, those in the same
// order less those in the opposite one; ties count as neither.
func kendall(a, b []float64) float64 {
	sum := 0
	for i := range a {
		for j := range i {
			switch d := (a[i] - a[j]) * (b[i] - b[j]); {
			case d > 0:
				sum++
			case d < 0:
				sum--
			}
		}
	}
	return 2 * float64(sum) / (float64(len(a)) * float64(len(a)-1))
}

// repeated counts the encounters of bots that had met before, byes, and byes of
// bots that had had one.
func repeated(run *tournament.Run) (again, byes, twice int) {
	met, had := make(map[strength.Pair]bool), make(map[int]bool)
	for _, round := range run.Rounds {
		for _, e := range round {
			pair := strength.Pair{A: min(e.A, e.B), B: max(e.A, e.B)}
			switch {
			case e.B != standings.Bye && met[pair]:
				again++
			case e.B == standings.Bye && had[e.A]:
				twice++
			}
			if e.B == standings.Bye {
				byes++
				had[e.A] = true
			}
			met[pair] = true
		}
	}
	return again, byes, twice
}
