package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// ErrCut is the error of a match that can't be judged again, since a record keeps only the
// beginning of what was written.
var ErrCut = errors.New("only the beginning of what was written is kept")

// JudgeAgain has a fresh judge hear what it heard in a recorded match. The error says where
// it says something else, or ends otherwise.
func (r Relay) JudgeAgain(ctx context.Context, recorded []referee.Exchange) error {
	for _, e := range recorded {
		if e.Bytes > 0 {
			return ErrCut
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := &relayed{Relay: r}
	if err := m.open(); err != nil {
		return err
	}
	defer os.RemoveAll(m.folder)
	for n, before := range runsOf(recorded) {
		if n > 0 {
			if more, err := m.next(n); err != nil || !more {
				return errors.Join(err, fmt.Errorf("judged again: it asks for no pass %d", n+1))
			}
		}
		if !before.judge.Ended {
			continue // it was ended, since the submission had failed
		}
		now, err := m.hear(ctx, before.submission)
		if err != nil {
			return fmt.Errorf("judged again: %w", err)
		}
		if err := now.compare(before); err != nil {
			return fmt.Errorf("judged again: %w", err)
		}
	}
	return nil
}

// run is what both sides wrote in one run, and how the judge ended.
type run struct {
	submission, said string
	judge            referee.Exchange
}

// runsOf splits what was seen into runs.
func runsOf(seen []referee.Exchange) []run {
	runs := make([]run, 1)
	for _, e := range seen {
		now := &runs[len(runs)-1]
		switch {
		case e.Pass > 0:
			runs = append(runs, run{})
		case e.Seat == 1:
			now.submission += e.Text
		case e.Ended:
			now.judge = e
		default:
			now.said += e.Text
		}
	}
	return runs
}

// hear has the judge hear what a submission wrote.
func (m *relayed) hear(ctx context.Context, submission string) (run, error) {
	m.seen = transcript{begun: time.Now()}
	if m.Problem.Judge == "" {
		_, err := m.compare([]byte(submission))
		return runsOf(m.seen.list)[0], err
	}
	judge, err := m.start()
	if err != nil {
		return run{}, err
	}
	relay := m.relay()
	relay.Judge, relay.Input = judge, []byte(submission)
	err = relay.Run(ctx)
	judge.Stop()
	return runsOf(m.seen.list)[0], err
}

// compare returns an error where the judge says something else than before.
func (r run) compare(before run) error {
	have, want := strings.Split(r.said, "\n"), strings.Split(before.said, "\n")
	for i := range min(len(have), len(want)) {
		if have[i] != want[i] {
			return fmt.Errorf("line %d of what the judge says: found %s, expected %s as recorded", i+1, protocols.Quote(have[i]), protocols.Quote(want[i]))
		}
	}
	switch {
	case len(have) != len(want):
		return fmt.Errorf("found %d lines of the judge, expected %d as recorded", len(have)-1, len(want)-1)
	case r.judge.Exit != before.judge.Exit || r.judge.Signal != before.judge.Signal:
		return fmt.Errorf("the judge's exit status: found %d %s, expected %d %s as recorded", r.judge.Exit, r.judge.Signal, before.judge.Exit, before.judge.Signal)
	case !sameScore(r.judge.Score, before.judge.Score):
		return fmt.Errorf("the judge's score: found %s, expected %s as recorded", scoreText(r.judge.Score), scoreText(before.judge.Score))
	}
	return nil
}

func sameScore(a, b *protocols.Score) bool { return a == b || a != nil && b != nil && *a == *b }

func scoreText(s *protocols.Score) string {
	if s == nil {
		return "none"
	}
	return s.String()
}
