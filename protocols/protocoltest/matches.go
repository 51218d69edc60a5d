package protocoltest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"umpire/protocols"
)

// The least that a check of play does, whatever the number of cases: so many
// matches, or steps. A batch task's match is all in its output and is played once.
const (
	leastMatches = 20
	leastSteps   = 2000
)

// checkTemper makes a check that plays every case with every number of seats,
// and again with other replies if that is little.
func checkTemper(how temper) func(Suite, protocols.Game) error {
	return func(s Suite, g protocols.Game) error {
		matches, steps, batch := 0, 0, false
		for round := uint64(0); matches < leastMatches && steps < leastSteps && !batch; round++ {
			err := s.eachMatch(g, func(c sample, seats int) error {
				c.seed += round * 1_000_003
				d, err := s.playOne(g, c, seats, how)
				if err == nil {
					matches, steps, batch = matches+1, steps+d.step, d.batch
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// eachMatch calls f for every case and number of seats, and for every line.
func (s Suite) eachMatch(g protocols.Game, f func(c sample, seats int) error) error {
	cases, err := s.cases(g)
	if err != nil {
		return err
	}
	for _, text := range s.Lines {
		if l, err := fitLine(g, text); err == nil { // the check of lines says what is wrong
			cases = append(cases, l.sample)
		}
	}
	for _, c := range cases {
		for seats := g.MinSeats; seats <= g.MaxSeats; seats++ {
			if c.seats != 0 && c.seats != seats {
				continue
			}
			if err := guard(func() error { return f(c, seats) }); err != nil {
				return fmt.Errorf("%s, %d seats, case %s: %w", c.from, seats, protocols.Quote(c.String()), err)
			}
		}
	}
	return nil
}

// playOne drives a match to its end, then replays it from the same Case.
func (s Suite) playOne(g protocols.Game, c sample, seats int, how temper) (*drive, error) {
	text := c.String()
	rng := rand.New(rand.NewPCG(c.seed, uint64(seats)))
	d, err := s.newDrive(g, c, seats, rng, how)
	if err == nil {
		err = d.play()
	}
	if err != nil {
		return d, err
	}
	if c.String() != text {
		return d, fmt.Errorf("the match has changed its case to %q", c.String())
	}
	return d, d.replay(c.Case)
}

// replay plays the events of a match on c and checks that it ends the same.
func (d *drive) replay(c protocols.Case) error {
	m := c.Start(d.seats)
	events := d.events
	for {
		step := m.Next()
		if len(step.Await) == 0 {
			break
		}
		for _, seat := range step.Await {
			if len(events) == 0 || events[0].seat != seat {
				return fmt.Errorf("replayed from the same case, seat %d is awaited out of order%s", seat, d.trail())
			}
			if e := events[0]; e.fail != "" {
				m.Fail(seat, failure(e.fail))
			} else if foul := m.Reply(seat, e.reply); foul != nil {
				return fmt.Errorf("replayed from the same case, reply %q of seat %d is a foul: %w", e.reply, seat, foul)
			}
			events = events[1:]
		}
	}
	if len(events) > 0 {
		return fmt.Errorf("replayed from the same case, the match ends %d events early%s", len(events), d.trail())
	}
	v, err := look(m, d.seats)
	if err != nil {
		return err
	}
	if err := d.last.differs(v); err != nil {
		return fmt.Errorf("replayed from the same case, the match ends differently: %w", err)
	}
	return nil
}

// checkFailures makes seats fail in every way: at the first chance, often, and
// rarely.
func checkFailures(s Suite, g protocols.Game) error {
	chances := []float64{1, 0.3, 0.1, 0.02}
	batch := false // whose one reply can only fail or not
	return s.eachMatch(g, func(c sample, seats int) error {
		for i, kind := range protocols.Kinds {
			chance := chances[(c.seed+uint64(i))%uint64(len(chances))]
			if batch {
				chance = 1
			}
			how := temper{fail: chance, kinds: []protocols.Kind{kind}}
			d, err := s.playOne(g, c, seats, how)
			if err != nil {
				return fmt.Errorf("%s with chance %v: %w", kind, chance, err)
			}
			batch = d.batch
		}
		if batch {
			return nil
		}
		_, err := s.playOne(g, c, seats, temper{junk: 0.1, foul: 0.3, fail: 0.05, kinds: protocols.Kinds})
		return err
	})
}

// checkEachJunk gives every junk reply once in the first step of a match.
func checkEachJunk(s Suite, g protocols.Game) error {
	for i, text := range junkReplies {
		seed := uint64(i)
		if err := guard(func() error { return s.playSpecial(g, seed, text, 1) }); err != nil {
			return fmt.Errorf("%s of seed %d: %w", protocols.Quote(text), seed, err)
		}
	}
	return nil
}

// playSpecial plays a match in which the seed chooses everything; in step at,
// from 1, seats first try the special reply. The match then goes on for a
// while.
func (s Suite) playSpecial(g protocols.Game, seed uint64, special string, at int) error {
	const after = 10
	rng := rand.New(rand.NewPCG(seed, 5))
	c, err := g.Generate(g.Groups[rng.IntN(len(g.Groups))], seed)
	if err != nil {
		return err
	}
	seats := g.MinSeats + rng.IntN(g.MaxSeats-g.MinSeats+1)
	d, err := s.newDrive(g, sample{Case: c}, seats, rng, temper{})
	if err != nil {
		return err
	}
	d.special, d.at = special, at
	d.until = at + after
	return d.play()
}

// checkAtOnce plays matches of one case at the same time, as a tournament does;
// the race detector sees what they share.
func checkAtOnce(s Suite, g protocols.Game) error {
	return s.eachMatch(g, func(c sample, seats int) error {
		d, err := s.playOne(g, c, seats, temper{})
		if err != nil {
			return err
		}
		var wait sync.WaitGroup
		errs := make([]error, 3)
		for i := range errs {
			wait.Go(func() {
				errs[i] = guard(func() error { return d.replay(c.Case) })
			})
		}
		wait.Wait()
		return errors.Join(errs...)
	})
}

// checkSimultaneous checks that a game declared simultaneous awaits several
// seats in one step.
func checkSimultaneous(s Suite, g protocols.Game) error {
	if !g.Simultaneous {
		return nil
	}
	busy := false
	err := s.eachMatch(g, func(c sample, seats int) error {
		d, err := s.playOne(g, c, seats, temper{})
		busy = busy || d.busy
		return err
	})
	if err == nil && !busy {
		return errors.New("the game says it is simultaneous, but never awaits two seats together")
	}
	return err
}
