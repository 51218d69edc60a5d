package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"umpire/referee/arena"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/record"
	"umpire/referee/report"
)

// begin begins to listen, and returns the runner of the matches; end ends both, and
// must be called with what became of the matches.
func (s *Session) begin(ctx context.Context, standings func() report.Standings) (r arena.Runner, end func(error) error, err error) {
	if err := s.listen(standings); err != nil {
		return nil, nil, err
	}
	r, err = s.openFleet(ctx, standings)
	end = func(err error) error {
		err = s.closeFleet(refusedCase(s, err))
		s.closeOutside(ctx)
		return err
	}
	if err != nil {
		return nil, nil, end(err)
	}
	s.runner.Players = s.players()
	return s.judging(r), end, nil
}

// play plays fixtures, and keeps the record of each. The records are returned in the
// order of the fixtures, shortened: see Kept.
func (s *Session) play(ctx context.Context, fixtures []arena.Fixture) (_ []record.Record, err error) {
	all := NewKept(len(fixtures))
	s.single = len(fixtures) == 1
	runner, end, err := s.begin(ctx, nil)
	if err != nil {
		return all.Records, errors.Join(err, s.store.Close())
	}
	if s.Begun != nil {
		s.Begun(s, len(fixtures))
	}
	list := make([]int, len(fixtures)) // of the fixtures that are to be played
	for n := range list {
		list[n] = n
	}
	for {
		var todo []arena.Fixture
		for _, n := range list {
			todo = append(todo, fixtures[n])
		}
		err = runner.Run(ctx, slices.Values(todo), func(i int, r record.Record) error {
			if _, err := s.store.Keep(r); err != nil {
				return fmt.Errorf("write results: %w", err)
			}
			n := list[i]
			all.Add(n, r)
			if s.Done != nil {
				s.Done(n, r)
			}
			return nil
		})
		excluded, ok := errors.AsType[*coordinator.ExcludedError](err)
		if !ok {
			break
		}
		if err = s.store.Withdraw(context.WithoutCancel(ctx), excluded.Workers); err != nil {
			break
		}
		list = list[:0]
		for n, r := range all.Records {
			if slices.Contains(excluded.Workers, r.Worker) {
				all.Records[n], list = record.Record{}, append(list, n)
			}
		}
	}
	return all.Records, end(errors.Join(err, s.store.Finish(ctx)))
}
