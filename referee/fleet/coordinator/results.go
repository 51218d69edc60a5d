package coordinator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/worker"
)

const (
	maxFetch    = 256             // records that are asked for at a time
	fetchWait   = 4 * time.Second // for records
	maxStored   = 1 << 30         // bytes of stored records, or less where the server has no room for so many
	leastStored = 1 << 20         // bytes that a server must have room for
)

// results is the stream of records, as the server of a run stores it. Those that have been
// taken are removed from it.
type results struct {
	js        jetstream.JetStream
	names     fleet.Names
	lead      *lead
	most      int64  // bytes that are kept until they are taken
	folder    string // of the embedded server; "": it is another
	stream    jetstream.Stream
	old       uint64             // number of the last record that was stored before it was opened
	began     time.Time          // when the stream was made: no match has begun before
	taken     atomic.Uint64      // number of the last record that was taken: all before it were, too
	removed   time.Time          // when the collector removed records last
	consumer  jetstream.Consumer // of those that were not taken; nil: it is to be made
	delivered uint64             // records that it has given
}

// stored is a record as the stream has it.
type stored struct {
	msg    jetstream.Msg
	number uint64
}

// open makes the stream of records, or finds it.
func (r *results) open(ctx context.Context, replicas int) error {
	stream := jetstream.StreamConfig{
		Name: r.names.Results(), Subjects: []string{r.names.AnyResult("*")},
		Replicas: replicas, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		MaxMsgSize: broker.MaxMessage, MaxBytes: r.most,
	}
	made, err := r.js.CreateOrUpdateStream(ctx, stream)
	for ; isTooMuch(err) && stream.MaxBytes > leastStored; made, err = r.js.CreateOrUpdateStream(ctx, stream) {
		stream.MaxBytes /= 2
	}
	if err != nil {
		return fmt.Errorf("make results stream: %w", err)
	}
	state := made.CachedInfo().State
	r.stream, r.old, r.began = made, state.LastSeq, made.CachedInfo().Created
	r.taken.Store(max(state.FirstSeq, 1) - 1)
	return nil
}

// isTooMuch reports whether a server refuses to keep room for so many bytes.
func isTooMuch(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && (refused.ErrorCode == insufficientStorage || refused.ErrorCode == insufficientResources)
}

// Numbers of JetStream's errors.
const (
	insufficientResources = 10023
	insufficientStorage   = 10047
)

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
// a connection may be cut, or the consumer is gone, another consumer gives the rest.
func (r *results) fetch(ctx context.Context, most time.Duration, take func([]stored) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
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
	batch, err := r.consumer.Fetch(maxFetch, jetstream.FetchContext(ctx))
	if err != nil {
		return err
	}
	var list []stored
	for msg := range batch.Messages() {
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		if r.delivered++; meta.Sequence.Consumer != r.delivered {
			return errors.New("a record that was sent has not arrived")
		}
		if list = append(list, stored{msg, meta.Sequence.Stream}); len(batch.Messages()) > 0 {
			continue
		}
		if err := take(list); err != nil {
			return err
		}
		r.taken.Store(meta.Sequence.Stream)
		list = nil
		if time.Since(r.removed) > fleet.BeatEvery {
			r.removed = time.Now()
			_ = r.remove(context.WithoutCancel(ctx))
		}
	}
	return batch.Error()
}

// remove removes the records that have been taken, unless another coordinator leads the run:
// it may need them.
func (r *results) remove(ctx context.Context) error {
	if err := r.lead.check(); err != nil {
		return err
	}
	return r.stream.Purge(ctx, jetstream.WithPurgeSequence(r.taken.Load()+1))
}

// maxSilent is how often a server may leave unanswered what is sent to be stored, while it
// answers other questions.
const maxSilent = 3

// tend finds out from time to time who leads the run and, when no records come, whether
// that is because the server can't store them.
func (r *results) tend(ctx context.Context) error {
	tries := 0
	for last := uint64(0); ; {
		if worker.Wait(ctx, fleet.LostAfter) != nil {
			return nil
		}
		r.lead.look(ctx)
		info, err := r.stream.Info(ctx)
		if err != nil {
			continue // a server that is gone is asked the next time
		}
		if n := info.State.LastSeq; n != last {
			last, tries = n, 0
			continue
		}
		tries++
		_, err = r.js.PublishMsg(ctx, &nats.Msg{Subject: r.names.Result(fleet.Probe, fleet.NewName(), fleet.Probe)})
		if worker.IsFull(err) {
			err = r.remove(ctx)
		}
		if err == nil {
			tries = 0
		} else if err := r.mayStore(ctx, tries, err); err != nil {
			return err
		}
	}
}

// mayStore decides what the error of an attempt to store a record means, the latest of
// so many in a row. It returns nil if another attempt makes sense: a server that is gone
// may come back. One whose disk is full is there, and does not answer; it stores nothing
// until it is restarted. The disk of the embedded server is tried at once.
func (r *results) mayStore(ctx context.Context, tries int, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !worker.IsTemporary(err):
		return fmt.Errorf("store in NATS stream %s: %w", r.names.Results(), err)
	}
	if r.folder != "" {
		if why := tryWrite(r.folder); why != nil {
			return r.unwritable(why)
		}
	}
	if tries < maxSilent {
		return nil
	}
	if _, gone := r.js.Stream(ctx, r.names.Results()); gone != nil {
		return nil
	}
	if r.folder == "" {
		return fmt.Errorf("the NATS server answers, but does not store what is sent to stream %s: its disk may be full (%w); make room and restart it", r.names.Results(), err)
	}
	return r.unwritable(err)
}

func (r *results) unwritable(why error) error {
	return fmt.Errorf("matches under way can't be stored in %s: its disk may be full (%w); make room and resume the run", r.folder, why)
}

// tryWrite returns the error of a small file in an embedded server's folder, which is
// why the server has ceased to store: it does not say so itself.
func tryWrite(folder string) error {
	name := filepath.Join(folder, "try")
	defer os.Remove(name)
	return os.WriteFile(name, make([]byte, 64<<10), 0o600)
}
