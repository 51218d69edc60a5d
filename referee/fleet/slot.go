package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// playJob plays a job: the results are stored before the job is acknowledged.
// The error is that of ctx, or a defect.
func (p *playing) playJob(ctx context.Context, slot int, msg jetstream.Msg) error {
	p.begin()
	defer p.busy.Add(-1)
	stop := keepAlive(msg)
	defer stop()
	var j job
	if err := json.Unmarshal(msg.Data(), &j); err != nil {
		return msg.Term()
	}
	p.held.Store(j.ID, true)
	defer p.held.Delete(j.ID)
	out := &outbox{playing: p, job: j.ID}
	err := p.matches(ctx, slot, j, out)
	if err == nil {
		err = out.settle(ctx)
	}
	switch {
	case errors.Is(err, errUnbegun), errors.Is(err, errStalled):
		_ = p.giveBack(j, msg, err)
		return nil
	case ctx.Err() != nil:
		_ = p.giveBack(j, msg, errLeft)
		return err
	case err != nil:
		return p.giveBack(j, msg, err)
	}
	ack, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	_ = msg.DoubleAck(ack) // without it the job is played again, and its results are refused
	return nil
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

// keepAlive says that a job is in progress until it is stopped.
func keepAlive(msg jetstream.Msg) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = msg.InProgress()
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
func (p *playing) matches(ctx context.Context, slot int, j job, out *outbox) error {
	players, broken := p.players(ctx, j)
	local := p.Local
	local.Players, local.Jobs, local.CPUs = append(players, local.Players...), 1, p.cpus(slot)
	local.Umpire, local.Worker, local.CPU = p.Version, p.myName(), p.CPU
	if broken != nil {
		for i, f := range j.Fixtures {
			if err := out.put(j.at(i), failed(f, p.Version, broken)); err != nil {
				return err
			}
		}
		return nil
	}
	cut, ended := false, make(chan struct{}, len(j.Fixtures))
	fixtures := func(yield func(arena.Fixture) bool) {
		for i, f := range j.Fixtures {
			if i > 0 { // Run draws a fixture before the match of the one before is over
				select {
				case <-ended:
				case <-ctx.Done():
					return
				}
			}
			if cut = p.finishing(); cut || !yield(f) {
				return
			}
		}
	}
	err := local.Run(ctx, fixtures, func(i int, r record.Record) error {
		ended <- struct{}{}
		if j.Stalled < maxStalled && p.awake.isUnfair(&r, time.Now()) {
			return errStalled
		}
		p.played.Add(1)
		p.strained(&r)
		return out.put(j.at(i), r)
	})
	if err == nil && cut {
		return errUnbegun
	}
	return err
}

// cpus returns the processors of a slot.
func (p *playing) cpus(slot int) []int {
	all, each := p.Local.CPUs, max(1, p.Local.Spread)
	if len(all) == 0 {
		return nil
	}
	var list []int
	for i := range each {
		list = append(list, all[(slot*each+i)%len(all)])
	}
	return list
}

// players makes the players of a job. The error is why one can't be made here.
func (p *playing) players(ctx context.Context, j job) ([]referee.Player, error) {
	var list []referee.Player
	for _, f := range j.Fixtures {
		for _, s := range f.Seats {
			if p.has(s) || p.Player == nil {
				continue
			}
			player, err := p.store.player(ctx, s.Digest)
			if err != nil {
				return nil, fmt.Errorf("bot %s: %w", s.Bot, err)
			}
			list = append(list, player)
		}
	}
	return list, nil
}

// has reports whether a player need not be fetched.
func (p *playing) has(s arena.Seat) bool {
	return slices.ContainsFunc(p.Local.Players, func(q referee.Player) bool { return q.Identity().Digest == s.Digest })
}

// giveBack gives a job back that is not finished. The matches that are finished
// have their results.
func (p *playing) giveBack(j job, msg jetstream.Msg, why error) error {
	back := &nats.Msg{Subject: p.back(j.ID), Header: nats.Header{headTicket: {p.myTicket()}, headReturned: {why.Error()}}}
	ctx, cancel := context.WithTimeout(context.Background(), backTime)
	defer cancel()
	if _, err := p.js.PublishMsg(ctx, back); err == nil || isDuplicate(err) {
		_ = msg.DoubleAck(ctx)
	}
	return why
}

// outbox publishes the results of a job.
type outbox struct {
	*playing
	job  string
	sent []sent
}

type sent struct {
	msg    *nats.Msg
	stored jetstream.PubAckFuture
}

// put publishes a record without waiting until it is stored.
func (o *outbox) put(i int, r record.Record) error {
	msg, err := resultMessage(o.result(o.job, i), o.myTicket(), r)
	if err == nil && int64(len(msg.Data)) > o.nc.MaxPayload() {
		large := fmt.Errorf("the record of the match has %d bytes when packed, and the NATS server takes %d", len(msg.Data), o.nc.MaxPayload())
		unplayed(&r, large)
		msg, err = resultMessage(o.result(o.job, i), o.myTicket(), r)
	}
	if err != nil {
		return err
	}
	stored, err := o.js.PublishMsgAsync(msg)
	if err != nil {
		stored = nil // settle tries again
	}
	o.sent = append(o.sent, sent{msg, stored})
	return nil
}

// unplayed makes a record that of a match that umpire failed to play.
func unplayed(r *record.Record, why error) {
	for i, s := range r.Seats {
		r.Seats[i] = record.Seat{Bot: s.Bot, Digest: s.Digest, House: s.House, Kind: s.Kind}
	}
	r.Events, r.Error = nil, why.Error()
}

// settle waits until all results are stored, or refused since there were some
// already. A server that is gone is waited for.
func (o *outbox) settle(ctx context.Context) error {
	for _, s := range o.sent {
		if s.stored != nil {
			select {
			case <-s.stored.Ok():
				continue
			case err := <-s.stored.Err():
				if isDuplicate(err) {
					o.duplicates.Add(1)
					continue
				}
			case <-ctx.Done():
			}
		}
		if err := o.insist(ctx, s.msg); err != nil {
			return err
		}
	}
	return nil
}

// insist publishes a result until it is stored or refused for good.
func (o *outbox) insist(ctx context.Context, msg *nats.Msg) error {
	for said := false; ; {
		one, cancel := context.WithTimeout(context.WithoutCancel(ctx), askWait)
		_, err := o.js.PublishMsg(one, msg)
		cancel()
		switch {
		case err == nil:
			return nil
		case isDuplicate(err):
			o.duplicates.Add(1)
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !said && !isTemporary(err):
			said = true
			o.Note("umpire: the NATS server can't store results (%v); trying again\n", err)
		}
		if err := wait(ctx, beatEvery/2); err != nil {
			return err
		}
	}
}
