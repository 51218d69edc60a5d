package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
	"umpire/referee/record"
)

// played is a job whose matches are over, or will not be played.
type played struct {
	job
	*outbox
	msg  jetstream.Msg
	stop func() // saying that it is in progress
	why  error  // it is to be given back; nil: all matches are over
}

// playJob plays a job, and passes it on to be delivered. The error is that of
// ctx, or a defect.
func (p *playing) playJob(ctx context.Context, slot int, msg jetstream.Msg, over chan<- played) error {
	var j job
	if err := json.Unmarshal(msg.Data(), &j); err != nil {
		return msg.Term()
	}
	p.held.Store(j.ID, true)
	out := &outbox{playing: p, job: j.ID}
	stop := keepAlive(msg, out)
	err := referee.Guard(func() error { return p.matches(ctx, slot, j, out) })
	one := played{j, out, msg, stop, err}
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
func (p *playing) deliver(ctx context.Context, over <-chan played) error {
	for one := range over {
		p.finish(ctx, one)
	}
	return nil
}

// finish acknowledges a job once its results are stored, or gives it back.
func (p *playing) finish(ctx context.Context, one played) {
	defer p.held.Delete(one.ID)
	defer one.stop()
	if one.why == nil {
		one.why = one.settle(ctx)
	}
	if one.why != nil {
		one.publish()
		p.giveBack(one.job, one.msg, one.why)
		return
	}
	ack, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	_ = one.msg.DoubleAck(ack) // without it the job is played again, and its results are refused
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

// keepAlive says that a job is in progress, and publishes the results that it
// has, until it is stopped.
func keepAlive(msg jetstream.Msg, out *outbox) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = msg.InProgress()
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
func (p *playing) matches(ctx context.Context, slot int, j job, out *outbox) error {
	p.begin()
	defer p.busy.Add(-1)
	players, broken := p.players(ctx, j)
	if broken != nil {
		if err := p.check(); err != nil {
			return err
		}
		for i, f := range j.Fixtures {
			if err := out.put(j.at(i), failed(f, p.Version, broken)); err != nil {
				return err
			}
		}
		return nil
	}
	local := p.Local
	local.Players, local.Jobs, local.CPUs, local.Enough = players, 1, p.Local.JobCPUs(slot), p.finishing
	local.Umpire, local.Worker, local.CPU = p.Version, p.myName(), p.CPU
	over := 0
	err := local.Run(ctx, slices.Values(j.Fixtures), func(i int, r record.Record) error {
		if r.Error != "" {
			if err := p.check(); err != nil {
				return err
			}
		}
		over++
		p.played.Add(1)
		p.strained(&r)
		return out.put(j.at(i), r)
	})
	if err == nil && over < len(j.Fixtures) {
		return errUnbegun
	}
	return err
}

// check returns why this machine can't play at present: then a match that umpire
// failed to play says nothing about the match, and is for another worker.
func (p *playing) check() error {
	if p.Check == nil {
		return nil
	}
	return p.Check()
}

// players returns the players of a job. The error is why one can't be made here.
func (p *playing) players(ctx context.Context, j job) (list []referee.Player, err error) {
	found := make(map[string]bool)
	for _, f := range j.Fixtures {
		for _, s := range f.Seats {
			if found[s.Digest] {
				continue
			}
			found[s.Digest] = true
			own := p.own[s.Digest]
			if own == nil && p.Player != nil {
				player, err := p.store.player(ctx, s.Digest)
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

// giveBack gives a job back that is not finished. The matches that are finished
// have their results.
func (p *playing) giveBack(j job, msg jetstream.Msg, why error) {
	if errors.Is(why, context.Canceled) {
		why = errLeft // in words of people
	}
	back := &nats.Msg{Subject: p.back(j.ID), Header: nats.Header{headTicket: {p.myTicket()}, headReturned: {why.Error()}}}
	ctx, cancel := context.WithTimeout(context.Background(), backTime)
	defer cancel()
	if _, err := p.js.PublishMsg(ctx, back); err == nil || isDuplicate(err) {
		_ = msg.DoubleAck(ctx)
	}
}

// outbox publishes the results of a job. Those of short matches go together,
// which takes less than half of the time of the server and the connection.
type outbox struct {
	*playing
	job string

	mu     sync.Mutex
	sent   []sent
	unsent []*nats.Msg
	last   time.Time // when some were published
}

type sent struct {
	msg    *nats.Msg
	stored jetstream.PubAckFuture
}

// put has a record published, without waiting until it is stored: soon, and at
// the latest by settle.
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
	o.mu.Lock()
	o.unsent = append(o.unsent, msg)
	due := time.Since(o.last) >= together
	o.mu.Unlock()
	if due {
		o.publish()
	}
	return nil
}

// publish publishes the records that have not been.
func (o *outbox) publish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, msg := range o.unsent {
		stored, err := o.js.PublishMsgAsync(msg)
		if err != nil {
			stored = nil // settle tries again
		}
		o.sent = append(o.sent, sent{msg, stored})
	}
	o.unsent, o.last = nil, time.Now()
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
	o.publish()
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
