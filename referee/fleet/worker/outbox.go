package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
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
	unsent []*nats.Msg
	last   time.Time // when some were published
}

type sent struct {
	msg    *nats.Msg
	stored jetstream.PubAckFuture
}

// message is a record on its way to the coordinator.
func (o *outbox) message(i int, r record.Record) (*nats.Msg, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	msg := &nats.Msg{Subject: o.p.names.Result(o.p.l.id, o.job, strconv.Itoa(i)), Data: data}
	if len(data) >= largeResult {
		if msg.Data, err = fleet.Pack(data); err != nil {
			return nil, err
		}
		msg.Header = nats.Header{fleet.HeadEncoding: {fleet.Packed}}
	}
	return msg, nil
}

// put has a record stored, without waiting until it is: soon, and at the latest by
// settle.
func (o *outbox) put(i int, r record.Record) error {
	msg, err := o.message(i, r)
	if err == nil && int64(len(msg.Data)) > o.p.l.nc.MaxPayload() {
		unplayed(&r, fmt.Errorf("the record of the match has %d bytes when packed, and the NATS server takes %d", len(msg.Data), o.p.l.nc.MaxPayload()))
		msg, err = o.message(i, r)
	}
	if err != nil {
		return err
	}
	o.mu.Lock()
	o.unsent = append(o.unsent, msg)
	due := time.Since(o.last) >= fleet.Together
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
		stored, err := o.p.l.js.PublishMsgAsync(msg)
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
	for old := o.p.stored.Load(); old < ack.Sequence && !o.p.stored.CompareAndSwap(old, ack.Sequence); {
		old = o.p.stored.Load()
	}
}

// insist publishes a record until it is stored.
func (o *outbox) insist(ctx context.Context, msg *nats.Msg) error {
	for said := false; ; {
		one, cancel := context.WithTimeout(context.WithoutCancel(ctx), fleet.AskWait)
		ack, err := o.p.l.js.PublishMsg(one, msg)
		cancel()
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
			o.p.w.Note("umpire: the NATS server can't store results (%v); trying again\n", err)
		}
		if err := Wait(ctx, fleet.BeatEvery/2); err != nil {
			return err
		}
	}
}
