package session

import (
	"context"
	"iter"
	"sync"
	"time"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// judging returns a runner that has another one play, but for the matches of bots
// that can't be judged: their records only say so.
func (s *Session) judging(r arena.Runner) arena.Runner {
	lacks := make(map[arena.Seat]string)
	for _, bot := range s.Bots {
		if bot.Lack != "" {
			lacks[arena.Seat{Bot: bot.Name, Digest: bot.Digest}] = bot.Lack
		}
	}
	if len(lacks) == 0 {
		return r
	}
	return &judge{Runner: r, lacks: lacks, umpire: s.Umpire.Version, level: string(s.Level)}
}

// judge is the runner of a session with bots that can't be judged.
type judge struct {
	arena.Runner
	lacks         map[arena.Seat]string // what the machine lacks, by the bot's name and digest
	umpire, level string                // for records
}

// Run implements arena.Runner.
func (j *judge) Run(ctx context.Context, fixtures iter.Seq[arena.Fixture], done func(n int, r record.Record) error) error {
	var mu sync.Mutex // guards played
	var played []int  // the fixtures that are played
	left := make(map[int]record.Record)
	n := 0
	err := j.Runner.Run(ctx, func(yield func(arena.Fixture) bool) {
		for f := range fixtures {
			if why := j.why(f); why != nil {
				r := f.Failed(j.umpire, why, time.Now())
				r.Isolation = j.level
				left[n] = r
			} else {
				mu.Lock()
				played = append(played, n)
				mu.Unlock()
				if !yield(f) {
					return
				}
			}
			n++
		}
	}, func(i int, r record.Record) error {
		mu.Lock()
		i = played[i]
		mu.Unlock()
		return done(i, r)
	})
	for i, r := range left {
		if err == nil {
			err = done(i, r)
		}
	}
	return err
}

// why returns why a match can't be judged; nil if it can.
func (j *judge) why(f arena.Fixture) error {
	for _, seat := range f.Seats {
		if lack := j.lacks[arena.Seat{Bot: seat.Bot, Digest: seat.Digest}]; lack != "" {
			return &record.NotJudgedError{Bot: seat.Bot, Why: lack}
		}
	}
	return nil
}
