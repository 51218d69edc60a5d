package main

import (
	"math/rand/v2"
	"slices"
	"sync"

	rules "umpire/protocols/solitarschack/board"
	"umpire/protocols/solitarschack/planner"
)

// sample is a position and the points that were still to come, as known from
// the rest of the match.
type sample struct {
	state planner.State
	rest  float64
}

const (
	// trace is the share of the outcome of a match in a sample, against the value
	// found one removal later. Below 1 there is less chance in the samples.
	trace = 0.92
	// forgotten is how many of the latest pieces a sample may have hidden, as
	// they are at the end of a plan.
	forgotten = 20
	// explore is the number of removals within which a match may make one or two
	// at random; above 108, so that some matches make none.
	explore = 180
)

// playAll plays the matches of a round. The result does not depend on jobs.
func playAll(s settings, w *planner.Weights, round uint64, games int) (all []sample, mean float64) {
	results := make([][]sample, games)
	scores := make([]int, games)
	var wait sync.WaitGroup
	for job := range s.jobs {
		wait.Go(func() {
			p := planner.New(s.types, w)
			for i := job; i < games; i += s.jobs {
				rng := rand.New(rand.NewPCG(s.seed<<32|round, uint64(i)))
				results[i], scores[i] = playOne(s, p, rng)
			}
		})
	}
	wait.Wait()
	sum := 0
	for i, r := range results {
		all = append(all, r...)
		sum += scores[i]
	}
	return all, float64(sum) / float64(games)
}

// playOne plays a match on a random board. Positions before the last random
// removal give no samples: the moves after them were not well played.
func playOne(s settings, p *planner.Planner, rng *rand.Rand) ([]sample, int) {
	position := rules.NewPosition(randomLayer(s.types, rng))
	later := [2][rules.Area]rules.Piece{randomLayer(s.types, rng), randomLayer(s.types, rng)}
	var samples []sample
	var values []float64
	var history []rules.Square
	begin := rng.IntN(explore)
	end := begin + 1 + rng.IntN(2)
	for position.Reachable() != 0 {
		state := p.State(&position)
		plan := p.Plan(&state, s.width)
		if n := position.Tally.Removals; begin <= n && n < end {
			plan.First = pick(position.Reachable(), rng)
			samples, values = samples[:0], values[:0]
		} else if n > 0 {
			samples = append(samples, sample{state: forget(state, history, rng.IntN(forgotten))})
			values = append(values, plan.Value)
		}
		history = append(history, plan.First)
		next := rules.Blank
		if c := position.Colours[plan.First]; c < rules.Gold {
			next = later[c][plan.First]
		}
		position.Remove(plan.First, next)
	}
	label(samples, values, float64(position.Tally.Score()))
	return samples, position.Tally.Score()
}

// label gives the samples their rest: the outcome, mixed with what the later
// searches expected of it.
func label(samples []sample, values []float64, outcome float64) {
	for i := range slices.Backward(samples) {
		samples[i].rest = outcome - float64(samples[i].state.Score)
		outcome = trace*outcome + (1-trace)*values[i]
	}
}

// forget hides the pieces that appeared in the last n removals, back to the
// point where a square was played twice.
func forget(s planner.State, history []rules.Square, n int) planner.State {
	var seen rules.Squares
	for _, q := range slices.Backward(history[max(len(history)-n, 0):]) {
		if seen.Has(q) {
			break
		}
		seen |= 1 << q
		s.Forget(q)
	}
	return s
}

func pick(squares rules.Squares, rng *rand.Rand) rules.Square {
	for range rng.IntN(squares.Len()) {
		squares &= squares - 1
	}
	return squares.First()
}

func randomLayer(types []rules.Piece, rng *rand.Rand) (layer [rules.Area]rules.Piece) {
	for q := range layer {
		layer[q] = types[rng.IntN(len(types))]
	}
	return layer
}
