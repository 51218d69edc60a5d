package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/record"
)

// largeResult is the size in bytes from which records are packed.
const largeResult = 8 << 10

const (
	backTime = 2 * time.Second // how long the records of a job that has ended are waited for
	ackWait  = time.Minute     // how long a server may take to store records
)

// outbox stores the records of a job.
type outbox struct {
	p       *playing
	id      string          // of the job
	job     context.Context // ends when nobody waits for records, or the job is given back
	late    context.Context // ends backTime later
	storing errgroup.Group  // of what has been sent
	tell    sync.Once       // the user, that the server refuses a record
	mu      sync.Mutex      // of:
	unsent  []*nats.Msg     // for fleet.Together at most
}

func newOutbox(job context.Context, p *playing, id string) *outbox {
	late, isLate := context.WithCancel(context.WithoutCancel(job))
	context.AfterFunc(job, func() { time.AfterFunc(backTime, isLate) })
	return &outbox{p: p, id: id, job: job, late: late}
}

// message is a record on its way to the coordinator.
func (o *outbox) message(place string, r record.Record) (*nats.Msg, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	if len(data) >= largeResult {
		data = fleet.Pack(data)
	}
	return &nats.Msg{Subject: o.p.names.Result(o.p.l.id, o.id, place), Data: data}, nil
}

// put has the record of a fixture stored, without waiting until it is. Those of short matches go
// together, which takes less than half of the time of the server and the connection.
func (o *outbox) put(place string, f arena.Fixture, r record.Record) error {
	msg, err := o.message(place, r)
	if most := o.p.l.nc.MaxPayload(); err == nil && int64(len(msg.Data)) > most {
		err = fmt.Errorf("the record of the match has %d bytes when packed, and the NATS server takes %d", len(msg.Data), most)
		msg, err = o.message(place, f.Failed(o.p.l.w.Local.Umpire, err, time.Now()))
	}
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unsent = append(o.unsent, msg); len(o.unsent) == 1 {
		time.AfterFunc(fleet.Together, o.send)
	}
	return nil
}

// send has the records stored that have been put so far.
func (o *outbox) send() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, msg := range o.unsent {
		o.storing.Go(func() error { return o.store(msg) })
	}
	o.unsent = nil
}

// store publishes a record until it is stored. A server that is gone is waited for.
func (o *outbox) store(msg *nats.Msg) error {
	for {
		future, err := o.p.l.js.PublishMsgAsync(msg)
		if err == nil {
			select {
			case ack := <-future.Ok():
				o.p.l.do(func() { o.p.stored = max(o.p.stored, ack.Sequence) })
				return nil
			case err = <-future.Err():
			case <-o.late.Done():
				err = o.late.Err()
			}
		}
		switch {
		case isDuplicate(err):
			return nil
		case !IsTemporary(err):
			o.tell.Do(func() { o.p.l.w.Note("umpire: the NATS server can't store results (%v); trying again\n", err) })
		}
		if err := Wait(o.job, fleet.BeatEvery/2); err != nil {
			return err
		}
	}
}

// letGo waits until the records are stored, and lets go of the job. It gives the job back if
// there is a reason, such as that of its matches.
func (o *outbox) letGo(why error) {
	why = cmp.Or(why, o.storing.Wait())
	if errors.Is(why, context.Canceled) {
		why = errLeft // in words of people
	}
	o.p.l.do(func() {
		if why != nil && !errors.Is(why, errNotNeeded) {
			o.p.back = append(o.p.back, fleet.Back{Job: o.id, Why: why.Error()})
		}
		delete(o.p.held, o.id)
	})
}
