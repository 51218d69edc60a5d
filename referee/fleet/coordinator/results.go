package coordinator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
)

const (
	collector   = "coordinator"   // the consumer of records
	maxFetch    = 256             // records that are asked for at a time
	fetchWait   = 4 * time.Second // for records
	maxStored   = 1 << 30         // bytes of stored records, or less where the server has no room for so many
	leastStored = 1 << 20         // bytes that a server must have room for
)

// results is the stream of records, as the server of a run stores it.
type results struct {
	js       jetstream.JetStream
	names    fleet.Names
	lead     *lead
	most     int64  // bytes that are kept until they are taken
	folder   string // of the embedded server; "": it is another
	stream   jetstream.Stream
	consumer jetstream.Consumer
	stored   uint64    // number of the last record that was stored before it was opened
	taken    uint64    // number of the last record that was taken: all before it were, too
	began    time.Time // when the stream was made: no match has begun before
}

// open makes the stream of records, and a consumer that gives those which no
// earlier coordinator of the run has acknowledged, at once and not when they would be
// delivered again.
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
	r.stream, r.stored, r.began, r.taken = made, state.LastSeq, made.CachedInfo().Created, max(state.FirstSeq, 1)-1
	config := jetstream.ConsumerConfig{
		Durable: collector, AckPolicy: jetstream.AckAllPolicy, AckWait: fleet.LostAfter, MaxAckPending: 2 * dispatch.MaxRoom,
	}
	old, err := made.Consumer(ctx, collector)
	switch {
	case err == nil:
		r.taken = max(r.taken, old.CachedInfo().AckFloor.Stream)
		config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, r.taken+1
		if err := made.DeleteConsumer(ctx, collector); err != nil {
			return fmt.Errorf("read results: %w", err)
		}
	case !errors.Is(err, jetstream.ErrConsumerNotFound):
		return fmt.Errorf("read results: %w", err)
	}
	if r.consumer, err = made.CreateConsumer(ctx, config); err != nil {
		return fmt.Errorf("read results: %w", err)
	}
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

// fetch hands on the records that come within a time. An acknowledgement covers all
// records before it, which have been written, or count no more.
func (r *results) fetch(ctx context.Context, most time.Duration, take func([]*jetstream.RawStreamMsg) error) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	batch, err := r.consumer.Fetch(maxFetch, jetstream.FetchContext(ctx))
	if err != nil {
		return err
	}
	var list []jetstream.Msg
	for msg := range batch.Messages() {
		if list = append(list, msg); len(batch.Messages()) > 0 {
			continue
		}
		records, err := r.inOrder(list)
		if err != nil {
			return err
		}
		if n := len(records); n > 0 {
			if err := take(records); err != nil {
				return err
			}
			r.taken = records[n-1].Sequence
		}
		_ = msg.Ack()
		list = nil
	}
	return batch.Error()
}

// inOrder returns the records of a batch that have not been taken, and before each of them
// those that were sent and have not arrived: a connection may be cut, and what comes after
// the time for a batch is dropped, but an acknowledgement covers all records before it.
func (r *results) inOrder(batch []jetstream.Msg) (list []*jetstream.RawStreamMsg, err error) {
	last := r.taken
	for _, msg := range batch {
		meta, err := msg.Metadata()
		if err != nil {
			return nil, err
		}
		number := meta.Sequence.Stream
		for missing := last + 1; missing < number; missing++ {
			switch one, err := r.stream.GetMsg(context.Background(), missing); {
			case err == nil:
				list = append(list, one)
			case !errors.Is(err, jetstream.ErrMsgNotFound): // it has been removed
				return nil, fmt.Errorf("read result %d: %w", missing, err)
			}
		}
		if number > last {
			list = append(list, &jetstream.RawStreamMsg{Sequence: number, Subject: msg.Subject(), Header: msg.Headers(), Data: msg.Data()})
		}
		last = max(last, number)
	}
	return list, nil
}

const (
	keepResults = 256 // stored records that the run folder has and that are kept all the same
	maxSilent   = 3   // times that a server may leave unanswered what is sent to be stored, while it answers other questions
)

// tend looks after the stored records from time to time: it removes old ones, so that a
// long run takes no more room than a short one, and when none come it finds out whether
// that is because the server can't store them. It also finds out who leads the run.
func (r *results) tend(ctx context.Context) error {
	tries := 0
	for last := uint64(0); ; {
		if worker.Wait(ctx, fleet.LostAfter) != nil {
			return nil
		}
		r.lead.look(ctx)
		stream, err := r.js.Stream(ctx, r.names.Results())
		if err != nil {
			continue // a server that is gone is asked the next time
		}
		if n := stream.CachedInfo().State.LastSeq; n != last {
			last, tries = n, 0
			keep := uint64(keepResults)
			if int64(stream.CachedInfo().State.Bytes) > r.most/2 {
				keep = 0
			}
			_ = r.trim(ctx, stream, keep)
			continue
		}
		tries++
		_, err = r.js.PublishMsg(ctx, &nats.Msg{Subject: r.names.Result(fleet.Probe, fleet.NewName(), fleet.Probe)})
		if worker.IsFull(err) {
			err = r.trim(ctx, stream, 0)
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

// trim removes the records that have been acknowledged, which they are once they are
// written, but for the last so many.
func (r *results) trim(ctx context.Context, stream jetstream.Stream, keep uint64) error {
	info, err := r.consumer.Info(ctx)
	if err != nil {
		return fmt.Errorf("look at results: %w", err)
	}
	if info.AckFloor.Stream <= keep {
		return nil
	}
	first := info.AckFloor.Stream - keep + 1
	if stream.CachedInfo().State.FirstSeq >= first {
		return nil
	}
	if err := stream.Purge(ctx, jetstream.WithPurgeSequence(first)); err != nil {
		return fmt.Errorf("remove results: %w", err)
	}
	return nil
}

// tryWrite returns the error of a small file in an embedded server's folder, which is
// why the server has ceased to store: it does not say so itself.
func tryWrite(folder string) error {
	name := filepath.Join(folder, "try")
	defer os.Remove(name)
	return os.WriteFile(name, make([]byte, 64<<10), 0o600)
}
