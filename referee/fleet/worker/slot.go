package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/record"
)

// played is a job whose matches are over, or will not be played.
type played struct {
	p   *playing
	id  string
	out *outbox
	why error // it is to be given back; nil: all matches are over
}

// backTime is how long the records of a job that is given back are waited for.
const backTime = 2 * time.Second

// slot plays one job after the other, of the run whose turn it is, and passes on those
// that are over.
func (l *line) slot(ctx context.Context, slot int, over chan<- played) error {
	defer close(over)
	taking, taken := until(ctx, l.w.Stop)
	defer taken()
	for ctx.Err() == nil {
		if taking.Err() != nil {
			<-ctx.Done()
			break
		}
		if !l.w.Own && !l.w.NoPause && l.strain.over(taking) != nil {
			continue
		}
		p, changed := l.choose(slot)
		if p == nil {
			select {
			case <-changed:
			case <-taking.Done():
			}
			continue
		}
		if err := l.serve(ctx, taking, slot, p, over); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// serve takes a job of a run for a slot, if there is one, and plays it.
func (l *line) serve(ctx, taking context.Context, slot int, p *playing, over chan<- played) error {
	took := time.Duration(0)
	defer func() { l.done(slot, p, took) }()
	j, err := p.take(taking, slot)
	switch {
	case err != nil:
		p.setAway() // maybe to come back
		_ = Wait(taking, fleet.BeatEvery/4)
		return nil
	case j.ID == "":
		return nil
	}
	l.mu.Lock()
	l.slots[slot], p.last[slot] = nil, j.ID
	l.mu.Unlock()
	began := time.Now()
	err = p.playJob(ctx, slot, j, over)
	took = time.Since(began)
	return err
}

// take waits for a job. It has no id if there is none for the time being.
func (p *playing) take(ctx context.Context, slot int) (j fleet.Job, err error) {
	p.l.mu.Lock()
	line, last := p.line, p.last[slot]
	p.l.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(line, cancel)()
	err = p.ask(ctx, fleet.TakeWait, p.names.Take(p.l.id), fleet.Take{Slot: slot, Last: last}, &j)
	if line.Err() != nil && err != nil {
		err = nil
	}
	return j, err
}

// playJob plays a job, and passes it on to be delivered. The error is that of
// ctx, or a defect.
func (p *playing) playJob(ctx context.Context, slot int, j fleet.Job, over chan<- played) error {
	job, end := context.WithCancelCause(ctx)
	defer end(nil)
	p.l.mu.Lock()
	p.held[j.ID] = end
	p.l.mu.Unlock()
	out := &outbox{p: p, job: j.ID}
	err := referee.Guard(func() error { return p.matches(job, slot, j, out) })
	if errors.Is(err, errNotNeeded) && ctx.Err() == nil {
		p.letGo(j.ID)
		return nil
	}
	one := played{p, j.ID, out, err}
	select {
	case over <- one:
	case <-ctx.Done(): // nobody may receive any more
		p.finish(ctx, one)
	}
	if errors.Is(err, errUnbegun) {
		return nil
	}
	return err
}

// deliver delivers jobs that are over, while others are played.
func deliver(ctx context.Context, over <-chan played) error {
	for one := range over {
		one.p.finish(ctx, one)
	}
	return nil
}

// finish lets go of a job once its records are stored, or gives it back.
func (p *playing) finish(ctx context.Context, one played) {
	if one.why == nil {
		one.why = one.out.settle(ctx)
	} else {
		one.out.publish()
		select {
		case <-p.l.js.PublishAsyncComplete():
		case <-time.After(backTime):
		}
	}
	if one.why != nil {
		if errors.Is(one.why, context.Canceled) {
			one.why = errLeft // in words of people
		}
		p.l.mu.Lock()
		p.back = append(p.back, fleet.Back{Job: one.id, Why: one.why.Error()})
		p.l.mu.Unlock()
	}
	p.letGo(one.id)
}

// begin counts a slot that plays.
func (p *playing) begin() {
	n := p.busy.Add(1)
	for {
		if old := p.worked.Load(); old >= n || p.worked.CompareAndSwap(old, n) {
			return
		}
	}
}

// publishing publishes the records that a job has from time to time, until it is
// stopped.
func publishing(out *outbox) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(fleet.BeatEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				out.publish()
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// matches plays the matches of a job. The worker may be asked to finish
// meanwhile; then the matches that have not begun are not played.
func (p *playing) matches(ctx context.Context, slot int, j fleet.Job, out *outbox) error {
	p.begin()
	defer p.busy.Add(-1)
	defer publishing(out)()
	fixtures := make([]arena.Fixture, len(j.Fixtures))
	if len(j.At) != len(fixtures) {
		return fmt.Errorf("found a job of %d matches with %d numbers", len(fixtures), len(j.At))
	}
	for i, data := range j.Fixtures {
		if err := json.Unmarshal(data, &fixtures[i]); err != nil {
			return fmt.Errorf("read job: %w", err)
		}
	}
	local := p.w.Local
	broken := p.prepare(ctx, &local, fixtures)
	if broken != nil {
		if err := p.check(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i, f := range fixtures {
			if err := out.put(j.At[i], p.failed(f, broken)); err != nil {
				return err
			}
		}
		return nil
	}
	local.Jobs, local.CPUs, local.Enough = 1, p.w.Local.JobCPUs(slot), p.finishing
	local.Umpire, local.Worker, local.CPU = p.w.Version, p.myName(), p.w.CPU
	over := 0
	keep := func(_ int, r record.Record) error {
		if r.Error != "" {
			if err := p.check(); err != nil {
				return err
			}
		}
		over++
		p.l.strained(&r)
		return out.put(j.At[over-1], r)
	}
	err := local.Run(ctx, slices.Values(fixtures), keep)
	for refused, ok := errors.AsType[*arena.CaseError](err); ok; refused, ok = errors.AsType[*arena.CaseError](err) {
		if err = keep(0, p.failed(fixtures[over], refused.Refused)); err == nil {
			err = local.Run(ctx, slices.Values(fixtures[over:]), keep)
		}
	}
	if err == nil && over < len(fixtures) {
		return errUnbegun
	}
	return err
}

// strained notes how a match went, and says so when the worker pauses. The
// coordinator's own does not pause, since it may be the only one, but says so.
func (l *line) strained(r *record.Record) {
	if l.w.NoPause {
		return
	}
	pause, begins := l.strain.add(r, time.Now())
	if !begins {
		return
	}
	percent := 100 * l.strain.waiting(time.Now())
	if l.w.Own {
		l.w.Note("umpire: warning: contestants wait for CPUs %.0f %% of their time: something else uses this machine\n", percent)
		return
	}
	l.w.Note("umpire: contestants wait for CPUs %.0f %% of their time: something else uses this machine; pausing for %s\n", percent, pause.Round(time.Second))
}

// failed is the record of a match that can't be played here.
func (p *playing) failed(f arena.Fixture, why error) record.Record {
	r := f.Record()
	r.Umpire = p.w.Version
	r.Finish(referee.Result{}, why, time.Now(), 0)
	return r
}

// prepare adds what matches need to their runner. The error is why it can't be made here.
func (p *playing) prepare(ctx context.Context, local *arena.Local, fixtures []arena.Fixture) (err error) {
	for _, f := range fixtures {
		if f.Package == nil || p.w.Game == nil {
			continue
		}
		prepare, err := p.games.of(ctx, f.Package.Digest)
		if err != nil {
			return fmt.Errorf("game %s: %w", f.Game, err)
		}
		prepare(local)
	}
	local.Players, err = p.playersOf(ctx, fixtures)
	return err
}

// check returns why this machine can't play at present: then a match that umpire
// failed to play says nothing about the match, and is for another worker.
func (p *playing) check() error {
	if p.w.Check == nil {
		return nil
	}
	return p.w.Check()
}

// playersOf returns the players of matches. The error is why one can't be made here.
func (p *playing) playersOf(ctx context.Context, fixtures []arena.Fixture) (list []referee.Player, err error) {
	found := make(map[string]bool)
	for _, f := range fixtures {
		for _, s := range f.Seats {
			if found[s.Digest] {
				continue
			}
			found[s.Digest] = true
			own := p.own[s.Digest]
			if own == nil && p.w.Player != nil {
				player, err := p.players.of(ctx, s.Digest)
				if err != nil {
					return nil, fmt.Errorf("bot %s: %w", s.Bot, err)
				}
				own = []referee.Player{player}
			}
			list = append(list, own...)
		}
	}
	return list, nil
}
