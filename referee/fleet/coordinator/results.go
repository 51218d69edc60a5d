package coordinator

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
	"umpire/referee/record"
)

const (
	collector   = "coordinator"   // the consumer of records
	maxFetch    = 256             // records that are asked for at a time
	fetchWait   = 4 * time.Second // for records
	keepResults = 256             // stored records that the run folder has and that are kept all the same
	maxStored   = 1 << 30         // bytes of stored records, or less where the server has no room for so many
	leastStored = 1 << 20         // bytes that a server must have room for
	maxSilent   = 3               // times that a server may leave unanswered what is sent to be stored, while it answers other questions
)

// openResults makes the stream of records, and a consumer that gives those which no
// earlier coordinator of the run has acknowledged, at once and not when they would be
// delivered again.
func (c *Coordinator) openResults(ctx context.Context, replicas int) error {
	stream := jetstream.StreamConfig{
		Name: c.names.Results(), Subjects: []string{c.names.AnyResult("*")},
		Replicas: replicas, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		MaxMsgSize: maxMessage, MaxBytes: c.config.Stored,
	}
	results, err := c.js.CreateOrUpdateStream(ctx, stream)
	for ; isTooMuch(err) && stream.MaxBytes > leastStored; results, err = c.js.CreateOrUpdateStream(ctx, stream) {
		stream.MaxBytes /= 2
	}
	if err != nil {
		return fmt.Errorf("make results stream: %w", err)
	}
	state := results.CachedInfo().State
	c.stream, c.stored, c.began, c.taken = results, state.LastSeq, results.CachedInfo().Created, max(state.FirstSeq, 1)-1
	config := jetstream.ConsumerConfig{
		Durable: collector, AckPolicy: jetstream.AckAllPolicy, AckWait: fleet.LostAfter, MaxAckPending: 2 * maxRoom,
	}
	old, err := results.Consumer(ctx, collector)
	switch {
	case err == nil:
		c.taken = max(c.taken, old.CachedInfo().AckFloor.Stream)
		config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, c.taken+1
		if err := results.DeleteConsumer(ctx, collector); err != nil {
			return fmt.Errorf("read results: %w", err)
		}
	case !errors.Is(err, jetstream.ErrConsumerNotFound):
		return fmt.Errorf("read results: %w", err)
	}
	if c.results, err = results.CreateConsumer(ctx, config); err != nil {
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

// collect takes records until ctx ends.
func (r *run) collect(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.fetch(ctx, fetchWait); r.failure() != nil {
			return r.failure()
		} else if err != nil {
			_ = worker.Wait(ctx, fleet.BeatEvery/4)
		}
	}
	return nil
}

// failure returns why records can't be written.
func (r *run) failure() error {
	r.writing.Lock()
	defer r.writing.Unlock()
	return r.err
}

// fetch takes the records that come within a time. An acknowledgement covers all
// records before it, which have been written, or count no more.
func (r *run) fetch(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	batch, err := r.c.results.Fetch(maxFetch, jetstream.FetchContext(ctx))
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
		records, err := r.c.inOrder(list)
		if err != nil {
			return err
		}
		if err := r.takeResults(records); err != nil {
			return err
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
func (c *Coordinator) inOrder(batch []jetstream.Msg) (list []stored, err error) {
	last := c.taken
	for _, msg := range batch {
		meta, err := msg.Metadata()
		if err != nil {
			return nil, err
		}
		number := meta.Sequence.Stream
		for missing := last + 1; missing < number; missing++ {
			switch one, err := c.lookUp(missing); {
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
func (c *Coordinator) lookUp(number uint64) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(context.Background(), fleet.AskWait)
	defer cancel()
	return c.stream.GetMsg(ctx, number)
}

// result is a record that a worker has stored.
type result struct {
	from  giver
	job   string
	i     int
	early bool // stored before this coordinator began
	known bool // its built-in bots' replies are compared with those that they must give
	r     record.Record
	err   error // it is none, or not valid
}

// takeResults verifies records, several at a time, and writes those that count.
func (r *run) takeResults(list []stored) error {
	if len(list) == 0 {
		return nil
	}
	results, last := make([]result, len(list)), list[len(list)-1].number
	r.c.do(func(time.Time) {
		for i, s := range list {
			one := &results[i]
			one.from.id, one.job, one.i = fleet.ResultOf(s.subject)
			one.early = s.number <= r.c.stored
			one.from = r.c.crew.giver(one.from.id)
			one.known = r.c.config.Control != nil && (r.schedule.jobs[one.job].isControl() || r.schedule.chance() < r.schedule.share)
		}
	})
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range results {
		if one := &results[i]; one.i >= 0 && !one.from.dropped && (one.early || one.from.known) {
			group.Go(func() error {
				one.err = referee.Guard(func() (err error) {
					one.r, err = r.c.inspect(one.from, list[i].header, list[i].data)
					if err == nil && one.known && one.r.Error == "" {
						err = r.c.config.Control(&one.r)
					}
					return err
				})
				return nil
			})
		}
	}
	_ = group.Wait()
	r.c.do(func(now time.Time) {
		for i := range results {
			r.take(&results[i], now)
		}
		r.schedule.progress(last, now)
	})
	if err := r.keep(); err != nil {
		return err
	}
	r.c.taken = last
	return nil
}

// take deals with one result. A worker whose record is not valid, or of a match that it
// was not given, is dropped.
func (r *run) take(one *result, now time.Time) {
	m := r.c.crew.members[one.from.id]
	if m != nil && !m.told.IsZero() && now.Sub(m.told) > fleet.LostAfter { // it goes on all the same
		r.c.crew.out.kicks = append(r.c.crew.out.kicks, m.id)
	}
	if m != nil && m.dropped != "" || m == nil && !one.early || m == nil && one.err != nil || one.from.id == fleet.Probe {
		return
	}
	if one.i < 0 && one.err == nil {
		one.err = errors.New("found a result without a number")
	}
	if one.err == nil {
		one.err = r.schedule.result(m, one.job, one.i, one.r, one.early, now)
	}
	if one.err == nil || m == nil {
		return
	}
	r.c.crew.exclude(m, one.err.Error(), now)
	r.schedule.refuse(m, one.job, one.i, one.err, now)
}

// tend looks after the stored records from time to time: it removes old ones, so that a
// long run takes no more room than a short one, and when none come it finds out whether
// that is because the server can't store them. It also finds out who leads the run.
func (c *Coordinator) tend(ctx context.Context) error {
	tries := 0
	for last := uint64(0); ; {
		if worker.Wait(ctx, fleet.LostAfter) != nil {
			return nil
		}
		c.checkLead(ctx)
		results, err := c.js.Stream(ctx, c.names.Results())
		if err != nil {
			continue // a server that is gone is asked the next time
		}
		if n := results.CachedInfo().State.LastSeq; n != last {
			last, tries = n, 0
			keep := uint64(keepResults)
			if int64(results.CachedInfo().State.Bytes) > c.config.Stored/2 {
				keep = 0
			}
			_ = c.trim(ctx, results, keep)
			continue
		}
		tries++
		_, err = c.js.PublishMsg(ctx, &nats.Msg{Subject: c.names.Result(fleet.Probe, fleet.NewName(), fleet.Probe)})
		if worker.IsFull(err) {
			err = c.trim(ctx, results, 0)
		}
		if err == nil {
			tries = 0
		} else if err := c.mayStore(ctx, tries, err); err != nil {
			return err
		}
	}
}

// mayStore decides what the error of an attempt to store a record means, the latest of
// so many in a row. It returns nil if another attempt makes sense: a server that is gone
// may come back. One whose disk is full is there, and does not answer; it stores nothing
// until it is restarted.
func (c *Coordinator) mayStore(ctx context.Context, tries int, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !worker.IsTemporary(err):
		return fmt.Errorf("store in NATS stream %s: %w", c.names.Results(), err)
	case tries < maxSilent:
		return nil
	}
	if _, gone := c.js.Stream(ctx, c.names.Results()); gone != nil {
		return nil
	}
	if c.config.Server == nil {
		return fmt.Errorf("the NATS server answers, but does not store what is sent to stream %s: its disk may be full (%w); make room and restart it", c.names.Results(), err)
	}
	if why := c.config.Server.tryWrite(); why != nil {
		err = why
	}
	return fmt.Errorf("matches under way can't be stored in %s: its disk may be full (%w); make room and resume the run", c.config.Server.folder, err)
}

// trim removes the records that have been acknowledged, which they are once they are
// written, but for the last so many.
func (c *Coordinator) trim(ctx context.Context, results jetstream.Stream, keep uint64) error {
	info, err := c.results.Info(ctx)
	if err != nil {
		return fmt.Errorf("look at results: %w", err)
	}
	if info.AckFloor.Stream <= keep {
		return nil
	}
	first := info.AckFloor.Stream - keep + 1
	if results.CachedInfo().State.FirstSeq >= first {
		return nil
	}
	if err := results.Purge(ctx, jetstream.WithPurgeSequence(first)); err != nil {
		return fmt.Errorf("remove results: %w", err)
	}
	return nil
}
