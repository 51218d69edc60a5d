package coordinator

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/worker"
	"umpire/referee/userfile"
)

const (
	maxFetch    = 256      // records that are asked for at a time, or fewer:
	fetchBytes  = 64 << 20 // of so many bytes, if they are as large as the largest one was lately
	maxStored   = 1 << 30  // bytes of stored records, or less where the server has no room for so many
	maxShared   = 1 << 27  // likewise, of each run at a server that has many
	leastStored = 1 << 20  // bytes that a server must have room for
	noRoom      = 10047    // code of its error if it has not
)

// results is the stream of records, as the server of a run stores it. Those that have been
// taken are removed from it.
type results struct {
	c         *Coordinator
	stream    jetstream.Stream
	old       uint64             // number of the last record that was stored before it was opened
	began     time.Time          // when the stream was made: no match has begun before
	taken     atomic.Uint64      // number of the last record that was taken: all before it were, too
	removed   time.Time          // when the collector removed records last
	consumer  jetstream.Consumer // of those that were not taken; nil: it is to be made
	delivered uint64             // records that it has given
	largest   int                // bytes of a record: see fetchBytes
	last      uint64             // number of the last record when try looked last
	failures  int                // tries in a row that stored nothing
}

// stored is a record as the stream has it.
type stored struct {
	msg    jetstream.Msg
	number uint64
}

// open makes the stream of records, or finds it. Where the server refuses to keep room for so
// many bytes, it is asked for less.
func (r *results) open(ctx context.Context, replicas int) error {
	stream := jetstream.StreamConfig{
		Name: r.c.names.Results(), Subjects: []string{r.c.names.AnyResult("*")},
		Replicas: replicas, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		MaxMsgSize: broker.MaxMessage, MaxBytes: r.c.config.Stored,
	}
	made, err := r.c.js.CreateOrUpdateStream(ctx, stream)
	for errors.As(err, new(*jetstream.APIError)) && stream.MaxBytes > leastStored {
		stream.MaxBytes /= 2
		made, err = r.c.js.CreateOrUpdateStream(ctx, stream)
	}
	if err != nil {
		return fmt.Errorf("make results stream: %w", err)
	}
	state := made.CachedInfo().State
	r.stream, r.old, r.began, r.largest = made, state.LastSeq, made.CachedInfo().Created, broker.MaxMessage
	r.taken.Store(max(state.FirstSeq, 1) - 1)
	return nil
}

// begin makes a consumer of the records that have not been taken.
func (r *results) begin(ctx context.Context) (err error) {
	r.delivered = 0
	r.consumer, err = r.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: r.taken.Load() + 1,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	return err
}

// fetch hands on the records that come within a time, in order. Where one has not arrived, as
// a connection may be cut, or the time was over when it was sent, or the consumer is gone,
// another consumer gives the rest.
func (r *results) fetch(ctx context.Context, most time.Duration, take func([]stored) error) (err error) {
	defer func() {
		if err != nil {
			r.consumer = nil
		}
	}()
	if r.consumer == nil {
		if err := r.begin(ctx); err != nil {
			return err
		}
	}
	batch, err := r.consumer.Fetch(min(maxFetch, fetchBytes/r.largest), jetstream.FetchMaxWait(most))
	if err != nil {
		return err
	}
	r.largest = max(1, r.largest/2)
	before := r.delivered
	var list []stored
	for messages := batch.Messages(); ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case msg := <-messages:
			if msg == nil {
				if err := batch.Error(); err != nil || r.delivered > before {
					return err
				}
				return r.lost(ctx)
			}
			meta, err := msg.Metadata()
			if err != nil {
				return err
			}
			r.largest = min(max(r.largest, len(msg.Data())), broker.MaxMessage)
			if r.delivered++; meta.Sequence.Consumer != r.delivered {
				return errUnarrived
			}
			if list = append(list, stored{msg, meta.Sequence.Stream}); len(messages) > 0 {
				continue
			}
			if err := take(list); err != nil {
				return err
			}
			r.taken.Store(meta.Sequence.Stream)
			list = nil
			if time.Since(r.removed) > fleet.BeatEvery {
				r.removed = time.Now()
				_ = r.remove(context.WithoutCancel(ctx), 1) // on Windows a server stores nothing more once all have been removed
			}
		}
	}
}

var errUnarrived = errors.New("a record that was sent has not arrived")

// lost returns errUnarrived if the server has sent a record that no fetch got, after which none may
// follow.
func (r *results) lost(ctx context.Context) error {
	info, err := r.consumer.Info(ctx)
	if err == nil && info.Delivered.Consumer != r.delivered {
		err = errUnarrived
	}
	return err
}

// remove removes the records that have been taken, but for so many, unless another coordinator
// leads the run: it may need them.
func (r *results) remove(ctx context.Context, but uint64) error {
	if err := r.c.lead.check(ctx); err != nil {
		return err
	}
	return r.stream.Purge(ctx, jetstream.WithPurgeSequence(r.taken.Load()+1-but))
}

// tend finds out from time to time whether the server can store records.
func (r *results) tend(ctx context.Context) error {
	for worker.Wait(ctx, fleet.LostAfter) == nil {
		if err := r.try(ctx); err != nil {
			return err
		}
	}
	return nil
}

// maxFailures is how many tries in a row may store nothing.
const maxFailures = 3

// try stores a record that means nothing, if no others have come. A server whose disk is
// full says so by nothing but this: it answers other questions, and stores nothing until it
// is restarted. One that answers nothing is gone, and may come back. The disk of an embedded
// server is tried at once.
func (r *results) try(ctx context.Context) error {
	info, err := r.stream.Info(ctx)
	if err != nil || info.State.LastSeq != r.last {
		r.failures = 0
		if err == nil {
			r.last = info.State.LastSeq
		}
		return nil
	}
	_, err = r.c.js.PublishMsg(ctx, &nats.Msg{Subject: r.c.names.Result(fleet.Probe, fleet.NewName(), fleet.Probe)})
	if worker.IsFull(err) {
		err = r.remove(ctx, 0)
	}
	if r.failures++; err == nil {
		r.failures = 0
	} else if server := r.c.config.Server; server != nil && worker.IsTemporary(err) {
		if why := userfile.TryWrite(server.Folder); why != nil {
			err, r.failures = why, maxFailures
		}
	}
	switch {
	case ctx.Err() != nil || err == nil || worker.IsTemporary(err) && r.failures < maxFailures:
		return nil
	case !worker.IsTemporary(err):
		return fmt.Errorf("store in NATS stream %s: %w", r.c.names.Results(), err)
	case r.c.config.Server == nil:
		return fmt.Errorf("the NATS server answers, but does not store what is sent to stream %s: its disk may be full (%w); make room and restart it", r.c.names.Results(), err)
	}
	return fmt.Errorf("matches under way can't be stored in %s: its disk may be full (%w); make room and resume the run", r.c.config.Server.Folder, err)
}
