package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/record"
)

// largeResult is the size in bytes from which records are packed.
const largeResult = 8 << 10

// outbox stores the records of a job. Those of short matches go together, which takes
// less than half of the time of the server and the connection.
type outbox struct {
	p   *playing
	job string

	mu     sync.Mutex
	sent   []sent
	unsent []*nats.Msg // which are published soon
}

type sent struct {
	msg    *nats.Msg
	stored jetstream.PubAckFuture
}

// message is a record on its way to the coordinator.
func (o *outbox) message(place string, r record.Record) (*nats.Msg, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	msg := &nats.Msg{Subject: o.p.names.Result(o.p.l.id, o.job, place), Data: data}
	if len(data) >= largeResult {
		msg.Data = fleet.Pack(data)
		msg.Header = nats.Header{fleet.HeadEncoding: {fleet.Packed}}
	}
	return msg, nil
}

// put has a record stored, without waiting until it is: soon, and at the latest by
// settle.
func (o *outbox) put(place string, r record.Record) error {
	msg, err := o.message(place, r)
	if err == nil && int64(len(msg.Data)) > o.p.l.nc.MaxPayload() {
		unplayed(&r, fmt.Errorf("the record of the match has %d bytes when packed, and the NATS server takes %d", len(msg.Data), o.p.l.nc.MaxPayload()))
		msg, err = o.message(place, r)
	}
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.unsent) == 0 {
		time.AfterFunc(fleet.Together, o.publish)
	}
	o.unsent = append(o.unsent, msg)
	return nil
}

// publish publishes the records that have not been.
func (o *outbox) publish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, msg := range o.unsent {
		stored, err := o.p.l.js.PublishMsgAsync(msg)
		if err != nil {
			stored = nil // settle tries again
		}
		o.sent = append(o.sent, sent{msg, stored})
	}
	o.unsent = nil
}

// unplayed makes a record that of a match that umpire failed to play.
func unplayed(r *record.Record, why error) {
	for i, s := range r.Seats {
		r.Seats[i] = record.Seat{Bot: s.Bot, Digest: s.Digest, House: s.House, Kind: s.Kind}
	}
	r.Events, r.Error = nil, why.Error()
}

// backTime is how long the records of a job that is given back are waited for.
const backTime = 2 * time.Second

// deliver waits until the records of a job are stored. The error is why the job is to be given
// back: that of its matches, if there is one, or of the records.
func (o *outbox) deliver(ctx context.Context, err error) error {
	if err == nil {
		return o.settle(ctx)
	}
	o.publish()
	select {
	case <-o.p.l.js.PublishAsyncComplete():
	case <-time.After(backTime):
	}
	return err
}

// letGo lets go of the job, and gives it back if there is a reason.
func (o *outbox) letGo(why error) {
	if errors.Is(why, context.Canceled) {
		why = errLeft // in words of people
	}
	o.p.l.mu.Lock()
	defer o.p.l.mu.Unlock()
	if why != nil {
		o.p.back = append(o.p.back, fleet.Back{Job: o.job, Why: why.Error()})
	}
	delete(o.p.held, o.job)
}

// settle waits until all records are stored. A server that is gone is waited for.
func (o *outbox) settle(ctx context.Context) error {
	o.publish()
	for _, s := range o.sent {
		if s.stored != nil {
			select {
			case ack := <-s.stored.Ok():
				o.isStored(ack)
				continue
			case err := <-s.stored.Err():
				if isDuplicate(err) {
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

// isStored notes where a record is stored.
func (o *outbox) isStored(ack *jetstream.PubAck) {
	o.p.l.mu.Lock()
	defer o.p.l.mu.Unlock()
	o.p.stored = max(o.p.stored, ack.Sequence)
}

// insist publishes a record until it is stored.
func (o *outbox) insist(ctx context.Context, msg *nats.Msg) error {
	for said := false; ; {
		ack, err := o.p.l.js.PublishMsg(context.WithoutCancel(ctx), msg)
		switch {
		case err == nil:
			o.isStored(ack)
			return nil
		case isDuplicate(err):
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !said && !IsTemporary(err):
			said = true
			o.p.l.w.Note("umpire: the NATS server can't store results (%v); trying again\n", err)
		}
		if err := Wait(ctx, fleet.BeatEvery/2); err != nil {
			return err
		}
	}
}
