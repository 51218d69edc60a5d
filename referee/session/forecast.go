package session

import (
	"context"
	"slices"

	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/report"
)

// Forecast says what a tournament will play.
func (t Tournament) Forecast(s *Session) report.Forecast {
	p := t.Plan
	p.Unpaired = make([]bool, p.Bots)
	for i, b := range s.Bots {
		p.Unpaired[i] = unplayable(b) != ""
	}
	f := report.Forecast{
		Game: s.Game.Name, Title: s.Game.Title, Format: string(p.Format), Bots: p.Bots, Seats: p.Seats, Cases: len(p.Plays),
		Rounds: p.FixedRounds(), Matches: p.Total(), UpTo: p.SPRT != nil, Wrong: []report.Wrong{},
	}
	for _, play := range p.Plays {
		if play.Repetition == 1 {
			f.Distinct++
		}
	}
	if f.Distinct == f.Cases {
		f.Distinct = 0
	}
	if p.InRounds() {
		f.Unpaired = p.Bots - Playable(s.Bots)
	}
	if p.Until != nil {
		f.Until = p.Until.String()
	}
	if s.Jobs != NoJobs {
		f.Jobs = s.runner.Jobs
	}
	return f
}

// trialCases is on how many cases a trial is played: the first, the last, and those
// evenly between them.
const trialCases = 3

// Check plays nothing that counts: it says what the tournament will play and, after a
// match of every bot on a few cases, about how long that takes, and what is wrong with
// whom. Where people, remote players or workers take part there is no such trial.
func (t Tournament) Check(ctx context.Context) (f report.Forecast, err error) {
	refused := error(nil)
	if !t.Resume {
		refused = checkFresh(t.Results.Dir)
		t.Results.Dir = "" // nothing is written, so it may hold another run
	}
	run := &tournamentRun{&Session{Play: t.Play, several: true}, t}
	s := run.session
	if err := run.prepare(ctx); err != nil {
		return f, err
	}
	f = t.Forecast(s)
	if refused != nil {
		f.Refused = refused.Error()
	}
	for _, b := range s.Bots {
		if why := unplayable(b); why != "" {
			f.Wrong = append(f.Wrong, report.Wrong{Bot: b.Name, Why: why})
		}
	}
	if s.hasGuests() || s.Workers != nil || Playable(s.Bots) < t.Plan.Seats {
		return f, nil
	}
	runner, end, err := s.begin(ctx, nil)
	if err != nil {
		return f, err
	}
	return f, end(tryOut(ctx, runner, run.trials(trialCases), &f))
}

// trialCost is how many times as many matches as those of a trial a tournament must have
// to be begun with one.
const trialCost = 100

// foretell says what a tournament that is about to begin will play, and, if it is long
// enough that a trial does not matter, about how long that takes: each bot plays a match on
// one case, which does not count. What goes wrong there goes wrong again where it counts.
func (s *tournamentRun) foretell(ctx context.Context, runner arena.Runner) report.Forecast {
	f := s.asked.Forecast(s.session)
	local := &s.session.runner
	if s.asked.Resume || f.Until != "" || s.session.hasGuests() || s.session.Workers != nil || local.Host != nil || local.Watch != nil {
		return f
	}
	if able := Playable(s.session.Bots); able < f.Seats || able/f.Seats*trialCost > f.Matches {
		return f
	}
	timed := f
	if tryOut(ctx, runner, s.trials(1), &timed) == nil {
		f.Seconds = timed.Seconds
	}
	return f
}

// trials returns the matches of a trial on some of the cases: each bot that can plays with
// those that follow it.
func (s *tournamentRun) trials(cases int) (list []arena.Fixture) {
	able, seats, plays := able(s.session.Bots), s.asked.Plan.Seats, s.asked.Plan.Plays
	for n := range min(cases, len(plays)) {
		c := plays[n*(len(plays)-1)/max(1, min(cases, len(plays))-1)].Case
		f := s.session.fixture(s.session.Set.Cases[c], seats)
		for first := 0; first < len(able); first += seats {
			f.Seats = nil
			for i := range seats {
				f.Seats = append(f.Seats, s.session.seatOf(s.session.Bots[able[(first+i)%len(able)]], false))
			}
			list = append(list, f)
		}
	}
	return list
}

// tryOut plays the matches of a trial.
func tryOut(ctx context.Context, runner arena.Runner, fixtures []arena.Fixture, f *report.Forecast) error {
	took := int64(0)
	wrong := make([][]report.Wrong, len(fixtures))
	err := runner.Run(ctx, slices.Values(fixtures), func(n int, r record.Record) error {
		took += r.WallUS
		if r.Error != "" {
			wrong[n] = append(wrong[n], report.Wrong{Bot: r.Seats[0].Bot, Why: "no result on " + r.Case.Name + ": " + r.Error})
			return nil
		}
		for _, seat := range r.Seats {
			if why := report.WrongIn(seat.Verdict, seat.Detail, r.Case.Name); why != "" {
				wrong[n] = append(wrong[n], report.Wrong{Bot: seat.Bot, Why: why})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.Trials = len(fixtures)
	f.Seconds = float64(took) / 1e6 / float64(len(fixtures)) * float64(f.Matches) / float64(max(1, f.Jobs))
	for _, w := range slices.Concat(wrong...) {
		if !slices.ContainsFunc(f.Wrong, func(o report.Wrong) bool { return o.Bot == w.Bot }) {
			f.Wrong = append(f.Wrong, w)
		}
	}
	return nil
}
