package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/report"
	"umpire/referee/tournament"
)

// Run plays the tournament. The result is also that of one that was stopped.
func (t Tournament) Run(ctx context.Context) (result TournamentResult, err error) {
	s := &tournamentRun{&Session{Play: t.Play, several: true}, t}
	if err := s.prepare(ctx); err != nil {
		return result, err
	}
	s.noteChanges()
	if err := s.openFolder(ctx); err != nil {
		return result, err
	}
	_, resume := t.Again(s.session.Results.Dir)
	result = TournamentResult{Session: s.session, Dir: s.session.Results.Dir, Results: ResultsIn(s.session.Results.Dir), Resume: resume, Seed: *s.config().Seed}
	return result, s.play(ctx, &result)
}

// play plays the matches.
func (s *tournamentRun) play(ctx context.Context, result *TournamentResult) error {
	list := make([]arena.Fixture, len(s.session.Set.Cases))
	for i, c := range s.session.Set.Cases {
		list[i] = s.session.fixture(c, s.asked.Plan.Seats)
	}
	var now atomic.Pointer[tournament.Run]
	fresh := func() *tournament.Run {
		run := tournament.NewRun(s.asked.Plan, s.identities(), list)
		for i, bot := range s.session.Bots {
			run.SetUnplayable(i, bot.Broken, bot.Lack)
		}
		started := time.Now()
		run.Elapsed = func() time.Duration { return time.Since(started) }
		run.Decided = func(l tournament.Look) error { return tournament.AddLook(s.session.Results.Dir, l) }
		now.Store(run)
		return run
	}
	run := fresh()
	runner, end, err := s.session.begin(ctx, func() report.Standings { return viewOf(s.session.Game, now.Load()) })
	if err != nil {
		return errors.Join(err, s.session.store.Close())
	}
	if err := s.awaitLanguages(ctx, run); err != nil {
		return end(errors.Join(err, s.session.store.Close()))
	}
	s.noteOversubscribed()
	what := s.foretell(ctx, runner)
	for again := s.asked.Resume; ; {
		run.Runner, run.Store = runner, s.session.store.Keep
		if again {
			if err := errors.Join(followLooks(run, s.session.Results.Dir), s.addPlayed(run)); err != nil {
				return end(errors.Join(err, s.session.store.Close()))
			}
		}
		if result.Run = run; s.asked.Ready != nil {
			s.asked.Ready(s.session, run, what)
		}
		err = run.Play(ctx)
		if c := s.session.Coordinator(); c != nil && err == nil { // it may have ended before its Run
			err = c.Excluded()
		}
		var excluded *coordinator.ExcludedError
		if !errors.As(err, &excluded) {
			break
		}
		if err = s.session.store.Withdraw(context.WithoutCancel(ctx), excluded.Workers); err != nil {
			break
		}
		run, again = fresh(), true
	}
	result.Unfinished = s.session.store.Finish(ctx)
	result.Results = ResultsIn(s.session.Results.Dir)
	unplayed := UnplayedError{Matches: run.Tally.Failed, Results: result.Results, Resume: result.Resume}
	for _, bot := range s.session.Bots {
		if bot.Lack != "" {
			unplayed.NotJudged = append(unplayed.NotJudged, bot.Name)
		}
	}
	if err == nil && (unplayed.Matches > 0 || unplayed.NotJudged != nil) {
		err = &unplayed
	}
	return end(err)
}

// UnplayedError is the error of a tournament that was played but for some matches.
type UnplayedError struct {
	Matches         int
	NotJudged       []string // names of the bots that this machine can't judge
	Results, Resume string   // the results file, and the command that plays the matches
}

func (e *UnplayedError) Error() string {
	if e.Matches == 0 {
		return fmt.Sprintf("could not judge %s; play when that is mended: %s", strings.Join(e.NotJudged, ", "), e.Resume)
	}
	return fmt.Sprintf("could not play %s; the records in %s say why; play again: %s", report.Plural(e.Matches, "match"), e.Results, e.Resume)
}

// awaitLanguages finds out, before bots are paired, whether workers can judge those
// that this machine lacks the languages of.
func (s *tournamentRun) awaitLanguages(ctx context.Context, run *tournament.Run) error {
	lacking := false
	for i := range s.session.Bots {
		bot := &s.session.Bots[i]
		if bot.Elsewhere == "" || !s.asked.Plan.InRounds() {
			continue
		}
		able, err := coordinator.AwaitLanguage(ctx, s.session.Coordinator(), bot.Digest)
		if err != nil {
			return err
		}
		if !able {
			bot.Lack, lacking = bot.Elsewhere, true
			run.SetUnplayable(i, "", bot.Lack)
		}
	}
	if !lacking {
		return nil
	}
	return s.describe()
}

func (s *tournamentRun) identities() []referee.Identity {
	list := make([]referee.Identity, len(s.session.Bots))
	for i, bot := range s.session.Bots {
		list[i] = s.session.player(bot).Identity()
	}
	return list
}

// noteOversubscribed warns, before it costs a bot a match, that a bot's clock may run
// while others use its CPU.
func (s *tournamentRun) noteOversubscribed() {
	load, cpus := s.session.load(), freeCPUs()
	for _, play := range s.asked.Plan.Plays {
		l := s.session.LimitsOf(s.session.Set.Cases[play.Case].Case, s.asked.Plan.Seats)
		if load.Oversubscribed(l, s.session.runner.Jobs, cpus) {
			s.session.Machine.Tell.Note("notice: with %d concurrent matches on %s, a bot's clock also runs while others have its CPU, which %s of wall time may not allow for; use --jobs %d or --clock cpu\n",
				s.session.runner.Jobs, report.Plural(cpus, "CPU"), budget(l), load.Jobs(cpus))
			return
		}
	}
}
