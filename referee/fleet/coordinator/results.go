package coordinator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/dispatch"
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
func (r *results) fetch(ctx context.Context, most time.Duration, take func([]stored) error) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	batch, err := r.consumer.Fetch(maxFetch, jetstream.FetchContext(ctx))
	if err != nil {
		return err
	}
	for open := true; open; {
		var list []jetstream.Msg
		msg, ok := <-batch.Messages()
		for ; ok; msg, ok = <-batch.Messages() {
			if list = append(list, msg); len(batch.Messages()) == 0 {
				break
			}
		}
		open = ok
		if len(list) == 0 {
			break
		}
		records, err := r.inOrder(list)
		if err != nil {
			return err
		}
		if n := len(records); n > 0 {
			if err := take(records); err != nil {
				return err
			}
			r.taken = records[n-1].number
		}
		_ = list[len(list)-1].Ack()
	}
	return batch.Error()
}

// stored is a record as the stream holds it.
type stored struct {
	number  uint64 // in the stream
	subject string
	header  nats.Header
	data    []byte
}

// inOrder returns the records of a batch that have not been taken, and before each of them
// those that were sent and have not arrived: a connection may be cut, and what comes after
// the time for a batch is dropped, but an acknowledgement covers all records before it.
func (r *results) inOrder(batch []jetstream.Msg) (list []stored, err error) {
	last := r.taken
	for _, msg := range batch {
		meta, err := msg.Metadata()
		if err != nil {
			return nil, err
		}
		number := meta.Sequence.Stream
		for missing := last + 1; missing < number; missing++ {
			switch one, err := r.lookUp(missing); {
			case err == nil:
				list = append(list, stored{one.Sequence, one.Subject, one.Header, one.Data})
			case !errors.Is(err, jetstream.ErrMsgNotFound): // it has been removed
				return nil, fmt.Errorf("read result %d: %w", missing, err)
			}
		}
		if number > last {
			list = append(list, stored{number, msg.Subject(), msg.Headers(), msg.Data()})
		}
		last = max(last, number)
	}
	return list, nil
}

// lookUp returns a record by its number.
func (r *results) lookUp(number uint64) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(context.Background(), fleet.AskWait)
	defer cancel()
	return r.stream.GetMsg(ctx, number)
}
